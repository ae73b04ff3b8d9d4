"""The geometry of the referee compiled, for thousands of placements: the same source as
`sim.referee.geometry`, in the place of the same names.
"""

from __future__ import annotations

from rules.grid.kernels.jit import twin
from sim.referee import geometry as _plain

_INLINE = (
    *(
        "hypot",
        "strip_between",
        "leaning",
        "car_strip",
        "_corners",
        "_within",
        "_rise",
        "off",
        "is_far",
    ),
    *(
        "off",
        "is_far",
        "round_by_round",
        "_closer",
        "_half",
        "standing_of",
        "may_take",
        "intersection",
    ),
)

geometry = twin(_plain, _INLINE)
