"""The jobs of worker processes: moves with physics, players and films; no web framework."""

from typing import TYPE_CHECKING

from rules.lazy import front

if TYPE_CHECKING:
    from shutoko.web.work.by_hand import (
        BY_HAND as BY_HAND,
        HELPED as HELPED,
        Grip as Grip,
        Traces as Traces,
        Tried as Tried,
        skill_of as skill_of,
        taken as taken,
        tries_left as tries_left,
    )
    from shutoko.web.work.jobs import (
        Posed as Posed,
        decided as decided,
        named as named,
        posed as posed,
        taken_in as taken_in,
        warm as warm,
    )
    from shutoko.web.work.kinds import (
        ANSWER as ANSWER,
        CHECK as CHECK,
        CHOICE as CHOICE,
        FILM as FILM,
        FIND as FIND,
        GLIMPSE as GLIMPSE,
        HINT as HINT,
        MOMENTS as MOMENTS,
        MOVE as MOVE,
        PHOTO as PHOTO,
        SETTLE as SETTLE,
        SHARE as SHARE,
        UPLOAD as UPLOAD,
        VERIFY as VERIFY,
        WARM as WARM,
        Kind as Kind,
    )
    from shutoko.web.work.photos import (
        Developed as Developed,
        Glimpse as Glimpse,
        Proposal as Proposal,
        SettledPhoto as SettledPhoto,
        SettledRoad as SettledRoad,
        Wire as Wire,
        developed as developed,
        found_noted as found_noted,
        glimpsed as glimpsed,
        proposed as proposed,
        proposed_again as proposed_again,
        settled as settled,
    )
    from shutoko.web.work.players import (
        Rated as Rated,
        advised as advised,
        adviser as adviser,
        apart as apart,
        goes_by_the_clock as goes_by_the_clock,
        hand_of as hand_of,
        levels as levels,
        question as question,
        quick_adviser as quick_adviser,
        stand_in as stand_in,
        usual_level as usual_level,
        with_hand as with_hand,
    )
    from shutoko.web.work.tables import (
        Films as Films,
        table_of as table_of,
    )
    from shutoko.web.work.workers import (
        Workers as Workers,
        whole as whole,
    )

__getattr__, __dir__, __all__ = front(__name__, __file__)
