"""Every rule option of Tokyo Highway as one frozen dataclass, with what each value means and where
it comes from.

The presets (`standard`, `fr`, `kr`, `en2`, `rainbow`) are data under `assets/rulesets`; a record
stores the preset's name and the values that differ from it. FR and KR are the French and the Korean
rulebook; docs/rules.md has every rule, and a row for every section of both. A preset also
says how many people may play by it, and with which pieces.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from rules.errors import InputError, Refusal
from rules.near import meant
from sim.assets import asset, names

PRESETS = ("standard", "fr", "kr", "en2", "rainbow")
Value = bool | int | float | str
_SHOWN = 60  # characters of a value that a message quotes at most
Number = Literal["count", "mm", "road lengths"]


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its values (the first is the default), what each means, its source, and the unit
    if any number is allowed.
    """

    name: str
    values: tuple[Value, ...]
    meanings: tuple[str, ...]
    source: str
    number: Number | None = None

    @property
    def default(self) -> Value:
        """The value of the preset `standard`."""
        return self.values[0]

    def check(self, value: object) -> Value:
        """The value if the option takes it. Raises InputError, which names the values that it
        takes.
        """
        match self.number:
            case None:
                for known in self.values:
                    if type(known) is type(value) and known == value:
                        return known
                wanted = " or ".join(map(_shown, self.values))
            case "count":
                if type(value) is int and 0 <= value <= 100:
                    return value
                wanted = "a whole number from 0 to 100"
            case unit:
                if isinstance(value, (int, float)) and value is not True and 0 < value < 1000:
                    return float(value)
                wanted = f"a number of {unit} above 0"
        raise InputError(f"option {self.name} is {_shown(value)}; it takes {wanted}")


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)[:_SHOWN]


