"""The referee and physics together: laying pieces, the hand, one ply, replay, risk, and the game
itself. Other packages import from here what they need of plies, hands and the game.
"""

from typing import TYPE_CHECKING

from rules.lazy import front

if TYPE_CHECKING:
    from sim.game.attempts.hand import SKILLS as SKILLS, Skill as Skill, draw as draw
    from sim.game.attempts.posing import (
        Jitter as Jitter,
        as_it_lies as as_it_lies,
        bodies as bodies,
        jitters as jitters,
        lay as lay,
    )
    from sim.game.close import close_call as close_call
    from sim.game.highway import Highway as Highway, Position as Position
    from sim.game.ply import (
        Attempt as Attempt,
        JudgedStep as JudgedStep,
        judge as judge,
        judge_checked as judge_checked,
        perform as perform,
        play as play,
        refusal as refusal,
    )
    from sim.game.rest import AtRest as AtRest, at_rest as at_rest
    from sim.game.sources import Simulated as Simulated, pose_source as pose_source

__getattr__, __dir__, __all__ = front(__name__, __file__)
