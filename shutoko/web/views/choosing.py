"""Lists and rows of buttons of which one is always chosen, whatever a page sends."""

from __future__ import annotations

from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

__all__ = ["Select", "Toggle"]


class Select(ui.select):
    """A list to choose one entry from. A page that sends no entry leaves the choice as it was."""

    def _event_args_to_value(self, e: GenericEventArguments) -> Any:
        value = super()._event_args_to_value(e)
        return self.value if value is None else value


class Toggle(ui.toggle):
    """A row of buttons of which one is pressed. A page that sends no button leaves the choice as it was."""

    def _event_args_to_value(self, e: GenericEventArguments) -> Any:
        value = super()._event_args_to_value(e)
        return self.value if value is None else value