def _option(
    *values: Value, says: tuple[str, ...], source: str, number: Number | None = None
) -> Any:
    return field(
        default=values[0],
        metadata={"values": values, "says": says, "source": source, "number": number},
    )


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All options of the referee; the defaults are the preset `standard`. `Ruleset.named` makes
    one, checking every value.
    """

    # 2 Set-up
    entrance_reach: float = _option(
        2.0,
        says=("how many road lengths an entrance disc may stand from the middle of the table",),
        source="ours; FR 2.2, KR 3.2: 'in the middle of the table'",
        number="road lengths",
    )
    # 3 A turn
    base_point: str = _option(
        "any_open_end",
        "last_built",
        says=(
            (
                "build from the open end of any of your branches, or from a junction whose second "
                "road is not built yet"
            ),
            "build from your last pillar, or from a junction whose second road is not built yet",
        ),
        source="KR 4.1; FR 4.1 and 7.2",
    )
    turn_end: str = _option(
        "one_road",
        "until_car",
        says=(
            "a turn is one pillar, one road and its cars",
            "the turn goes on, road by road, until a car is placed or nothing can be built",
        ),
        source="KR 4, English digests; FR 4.3",
    )
    may_pass: bool = _option(
        False,
        True,
        says=(
            "a player who can build must build",
            "a turn may be passed",
        ),
        source="ours; FR 4 says actions 'can' be done",
    )
    freeze: str = _option(
        "next_turn",
        "next_pillar",
        says=(
            "the last build may be adjusted until the next turn begins",
            "the last build may be adjusted until the next player has built a pillar",
        ),
        source="KR 4.3; FR 4.3",
    )
    # 4 Laying a road
    own_pillar_shadow: str = _option(
        "forbid",
        "allow",
        says=(
            "no road passes above a pillar, not even one of its own player",
            "a road may pass above pillars of its own player without touching them",
        ),
        source="FR 5.3, KR 5.3 (neither excepts own pillars)",
    )
    pillar_under_road: str = _option(
        "forbid",
        "allow",
        says=(
            "no new pillar is set under a standing road",
            "a new pillar may stand under a road without touching it",
        ),
        source="FR 5.3, KR 5.3 read the other way round",
    )
    touch_cars: str = _option(
        "illegal",
        "legal",
        says=(
            "a new road touches no car",
            "a new road may touch cars",
        ),
        source="FR 5.4, KR 5.4 name roads and pillars only",
    )
    over_building: str = _option(
        "allow",
        "forbid",
        says=(
            "a road may pass over a building without touching it",
            "no road passes over a building",
        ),
        source="FR 2.3, KR 3.3: roads must not touch buildings",
    )
    loop: str = _option(
        "graph",
        "planar",
        says=(
            "no road ends on an older pillar",
            "nor may the roads of one player enclose a ring, seen from above",
        ),
        source="FR 5.4, KR 5.4 (pictures lost)",
    )
    self_cross: bool = _option(
        True,
        False,
        says=(
            "roads of one player may cross each other and earn nothing by it",
            "roads of one player may not cross each other",
        ),
        source="FR 6, KR 6",
    )
    # 6 Exits
    exit_height: int | str = _option(
        1,
        "any",
        says=(
            "an exit starts from a pillar of height 1",
            "an exit starts from a pillar of any height",
        ),
        source="KR 8; FR 8 names no height",
    )
    # 7 Cars
    crossing_scope: str = _option(
        "road",
        "point",
        says=(
            "a road that runs above (below) the crossed road, anywhere along it, takes that side",
            (
                "only a road that crosses it within 1.5 road widths of the new crossing takes that "
                "side"
            ),
        ),
        source="FR 6 and KR 6, example 2; a Dutch review",
    )
    crossing_memory: str = _option(
        "state",
        "history",
        says=(
            "the table as it stands now decides",
            "the first road that ever passed over (under) a road takes that side of it",
        ),
        source="FR 6, KR 6; Rainbow City digests",
    )
    own_roads_occlude: bool = _option(
        True,
        False,
        says=(
            "a player's own earlier roads take sides, too",
            "a player's own earlier roads take no sides",
        ),
        source="FR 6, KR 6: 'no other road'",
    )
    own_cross_voids: bool = _option(
        False,
        True,
        says=(
            "crossing your own road earns nothing; the other roads that you cross still count",
            "a road that crosses a road of its own player carries no car at all",
        ),
        source="KR 6 'Important'; FR 6 'Attention' read literally",
    )
    ramps_count: bool = _option(
        True,
        False,
        says=(
            "crossing an entrance ramp or an exit can earn cars",
            "crossing an entrance ramp or an exit earns nothing",
        ),
        source="ours: both books call them roads",
    )
    inactive_roads_count: bool = _option(
        True,
        False,
        says=(
            "roads of players who are out or have finished count",
            "they neither earn cars nor take sides",
        ),
        source="ours: both books are silent",
    )
    crossing_test: str = _option(
        "centreline",
        "footprint",
        says=(
            "roads cross where their centre lines meet, seen from above",
            "roads cross where the outline of the new one cuts right across that of the other",
        ),
        source="ours: both books say 'cross'",
    )
    # 8 Falls, penalties, the end
    penalty_unit: str = _option(
        "disc",
        "stack",
        says=(
            "each fallen disc of a pillar counts",
            "the fallen discs of one pillar count once",
        ),
        source="FR 9, KR 9: 'pillars'",
    )
    penalty_currency: str = _option(
        "discs",
        "any",
        says=(
            "a penalty is paid in discs",
            "a player without discs pays with roads, never with cars",
        ),
        source="FR 9, KR 9; English digests",
    )
    fall_mode: str = _option(
        "structural",
        "moved",
        says=(
            "a piece fell if it lost its role",
            "a piece fell if it moved more than fall_distance",
        ),
        source="ours: FR 9, KR 9 say 'fall'; Japanese digests",
    )
    fall_distance: float = _option(
        5.0, says=("mm that a piece may move with fall_mode = moved",), source="ours", number="mm"
    )
    redo: int = _option(
        3,
        says=("how often a build that does not stand may be tried again",),
        source="ours",
        number="count",
    )
    hand_on_building: str = _option(
        "report",
        "redo",
        says=(
            "a hand that touches a building is reported",
            "if a hand touches a building, the build is made again",
        ),
        source="FR is silent; KR 3.3 forbids it",
    )
    clean_win: bool = _option(
        False,
        True,
        says=(
            "the last car wins even in a turn that knocked something over",
            "in such a turn the last car goes back to its owner",
        ),
        source="ours: both books are silent",
    )
    elimination: str = _option(
        "kr",
        "fr",
        says=(
            "a player who cannot build passes, and is out if still unable at their next turn",
            (
                "a player who runs out of material is out after one more turn of all others, if "
                "none of them incurs a penalty"
            ),
        ),
        source="KR 10.2; FR 10.2",
    )
    continue_after_win: bool = _option(
        True,
        False,
        says=(
            "the others play on for ranks",
            "the game ends with the first win",
        ),
        source="FR 10.1, KR 10.1",
    )

    # what the judges ask: made once, with the rule set
    resolved: Resolved = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Resolves the options."""
        object.__setattr__(self, "resolved", _resolved(self))

    @classmethod
    def named(cls, name: str = "standard", /, **changes: Any) -> Ruleset:
        """The preset of that name with some options changed.

        Raises InputError for an unknown preset, an unknown option or a value that the option does
        not take.
        """
        return Preset.named(name).rules.changed(**changes)

    def changed(self, /, **changes: Any) -> Ruleset:
        """The same rules with some options changed. Raises InputError as `named` does."""
        if not changes:
            return self
        made = replace(self, **_checked(changes))
        # rules 4f: roads of one player that cross would enclose a ring seen from above
        return replace(made, self_cross=False) if made.loop == "planar" else made

    def identity(self) -> dict[str, Value]:
        """What a digest hashes of the rules: the options that differ from their defaults.

        The options of the first records are hashed with every value, as those records hashed
        them. So an option that is added later changes no digest where it has its default.
        """
        return {
            name: getattr(self, name)
            for name, option in OPTIONS.items()
            if name in _FIRST or getattr(self, name) != option.default
        }

    def differing(self, preset: str) -> dict[str, Value]:
        """The options whose value is not the preset's: what a record stores beside the preset's
        name.
        """
        base = Preset.named(preset).rules
        return {
            name: getattr(self, name)
            for name in OPTIONS
            if getattr(self, name) != getattr(base, name)
        }


