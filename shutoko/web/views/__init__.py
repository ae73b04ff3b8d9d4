"""What a position looks like on a page, and its words: a board of cells, or pieces on a table."""

from typing import TYPE_CHECKING

from rules.lazy import front

if TYPE_CHECKING:
    from shutoko.web.views.aiming import (
        Aimed as Aimed,
        AimRequest as AimRequest,
        aim as aim,
        request_for as request_for,
    )
    from shutoko.web.views.boards import (
        COLOURS as COLOURS,
        Drawing as Drawing,
        board_of as board_of,
        board_svg as board_svg,
        told_move as told_move,
        told_ply as told_ply,
    )
    from shutoko.web.views.stage import (
        Sign as Sign,
        Stage as Stage,
    )
    from shutoko.web.views.table import (
        ADVISED as ADVISED,
        Plate as Plate,
        advised_pieces as advised_pieces,
        bodies_of as bodies_of,
        colour_of as colour_of,
        gifts_flying as gifts_flying,
        in_stock as in_stock,
        piles as piles,
        plate_of as plate_of,
        reasons as reasons,
        stock_table as stock_table,
        told_change as told_change,
        told_in_short as told_in_short,
        told_placement as told_placement,
        tray_of_mover as tray_of_mover,
    )
    from shutoko.web.views.telling import (
        aimed_in_short as aimed_in_short,
        colour_name as colour_name,
        ended as ended,
        found_wrong as found_wrong,
        graph as graph,
        guide as guide,
        how_to as how_to,
        in_short as in_short,
        judged_in as judged_in,
        judged_in_short as judged_in_short,
        mood_of as mood_of,
        refused as refused,
        refused_file as refused_file,
        series as series,
        setting_about as setting_about,
        setting_name as setting_name,
        spots_of as spots_of,
        tallies as tallies,
        told as told,
        trouble as trouble,
        value_name as value_name,
        worded as worded,
    )

__getattr__, __dir__, __all__ = front(__name__, __file__)