class Resolved(NamedTuple):
    """The options, each as the value that its rule needs: numbers and truth values, so that
    compiled code takes them as they are (`sim.batch.arrays`).

    Those with another name than their option: `last_built` (base_point): a road leaves the last
    pillar only, or an open junction. `until_car` (turn_end): a turn goes on until a car is placed.
    `shadow` (own_pillar_shadow and loop): a road may not pass above own pillars either. `under`
    (pillar_under_road): no pillar may stand under a road. `over` (over_building): no road may pass
    above a building. `nearby` (crossing_scope): a side is taken near a crossing only. `history`
    (crossing_memory): only roads built later take a side. `occlude` (own_roads_occlude): roads of
    the player who builds take sides, too. `voids` (own_cross_voids): a road that crosses one of its
    player earns nothing. `ramps` (ramps_count): crossing a ramp earns a car. `inactive`
    (inactive_roads_count): roads of seats that are out or have finished count. `outlines`
    (crossing_test): sticks must cross, not only their middle lines. `fr` (elimination): by FR 10.2;
    else by KR 10.2. `go_on` (continue_after_win): the others play on for ranks. `moved`
    (fall_mode): what moved further than fall_distance fell. `redo_on_building` (hand_on_building):
    a hand that touches a building makes the build again. `stacks` (penalty_unit): the fallen discs
    of one pillar count once. `pays_roads` (penalty_currency): roads are paid when there are no
    discs left. `until_next_pillar` (freeze): a build may be adjusted until its player's next
    pillar.

    `touch_cars`: a new road may not touch a car. `exit_height` is the one height in discs that
    allows an exit; -1 for any.
    """

    last_built: bool
    until_car: bool
    may_pass: bool
    shadow: bool
    under: bool
    touch_cars: bool
    over: bool
    self_cross: bool
    exit_height: int
    nearby: bool
    history: bool
    occlude: bool
    voids: bool
    ramps: bool
    inactive: bool
    outlines: bool
    clean_win: bool
    fr: bool
    go_on: bool
    moved: bool
    redo_on_building: bool
    stacks: bool
    pays_roads: bool
    until_next_pillar: bool


def _resolved(rules: Ruleset) -> Resolved:
    return Resolved(
        last_built=rules.base_point == "last_built",
        until_car=rules.turn_end == "until_car",
        may_pass=rules.may_pass,
        shadow=not (rules.own_pillar_shadow == "allow" and rules.loop == "graph"),
        under=rules.pillar_under_road == "forbid",
        touch_cars=rules.touch_cars == "illegal",
        over=rules.over_building == "forbid",
        self_cross=rules.self_cross,
        exit_height=-1 if rules.exit_height == "any" else int(rules.exit_height),
        nearby=rules.crossing_scope == "point",
        history=rules.crossing_memory == "history",
        occlude=rules.own_roads_occlude,
        voids=rules.own_cross_voids,
        ramps=rules.ramps_count,
        inactive=rules.inactive_roads_count,
        outlines=rules.crossing_test == "footprint",
        clean_win=rules.clean_win,
        fr=rules.elimination == "fr",
        go_on=rules.continue_after_win,
        moved=rules.fall_mode == "moved",
        redo_on_building=rules.hand_on_building == "redo",
        stacks=rules.penalty_unit == "stack",
        pays_roads=rules.penalty_currency == "any",
        until_next_pillar=rules.freeze == "next_pillar",
    )


# the options of record format 1.0: this list is closed, a newer option never enters it
_FIRST = frozenset(
    (
        "base_point", "turn_end", "may_pass", "freeze", "own_pillar_shadow", "pillar_under_road",
        "touch_cars", "over_building", "loop", "self_cross", "exit_height", "crossing_scope",
        "crossing_memory", "own_roads_occlude", "own_cross_voids", "ramps_count",
        "inactive_roads_count", "crossing_test", "penalty_unit", "penalty_currency", "fall_mode",
        "fall_distance", "redo", "hand_on_building", "clean_win", "elimination",
        "continue_after_win",
    )
)  # fmt: skip

OPTIONS: Mapping[str, Option] = {
    f.name: Option(
        f.name, f.metadata["values"], f.metadata["says"], f.metadata["source"], f.metadata["number"]
    )
    for f in fields(Ruleset)
    if f.metadata
}


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule set that is shipped: a description, the components it is played with, the allowed
    numbers of players, its options.
    """

    name: str
    about: str
    components: str
    players: tuple[int, ...]
    rules: Ruleset

    @staticmethod
    @lru_cache(maxsize=16)
    def named(name: str) -> Preset:
        """The preset of that name. Raises InputError, which lists the presets, for an unknown
        name.
        """
        if name not in names("rulesets"):
            raise InputError(
                f"there is no rule set {name[:_SHOWN]!r}; available: "
                f"{', '.join(names('rulesets'))}{meant(name, names('rulesets'))}"
            )
        data = tomllib.loads(asset("rulesets", f"{name}.toml").read_text(encoding="utf-8"))
        return Preset(
            name,
            data["about"],
            data["components"],
            tuple(data["players"]),
            Ruleset().changed(**data["options"]),
        )

    def check_players(self, players: int) -> None:
        """Raises InputError if this preset is not for that number of players."""
        if players not in self.players:
            allowed, others = " or ".join(map(str, self.players)), presets_for(players)
            raise InputError(
                Refusal(
                    f"the rule set {self.name} is for {allowed} players, not {players}; {players} "
                    f"may take {', '.join(others)}",
                    "ruleset-players",
                    ruleset=self.name,
                    counts=self.players,
                    players=players,
                    presets=others,
                )
            )


def presets_for(players: int) -> tuple[str, ...]:
    """The names of the presets that are for that number of players."""
    return tuple(name for name in PRESETS if players in Preset.named(name).players)


def _checked(changes: Mapping[str, object]) -> dict[str, Any]:
    for name in changes:
        if name not in OPTIONS:
            hint = meant(name, OPTIONS) or f"; available: {', '.join(OPTIONS)}"
            raise InputError(f"there is no rule option {name[:_SHOWN]!r}{hint}")
    return {name: OPTIONS[name].check(value) for name, value in changes.items()}
