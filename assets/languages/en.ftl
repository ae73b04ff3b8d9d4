# English. Comments begin with #; CONTRIBUTING.md tells how to add a language.
# `you` in a select is the player at this screen; $seat, $owner, $from, $to and $winner are players by name.
language-name = English

# ---------------------------------------------------------------------------------------------------------------------
# How things are written
# ---------------------------------------------------------------------------------------------------------------------

# Whether a sentence of the referee begins with a `capital` or a `small` letter on the pages.
sentences-begin = small
decimal = .
point = ({ $x }, { $y })
# A piece by its id, with the noun of what it is where the language wants one.
piece = { $kind ->
    [disc] { $id }
    [pillar] { $id }
    [road] { $id }
    [car] { $id }
   *[building] { $id }
}
list-two = { $most } and { $last }
list-more = { $first } and { $more } more
list-none = none
# The first of several reasons, and how many more there are.
in-short = { $first }; and { $more } more

count-discs = { $discs ->
    [one] { $discs } disc
   *[other] { $discs } discs
 }
count-earned = { $earned ->
    [one] { $earned } car
   *[other] { $earned } cars
 }

# ---------------------------------------------------------------------------------------------------------------------
# Why a placement is illegal. `one` and `other` are pieces, `seat` is a player, all numbers are mm unless they count.
# ---------------------------------------------------------------------------------------------------------------------

fault-game-over = the game is over
fault-phase = { $player } must now { $phase ->
    [entrances] set an entrance
    [buildings] set a building
   *[play] build, exit or pass
 }; this is a move of kind { $move }
fault-entrance-far = the entrance disc at { POINT($at) } stands { ROUND($mm, 2) } mm from the middle of the table; { NUM($limit) } mm is the most (entrance_reach)
fault-building-kind = there is no building '{ $building }'; available: { LIST($known, join: ", ") }
fault-building-taken = the { $building } is already on the table as { $piece }; left: { LIST($left, join: ", ") }
fault-building-overlap = the { $building } at { POINT($at) } overlaps { $piece } by { ROUND($mm, 2) } mm in plan
fault-building-overlap-clear = the { $building } at { POINT($at) } touches { $piece }: the gap is { ROUND($clear, 2) } mm in plan
fault-can-build = no pass while one can build from { FIRST($bases, shown: 3, join: ", ") }; if no place is left, pass with "no room"
fault-has-room-build = { $player } { VERB($player, "has", you: "have") } room: { count-discs }{ $junction ->
    [true] , a junction
   *[false] {""}
 } at { POINT($at) } from { $piece }
fault-has-room-exit = { $player } { VERB($player, "has", you: "have") } room: an exit to { POINT($at) } from { $piece }
fault-frozen-nothing = nothing to adjust: { $player } { VERB($player, "has", you: "have") } laid no road yet
fault-frozen-pillar = nothing to adjust: { $built } is frozen since another player built a pillar (freeze = next_pillar)
fault-frozen-turn = nothing to adjust: { $built } is frozen since { $following ->
    [none] the next turn
   *[other] { $following }'s turn
 } began (freeze = next_turn)
fault-adjust-end-exit = { $piece } is an exit and has no new pillar; `to` is where its lower end lies
fault-adjust-end-build = { $piece } is no exit; `pillar` is where its new pillar stands
fault-base-unknown = there is no pillar { $base }; base points of { $player }: { FIRST($bases, shown: 3, join: ", ") }
fault-under-unknown = the new road cannot lie under { $under }: { $under } has no end on its pillar { $base }; there lie { LIST($roads) }
fault-under-unknown-none = the new road cannot lie under { $under }: no older road lies on { $base }
fault-base-foreign = { $piece } belongs to { $whose }; { $player } may build only from pillars of the same player
fault-base-used-new-junction = { $piece } is no base point: { LIST($leaving) } leaves it, and a new junction branches from the next turn on; base points of { $player }: { FIRST($bases, shown: 3, join: ", ") }
fault-base-used-left = { $piece } is no base point: { LIST($leaving) } { $count ->
    [one] leaves
   *[other] leave
 } it already; base points of { $player }: { FIRST($bases, shown: 3, join: ", ") }
fault-base-used-not-last = { $piece } is no base point: it is not the pillar built last (base_point = last_built); base points of { $player }: { FIRST($bases, shown: 3, join: ", ") }
fault-exit-height = an exit starts from a pillar of height { $height }; { $piece } has { count-discs } (exit_height)
fault-reach-down = a road is too short to come down from { $piece }
fault-reach-itself = { $end ->
    [pillar] the pillar
   *[road] the lower end
 } is set at { $piece } itself
fault-reach-short = { $piece } ends { ROUND($short, 1) } mm short of the rim of { $other } (the ends are { ROUND($distance, 1) } mm apart in plan)
fault-reach-bears = { $piece } rests on only { ROUND($bears, 2) } mm of { $other }; { NUM($least) } mm is the least (the ends are { ROUND($distance, 1) } mm apart in plan)
fault-reach-aside = { $piece } ends { ROUND($aside, 2) } mm beside the axis of { $other }; { NUM($most) } mm is the most
fault-sticks-out = { $piece } sticks out past the rim of { $other } by { ROUND($mm, 2) } mm (the ends are { ROUND($distance, 1) } mm apart in plan)
fault-too-steep = { $piece } is too steep to lie on { LIST($on) }: { $rise ->
    [one] { $rise } disc
   *[other] { $rise } discs
 } of height within { ROUND($distance, 1) } mm
fault-height = a grey pillar from { $piece } ({ $base ->
    [one] { $base } disc
   *[other] { $base } discs
 }) has { $base ->
    [1] { $higher }
   *[other] { $lower } or { $higher }
 } discs, not { $discs }
fault-junction-height = a junction has at least one grey disc under the yellow one
fault-stock-roads = { $player } { VERB($player, "needs", you: "need") } { $needs ->
    [one] { $needs } road
   *[other] { $needs } roads
 } and { VERB($player, "has", you: "have") } { $has }
fault-stock-grey = { $player } { VERB($player, "needs", you: "need") } { $needs ->
    [one] { $needs } grey disc
   *[other] { $needs } grey discs
 } and { VERB($player, "has", you: "have") } { $has }
fault-stock-yellow = { $player } { VERB($player, "needs", you: "need") } { $needs ->
    [one] { $needs } yellow disc
   *[other] { $needs } yellow discs
 } and { VERB($player, "has", you: "have") } { $has }
fault-stock-cars = { $player } { VERB($player, "needs", you: "need") } { $needs ->
    [one] { $needs } car
   *[other] { $needs } cars
 } and { VERB($player, "has", you: "have") } { $has }
fault-stock-cars-left = { $wanted ->
    [one] { $wanted } car is
   *[other] { $wanted } cars are
 } put down, but { $player } { VERB($player, "has", you: "have") } { $has } left
fault-cars-earned = { $wanted ->
    [one] { $wanted } car is
   *[other] { $wanted } cars are
 } put down, but { $earned ->
    [one] { $earned } is
   *[other] { $earned } are
 } earned
fault-stock-cars-put = { fault-stock-cars-left }
fault-cars-earned-put = { fault-cars-earned }
fault-cars-earned-open = { $wanted ->
    [one] { $wanted } car is
   *[other] { $wanted } cars are
 } put down, but even with errors of measuring at most { $earned } can be earned
fault-cars-earned-taken = { fault-cars-earned }: { LIST($taken, join: "; ") }
fault-payment-total = { $seat } { VERB($seat, "pays", you: "pay") } { $to } { $pays ->
    [0] nothing
    [one] { $pays } piece
   *[other] { $pays } pieces
 }, but { $due ->
    [0] nothing is
    [one] { $due } is
   *[other] { $due } are
 } due
fault-payment-stock = { $seat } { VERB($seat, "pays", you: "pay") } { $to } { $pays } { $kind ->
    [grey] grey
    [yellow] yellow
   *[roads] in roads
 }, but { VERB($seat, "has", you: "have") } { $has }
fault-payment-roads = { $seat } { VERB($seat, "pays", you: "pay") } { $to } in roads, but discs go first (penalty_currency)
fault-payment-to = { $seat } { VERB($seat, "pays", you: "pay") } { $to }, who is no other player of this game
fault-touches-road-cut = { $piece } cuts { ROUND($deep, 2) } mm into road { $other } at their crossing { POINT($at) }, { ROUND($into, 2) } mm at most
fault-touches-road-into = { $piece } cuts { ROUND($into, 2) } mm into road { $other }
fault-touches-road-into-aside = { fault-touches-road-into }; at their crossing { POINT($at) } it is clear by { ROUND($gap, 2) } mm
fault-touches-road-clear = { $piece } touches road { $other }: the gap is { ROUND($clear, 2) } mm
fault-touches-road-clear-aside = { fault-touches-road-clear }; at their crossing { POINT($at) } it is clear by { ROUND($gap, 2) } mm
fault-under-own-road-exit = { $piece } would lie on { $other }: its lower end cannot come down to the table from { $base }
fault-under-own-road-build = { $piece } would lie on { $other }: from { $base } it cannot pass under it
fault-touches-car-into = { $piece } cuts { ROUND($into, 2) } mm into the car { $other }
fault-touches-car-clear = { $piece } touches the car { $other }: the gap is { ROUND($clear, 2) } mm
fault-touches-pillar-into = { $piece } cuts { ROUND($into, 2) } mm into the pillar { $other }
fault-touches-pillar-clear = { $piece } touches the pillar { $other }: the gap is { ROUND($clear, 2) } mm
fault-touches-building-into = { $piece } cuts { ROUND($into, 2) } mm into the building { $other }
fault-touches-building-clear = { $piece } touches the building { $other }: the gap is { ROUND($clear, 2) } mm
fault-over-building-into = { fault-touches-building-into }
fault-over-building-clear = { fault-touches-building-clear }
fault-over-building-above = { $piece } passes { ROUND($mm, 2) } mm over the building { $other } (over_building = forbid)
fault-over-pillar = { $piece } overlaps the pillar { $other } at { POINT($at) } seen from above: { ROUND($distance, 2) } mm from its axis; at least { NUM($needed) } mm is needed
fault-pillar-on-pillar-overlap = the pillar at { POINT($at) } overlaps pillar { $other } by { ROUND($mm, 2) } mm in plan
fault-pillar-on-pillar-clear = the pillar at { POINT($at) } touches pillar { $other }: the gap is { ROUND($clear, 2) } mm in plan
fault-pillar-on-building-overlap = the pillar at { POINT($at) } overlaps building { $other } by { ROUND($mm, 2) } mm in plan
fault-pillar-on-building-clear = the pillar at { POINT($at) } touches building { $other }: the gap is { ROUND($clear, 2) } mm in plan
fault-pillar-under-road-overlap = the pillar at { POINT($at) } overlaps road { $other } by { ROUND($mm, 2) } mm in plan; no pillar is set under a road
fault-pillar-under-road-clear = the pillar at { POINT($at) } touches road { $other }: the gap is { ROUND($clear, 2) } mm in plan; no pillar is set under a road
fault-pillar-touches-road-into = the pillar at { POINT($at) } cuts { ROUND($into, 2) } mm into road { $other }
fault-pillar-touches-road-clear = the pillar at { POINT($at) } touches road { $other }: the gap is { ROUND($clear, 2) } mm
fault-pillar-touches-car-into = the pillar at { POINT($at) } cuts { ROUND($into, 2) } mm into car { $other }
fault-pillar-touches-car-clear = the pillar at { POINT($at) } touches car { $other }: the gap is { ROUND($clear, 2) } mm
fault-own-crossing = the new road crosses { $piece } of the same player: { $loop ->
    [planar] roads of one player may not enclose a ring (loop = planar)
   *[other] these rules forbid that (self_cross = false)
 }
fault-car-off-road-end = a car at { NUM($along) } of { $piece } would fall off its end: it stands from { NUM($least) } to { NUM($most) }
fault-car-off-road-side = the car at { NUM($along) } of { $piece } is { NUM($mm) } mm off its middle; { NUM($widest) } mm is the most
fault-car-on-car-overlap = the cars at { NUM($one) } and { NUM($two) } of { $piece } overlap by { ROUND($mm, 2) } mm
fault-car-on-car-clear = the cars at { NUM($one) } and { NUM($two) } of { $piece } touch: the gap is { ROUND($clear, 2) } mm
fault-car-touches-into = the car at { NUM($along) } of { $piece } cuts { ROUND($into, 2) } mm into { $other }
fault-car-touches-clear = the car at { NUM($along) } of { $piece } touches { $other }: the gap is { ROUND($clear, 2) } mm

# ---------------------------------------------------------------------------------------------------------------------
# Why a wish in a room is refused. Whatever else is refused says why in English where it is refused; other languages have
# that under its code, after `refused-`. English stands here where a page says it in other words.
# ---------------------------------------------------------------------------------------------------------------------

refused-game-over = { fault-game-over }
refused-hand = the hand that placed this is not the one that took it; take the pieces again
refused-invitation = this invitation opens no seat of this room; you may watch
refused-turn = it is the turn of { $name }
refused-watching = you watch this game; you have no seat in it
refused-goes-on = the game goes on
refused-unfriendly = no ply can be taken back in this game
refused-nothing-back = there is nothing to take back
refused-tried = this piece is being placed; try again, or let it be
refused-busy = a move is being made; wait for it
refused-ply = this move was meant for ply { $meant }; the game is at ply { $now }
refused-changed = the position has changed meanwhile; look at it again
refused-seat-full = { $most } browsers have this seat already; no more can take it
refused-put-away = nobody looked at this room for a while, so it was put away; load the page again
refused-rooms = there are { $most } rooms already; delete old ones from { $folder }
refused-in-time = nobody's time is up
refused-own-time = it is your own time that is up
refused-unasked = nobody asks you to take a ply back
refused-notice-push = this is no place for messages of a browser
refused-note-correct-cannot = ply { $ply } cannot be played at the places of this photo: { $why }; look at the marks of its pieces
refused-not-json = this is not JSON: it goes wrong at column { $column }
# What the server answers before any page is built.
guard-name = this server is not known by that name
guard-origin = this server talks to its own pages only
guard-doubled = a header stands twice in the request
guard-sockets = too many sockets
guard-requests = too many requests; wait a minute and load the page again
guard-bytes = the request has too many bytes
guard-broken = the request broke off
# A computer player that failed, and why.
trouble = { $who }: { $why }

# ---------------------------------------------------------------------------------------------------------------------
# What was done, and why the verdict is what it is: `reason-` and the kind of the reason
# ---------------------------------------------------------------------------------------------------------------------

reason-fault = { $why }
reason-illegal = illegal: { $why }
reason-accepted = against the rules, but noticed too late, so it stands (KR 4.3): { $why }
reason-remark = remark: { $why }; that may be an error of measuring, since every point may be off by { NUM($within) } mm
reason-resign = { $seat } { VERB($seat, "resigns", you: "resign") }; what { $seat } built stays
reason-pass = { $seat } { VERB($seat, "misses", you: "miss") } the turn: { $why }
pass-no-room = no place is left to build
pass-accepted = nobody noticed that it could be played
pass-may-pass = a turn may be passed (may_pass)
lack-roads = no road is left
lack-bases = no base point is left to build from
lack-discs = { $grey } grey and { $yellow } yellow discs are too few
lack-discs-full = { $grey } grey and { $yellow } yellow discs pay for no pillar from { LIST($heights, join: ", ") }, and no exit is allowed there
lack-height = { $piece } ({ $discs })
reason-building = { $seat } { VERB($seat, "sets", you: "set") } the { $building } { $piece } at { POINT($at) }; it never moves again
reason-adjusted = { $seat } { VERB($seat, "adjusts", you: "adjust") } { $piece }{ $exit ->
    [true] : it ends
   *[false] {""}
 } at { POINT($at) }; it is judged as if it had been built like that
reason-built-exit = { $seat } { VERB($seat, "lays", you: "lay") } { $road }, an exit from { $base } to the table at { POINT($at) }{ at-try }
reason-built-entrance = { $seat } { VERB($seat, "builds", you: "build") } { $pillar } of { count-discs } at { POINT($at) } and { VERB($seat, "lays", you: "lay") } { $road }, the entrance ramp{ at-try }
reason-built-build = { $seat } { VERB($seat, "builds", you: "build") } { $pillar } of { count-discs }{ $junction ->
    [true] , the top one a junction,
   *[false] {""}
 } at { POINT($at) } and { VERB($seat, "lays", you: "lay") } { $road } from { $base }{ at-try }
at-try = { $tries ->
    [1] {""}
   *[other] , at try { $tries }
 }
reason-try = try { $try }: { $line }
reason-touched = the hand touches the building { $piece }{ $redo ->
    [true] , so the build does not count (KR 3.3)
   *[false] {""}
 }
reason-undone = { $seat ->
    [you] your
   *[other] { $seat }'s
 } build is undone and the turn is lost{ $tries ->
    [1] {""}
   *[other] {" "}after { $tries } tries
 }: { $why }
undone-fell = { FIRST($pieces) } fell
undone-hand = the hand touched { FIRST($pieces) } (KR 3.3)
undone-void = people say that it did not stand
reason-breach = { $why }: it must be built again
breach-touches = { $piece } touches { $other } where it came to rest
breach-hangs = the lower end of { $piece } hangs { ROUND($mm) } mm above the table
breach-not-borne = { $piece } does not lie on { $other }
breach-falls-again = { $piece }, put back where it stood, falls again beside what is new
breach-never-rests = { $piece } never comes to rest beside what is new
reason-close-call = too close to tell: whether { $why }
close-call-meeting = it crosses { $road } at all; { ROUND($mm) } mm decide
close-call-side = it runs over or under { $road }; { ROUND($mm) } mm decide
close-call-taken = { $other } has taken that side of { $road }
reason-between = too close to tell: { $least } or { $most ->
    [one] { $most } car
   *[other] { $most } cars
 }; { $earned ->
    [one] { $earned } is
   *[other] { $earned } are
 } counted as earned

# Crossings: `$side` is `over` or `under`.
reason-crossing = { $side } { $reason ->
    [own] { $road } of the same player
   *[other] { $road }
 } at { POINT($at) } with { ROUND($mm) } mm to spare: { $why }
crossing-own = crossing one's own road earns nothing
crossing-ramp = earns nothing, it is a ramp (ramps_count = false)
crossing-inactive = earns nothing, { $owner } { VERB($owner, "is", you: "are") } out or done (inactive_roads_count = false)
crossing-voided = earns nothing, the new road crosses { LIST($own) } of the same player (own_cross_voids)
crossing-voided-many = earns nothing, the new road crosses { $count } roads of the same player (own_cross_voids)
crossing-taken = earns nothing, { LIST($takers) }
side-taken-before = { LIST($takers) } came first { $side ->
    [over] above
   *[under] below
 } { $road }
crossing-taken-many = earns nothing, { $first } and { $more ->
    [one] { $more } more road
   *[other] { $more } more roads
 } are { $side ->
    [over] above
   *[under] below
 } it
crossing-taker = { $road } is { ROUND($mm) } mm { $side ->
    [over] above
   *[under] below
 } it at { POINT($at) }
crossing-free = scores ({ $roads ->
    [other] no other
    [opponents] no opponent's
    [other-active] no other active
   *[opponents-active] no opponent's active
 } road { $memory ->
    [history] has passed { $side } it{ within-mm } since it was built
   *[state] is { $side ->
        [over] above
       *[under] below
     } it{ within-mm }
 })
within-mm = { $within ->
    [none] {""}
   *[other] {" "}within { ROUND($within) } mm
 }
reason-ends-under = { $road } ends { ROUND($mm, $digits) } mm { $past ->
    [true] past
   *[false] short of
 } the middle of { $other }
reason-no-crossing = it crosses no road
reason-exit-bonus = the exit earns 1 car as a bonus (FR 8, KR 8)
reason-exit-bonus-lost = the exit's bonus is lost: the road crosses a road of the same player (own_cross_voids)
reason-cars = { $seat } { VERB($seat, "earns", you: "earn") } { count-earned } and { VERB($seat, "places", you: "place") } { $placed }
reason-cars-why = { reason-cars } ({ LIST($why, join: "; ") })
cars-stock = { $seat } { VERB($seat, "has", you: "have") } only { $stock } left
cars-clean-win = the last one goes back, as something was knocked over in this turn (clean_win)
cars-fell = { FIRST($pieces) } did not stay on the road
cars-declined = { $seat } { VERB($seat, "wants", you: "want") } to place no more
cars-steep = the road slopes by { ROUND($degrees) } degrees, friction holds to { ROUND($holds) }
cars-no-place = the road has no free place for more
reason-put-back = { $piece } { $why ->
    [fell] slid off { $road }
    [touches] touched another piece on { $road }
   *[unknown] did not stay on { $road }
 }{ $was ->
    [none] {""}
   *[other] {" "}at { ROUND($was, 2) }
 } and { $now ->
    [none] goes back to { $seat ->
        [you] your
       *[other] { $seat }'s
     } stock
    [on-it] is put back on it
   *[other] is put back at { ROUND($now, 2) }
 }
reason-put-pillar = { $piece } now stands at { POINT($at) }
reason-put-road = { $piece } now lies from { POINT($at) } to { POINT($until) }
reason-put-car = { $piece } now stands on { $road } at { ROUND($along, 2) }{ $turn ->
    [0] {""}
   *[other] , turned by { ROUND($turn) } degrees
 }
reason-put-building = { $piece } now stands at { POINT($at) }{ $turn ->
    [0] {""}
   *[other] , turned by { ROUND($turn, 0) } degrees
 }
reason-put-gone = { $piece } is gone for good

# Falls and payments
reason-fall = { $piece } fell: { $why }{ $own ->
    [true] {" "}(one's own pieces cost nothing)
   *[false] {""}
 }
fall-shifted = it moved { ROUND($measured, $digits) } mm sideways, more than half its radius ({ ROUND($allowed, $digits) } mm)
fall-sank = it sank by { ROUND($measured, $digits) } mm, more than half its height ({ ROUND($allowed, $digits) } mm)
fall-tipped = it tipped by { ROUND($measured, $digits) } degrees, more than { ROUND($allowed, $digits) }
fall-moved = it moved { ROUND($measured, $digits) } mm, more than fall_distance = { ROUND($allowed, $digits) } mm
fall-off-its-disc = an end is { ROUND($measured, $digits) } mm below its disc, more than the road's thickness ({ ROUND($allowed, $digits) } mm)
fall-far-off-its-disc = an end is { ROUND($measured, $digits) } mm off its disc
fall-off-its-road = its middle is { ROUND($measured, $digits) } mm above its road, at most { ROUND($allowed, $digits) } mm for a car that stands
fall-below-its-road = its middle is { ROUND($mm) } mm below the top of its road
fall-far-off-its-road = it is { ROUND($measured, $digits) } mm off its road
fall-observed = people saw it
reason-mended = put back as it was, not all stood or lay still: { FIRST($pieces) } { $count ->
    [one] was
   *[other] were
 } set right
reason-close = a close call: in { $differs } of { $starts } equal tries { $count ->
    [0] the verdict is another one
    [one] { FIRST($pieces) } { $fell ->
        [true] stays
        [false] falls
       *[other] ends otherwise
     }
   *[other] { FIRST($pieces) } end otherwise
 }
reason-restless = { FIRST($pieces) } still moved when time was up: { $count ->
    [one] its place is
   *[other] their places are
 } not certain
reason-payment = { $from } { VERB($from, "owes", you: "owe") } { $to } { $owed ->
    [0] nothing
    [one] { $owed } disc for { $owed } fallen piece
   *[other] { $owed } discs for { $owed } fallen pieces
 }{ $unit ->
    [stack] {" "}(a pillar counts once)
   *[disc] {""}
 } and { VERB($from, "pays", you: "pay") } { LIST($gifts) }{ $capped ->
    [true] : { $from } { VERB($from, "has", you: "have") } no more { $currency ->
        [any] discs and roads
       *[discs] discs
     }
   *[false] {""}
 }
gift-grey = { $count ->
    [one] { $count } grey disc
   *[other] { $count } grey discs
 }
gift-yellow = { $count ->
    [one] { $count } yellow disc
   *[other] { $count } yellow discs
 }
gift-roads = { $count ->
    [one] { $count } road
   *[other] { $count } roads
 }
gift-nothing = nothing

# What follows
reason-finished = { $seat } { VERB($seat, "has", you: "have") } placed all cars and { $rank ->
    [1] { VERB($seat, "wins", you: "win") }
   *[other] { VERB($seat, "finishes", you: "finish") } in place { $rank }
 }
reason-out = { $seat } { VERB($seat, "is", you: "are") } out: { $why }
out-resigned = resigned
out-no-room = no place was left to build in two turns in a row
out-still-unable = still unable to build one turn later, { $lack } (KR 10.2)
out-last-round = { $lack }, and all others had one more turn without a penalty (FR 10.2)
reason-over = the game is over ({ $reason ->
    [all-cars-placed] all cars are placed
    [last-standing] the others are out
    [resigned] by resignation
   *[other] stopped
 }): { LIST($winners) } { $count ->
    [one] { VERB($winner, "wins", you: "win") }
   *[other] win
 }
reason-goes-on = { $seat } { VERB($seat, "goes", you: "go") } on: no car was placed yet (turn_end = until_car)

# What makes one doubt that a build stays
reason-doubt-steep = { $piece } stands at { ROUND($degrees) } degrees; friction holds to { ROUND($holds) }: it may slide
reason-doubt-slips = by statics the build is out of balance, { $piece } slips{ on-other }: it may fall
reason-doubt-tips = by statics the build is out of balance, { $piece } tips{ on-other }: it may fall
reason-doubt-falls = by statics the build is out of balance, { $piece } falls{ on-other }: it may fall
on-other = { $other ->
    [none] {""}
   *[other] {" "}on { $other }
 }

# What statics and a hand's risk say of a placement
statics-bears = bears { ROUND($sideways, 2) } g sideways{ $push ->
    [none] {""}
   *[other] , a push of { ROUND($push, 0) } mN
 }{ $piece ->
    [none] {""}
   *[other] ; first { $piece } { statics-way }{ on-other }
 }
statics-unbalanced = out of balance{ $piece ->
    [none] {""}
   *[other] : { $piece } { statics-way }{ on-other }
 }
statics-way = { $way }
risk-told = { $skill } hand, { $samples } tries: stands { ROUND($stands, 0) }% ({ ROUND($low, 0) }% to { ROUND($high, 0) }%), fells others { ROUND($others, 0) }%, expected penalty { ROUND($penalty, 2) } discs
# Why a build does not stand, and in how many tries
statics-why = does not stand: { LIST($why, join: ", ") }; { $said }
risk-why = { $said }; { LIST($why, join: ", ") }
why-in-tries = { $why } in { $count } of { $tries } tries
why-fell = { $piece } falls
why-touches = { $piece } touches { $other }
why-hangs = the lower end of { $piece } hangs above the table
why-not-borne = { breach-not-borne }
why-falls-again = { breach-falls-again }
why-never-rests = { breach-never-rests }
why-hand = the hand touches { $piece }

# What a verification found
reason-divergence = { $piece } settled { ROUND($mm, 2) } mm and { ROUND($degrees, 2) } degrees from its recorded pose
reason-mismatch = { $what }: the record says { $said }, the referee says { $found }

# ---------------------------------------------------------------------------------------------------------------------
# The sides of a road, a table and a verdict in short
# ---------------------------------------------------------------------------------------------------------------------

slot = { $road }: { $over }, { $under }
slot-nobody = { $road }: { $why }
nobody-ramp = a ramp earns nobody a car (ramps_count = false)
nobody-inactive = { $owner } { VERB($owner, "is", you: "are") } out or done, so it earns nobody a car (inactive_roads_count = false)
side-free = { side-word } free
side-taken = { side-word } taken by { LIST($takers, join: " and ") }
side-taken-free-for = { side-taken }, free for { LIST($free_for) }
side-near = { side-word } free but within { ROUND($within) } mm of { LIST($takers, join: " and ") }
side-word = { $side }
side-taker = { $road } at { POINT($at) }

table-to-move = Tokyo Highway, { $phase }: { $player } to move
table-won = Tokyo Highway, over ({ $reason }): won by { LIST($winners) }
table-drawn = Tokyo Highway, over ({ $reason }): won by nobody
table-stock = { $player } has { $grey } grey and { $yellow } yellow discs, { $roads ->
    [one] { $roads } road
   *[other] { $roads } roads
 } and { $cars ->
    [one] { $cars } car
   *[other] { $cars } cars
 } left
table-pillar = { $piece }: { count-discs } at { POINT($at) }{ $junction ->
    [true] , a junction
   *[false] {""}
 }
table-building = { $piece }: { $building } at { POINT($at) }{ $turn ->
    [0] {""}
   *[other] , turned by { ROUND($turn, 0) } degrees
 }
table-car = { $piece }: on { $road }, { ROUND($along, 2) } of the way along it{ $turn ->
    [0] {""}
   *[other] , turned by { ROUND($turn, 0) } degrees
 }
verdict-nothing-to-build = legal, nothing to build
verdict-stands = legal, and it stands
verdict-does-not-stand = legal, but it does not stand
verdict-cars = { $count ->
    [one] { $count } car
   *[other] { $count } cars
 } placed ({ LIST($pieces) })
verdict-fell = { LIST($pieces) } fell
verdict-paid = { $count ->
    [one] { $count } piece
   *[other] { $count } pieces
 } paid to { $player }

# ---------------------------------------------------------------------------------------------------------------------
# The words of the pages
# ---------------------------------------------------------------------------------------------------------------------

skip = Skip to the content
language = Language
theme = Light or dark
welcome = What would you like to play?
new_game = New game
begin = Begin
cancel = Cancel
rooms = Rooms
records = Recorded games
saved = Your records
scenarios = Scenarios: when a crossing earns a car ({ $n })
upload = Upload a record
upload_about = A file with one line per ply, as Shutoko writes it or as you noted it at a table. The server checks it and runs nothing in it.
upload_pick = Choose a .jsonl file
upload_refused = This file is refused: records of at most { $mib } MiB, named .jsonl, .json or .txt, can be read.
over = over
ply_n = ply { $n }
not_found = Not here
no_page = There is no page at this address. Perhaps the link is incomplete.
went_wrong = Something went wrong
went_wrong_here = The server could not make this page. Try again; if it happens once more, tell whoever runs the server: its log says what went wrong.
server_stops = The server restarts; this game goes on by itself.
turn_lost = The server stopped before the pieces came to rest. Make this turn again.
offline = No connection. The page tries again by itself; no ply is lost.
no_room = There is no such room. Perhaps the link is incomplete.
no_seat = This invitation opens no seat of that room. Ask the host for the link again.
own_link = A link for a friend
own_link_whose = This link gives the seat of { $name }. Send it to your friend; you have a seat already.
own_link_back = Back to the game
own_link_sit = Play for { $name } here, too
no_record = There is no such record.
to_lobby = To the lobby

tokyo-highway = Tokyo Highway
tokyo-highway_about = Build roads of sticks on pillars of discs, over and under those of the others. What stands and what falls is physics. 2 to 4 players.
tokyo-highway_about_players = how many play
tokyo-highway_about_ruleset = the rule set
tokyo-highway_about_components = the box: sizes and friction
thruway = Thruway
thruway_about = Pave two cells at a time until a path of indestructible tiles joins your two sides. 2 players.
thruway_about_size = cells on a side of the board
thruway_about_trade = asphalt's first turn may begin with an exchange of the colours
thruway_about_ko = which replies to a swap are barred
thruway_about_repetition = whether the game is drawn when a position occurs for the third time
thruway_how =
    Concrete joins west and east, asphalt north and south. Point between two cells to pave them with two of your tiles; one of them may hold an opponent's tile, which is replaced. In a dispute (dashed) you may swap two tiles instead. Tiles with rivets are indestructible: all their neighbours are paved.
    By keys: arrows go from cell to cell, Enter picks the first cell, then its neighbour. Or type a move: f5-g5 paves, e6/f6 swaps.
meridians = Meridians
meridians_about = Place stones in sight of your own. A group that sees no other group of its colour dies. 2 players.
meridians_about_size = points along the longer sides of the board
meridians_about_pie = one seat puts a stone of each colour down, then the other chooses a colour
meridians_how =
    Place a stone where, in one of the six directions, the first stone met is your own. A group without a straight, empty path to another group of its colour (marked with a cross) is removed at the start of the opponent's turn, unless it finds one. A player without stones has lost.
    By keys: arrows go from point to point, Enter plays. Or type a point: d4.

players = Players
name_n = Name of player { $n }
player_n = Player { $n }
seat_me = at this screen
seat_friend = a friend, by link
seat_computer = the computer
no_computer = No computer player for this game is installed: play with others, at this screen or by link.
more = More
clock = Clock
increment = Seconds per ply
friendly = Turns may be taken back
level = Level
own_player = Another computer player, by name
computer_named = computer, { $level }
level_first = first game
level_beginner = beginner
level_easy = easy
level_medium = medium
level_hard = hard
level_full = full strength
level_random = random moves
size = Size of the board
pie = One puts two stones down, the other picks a colour
trade = Colours may be swapped at the start
ko = Swapping tiles back
repetition = The same position three times
hand = How steady is your hand?
hand_of_it = How steady is its hand?
hand_none = never trembles
hand_expert = very steady
hand_normal = like most people's
hand_clumsy = clumsy
hand_helped = my own, with some help
hand_own = my own, without help
sounds = Sounds
hand_lower = Lower
hand_left = Turn to the left
hand_right = Turn to the right
hand_let_go = Let go
hand_put_back = Put back
hand_ended = The table has changed; the piece in your hand is put back.
hand_pillar = Lead it over its place. Hold to lower, release to let go.
hand_road = Now the road, on both ends. The longer you hold it, the more it trembles.
place_drawn = Place for me
ruleset = Rule set
components = Box
tokyo-highway_value_standard = the usual rules
tokyo-highway_value_fr = the French rulebook
tokyo-highway_value_kr = the Korean rulebook
tokyo-highway_value_en2 = the English box for two
tokyo-highway_value_rainbow = Rainbow City
tokyo-highway_value_estimate-2018 = the box of 2018
tokyo-highway_value_estimate-rubber = coated with rubber, as in Rainbow City
thruway_value_undo = not straight back
thruway_value_same = not into the same dispute
thruway_value_any = not into a dispute there
thruway_value_none = always allowed
thruway_value_None = the game goes on
thruway_value_draw3 = a draw

you = you
free_seat = waiting for somebody
seat_free = free
other_holds = { $name } leads the piece to its place ...
held_elsewhere = You have the piece in your hand on another page; whichever page places it first counts.
other_tried = It fell. { $name } may try again or let it be.
away = away
undo = Take back
resign = Resign
resign_sure = Do you really want to give up?
resign_later = You leave the game as soon as it is your turn.
hint = Hint
hint_later = It is not your turn.
hinted = Hint: { $move }
replay = Replay
download = Download
log = What happened
log_empty = Nothing yet. Every move is told here.
how_to = How to play here
how_board =
    Point at the board: it shows what a move there would do. Click to make the move; after a touch, confirm it by the button. If a move has several cells, pick one after another. Moves that are no place on the board have buttons.
    By keys: arrows go from cell to cell, Enter picks a cell. Or type a move.
how_scene = Every move that can be listed has a button. Or type a move. Drag to turn the view, turn the wheel to zoom.
invite = Waiting for { $name } ... Send this link; it is the key to the seat:
watch_link = Whoever gets this page's address may watch.
your_turn = Your turn.
your_turn_build = Your turn: choose a piece, then its place.
your_turn_goal = Your turn: cross { $rivals ->
    [1] { $colour } roads
   *[other] roads of others
 }, each earns a car. First without cars wins.
your_turn_buildings = Your turn: set a building where roads would like to go. Choose it, then its place.
thruway_your_turn_1 = Your turn: join west and east with concrete. Point between two cells to pave them.
thruway_your_turn_2 = Your turn: join north and south with asphalt. Point between two cells to pave them.
meridians_your_turn_1 = Your turn: cut off the dark stones until none is left. Place a stone where it sees one of your own.
meridians_your_turn_2 = Your turn: cut off the light stones until none is left. Place a stone where it sees one of your own.
turn_of = { $name } is to move.
thinks = { $name } is thinking ...
player_gone = { $spec } is gone: the strongest player plays on
busy = The pieces come to rest ...
builds = { $name } builds ...
wins = { $name } wins: { $reason }.
one_wins = { $name } wins
you_win = You win
nobody_wins = A draw
watch_it = Watch it
best_fall = { $n ->
    [one] Best moment: { $name } knocks down a piece at ply { $ply }
   *[other] Best moment: { $name } knocks down { $n } pieces at ply { $ply }
}
best_cars = { $n ->
    [one] Best moment: { $name } earns a car at ply { $ply }
   *[other] Best moment: { $name } earns { $n } cars at ply { $ply }
}
drawn = Nobody wins: { $reason }.
wishes_undo = { $name } would like to take back { $tried ->
    [true] the try that fell
   *[false] the last ply
 }.
reason_all-cars-placed = all cars are placed
reason_last-standing = the others have run out of material
reason_resigned = by resignation
reason_connected = the two sides are joined
reason_annihilated = the other side has no stone left
reason_drawn = a repetition, or two passes
reason_ply-cap = the game was stopped
time_over = runs out of time
type_move = Type a move
play_typed = Play what was typed
confirm = Play { $move }
picked = { $cell } is picked. Now the other cell.
ask_trade = You may exchange colours before your first turn:
ask_keep = Choose your colour:
move_trade = Trade colours
move_keep = Stay dark
move_swap = Take light
move_pass = Pass (no other move)
move_resign = resigns

empty = empty
thruway_1 = concrete
thruway_2 = asphalt
meridians_1 = light
meridians_2 = dark
sign_solid = indestructible
sign_dispute = in a dispute
sign_dead = without a path
sign_gone = just removed
pave = pave { $a } and { $b }
replace = pave { $a } and { $b }, replacing a tile
swap_pair = swap { $a } and { $b }
put = { $colour } on { $cell }

tokyo-highway_how =
    Choose a piece, then a place: a see-through pillar and its road follow you, green where the rules allow them, red where not; a tap on the sentence on top says why. + and − beside the number change the height. Pick it up, lead it over its ring, hold to lower it, and let go. Tap one of your pillars to build from it. Exact, in the menu, has the same for those who type.
    Cars are earned by roads of others that you pass over or under first. A pillar is one disc higher or lower than the one before; a yellow disc makes a junction of any height, from which two roads may leave. Whoever first puts down all of their cars wins. For each piece of others that you knock over you pay a disc, and you put it back.
slots = Free sides
takes = Would take { $sides }
closes = Would close sides of your own: { $sides }
opens = Would leave open { $sides }
side_over = { $road } from above
side_under = { $road } from below
look_all = Whole table
look_above = From above
build = Pillar and road
exit = Exit
junction = Junction
nearest = nearest
base = From
auto = auto
height = Discs
building = Building
building_tower = Tower
building_slab = Slab
building_cylinder = Cylinder
building_block = Block
buildings_left = Buildings left
turn = Turn (degrees)
place_far = At most { $mm } mm from the middle
place = Place
adjust = Adjust
no_room_left = No room: pass
pass_turn = Pass the turn
risk_for = Risk for a hand
risk = Ask
statics = Statics: { $said }
point_table = Choose a place on the table.
stock_cars = cars
stock_grey = grey
stock_yellow = yellow
stock_roads = roads
out = out
in_place = place { $n }

# With friends
link = Link
copy = Copy the link
copy_watch = Copy the link for watchers
copied = Copied
qr = QR code of the link, for a phone's camera
only_here = This link works on this computer only. To play over the network, start the table with: shutoko serve --host 0.0.0.0
your_name = Your name
keep = Keep
chat = Chat
chat_kept = Everybody at this table reads along. Messages are not kept with the game.
say_something = Say something
send = Send
mute = Mute
a_watcher = A watcher
watcher = { $name } (watching)
emote_hello = Hello!
emote_bravo = Well played!
emote_wow = Wow!
emote_oops = Oops!
emote_wait = One moment, please.
emote_thanks = Thank you!
yes = Yes
no = No
back_asked = { wishes_undo } All right?
back_declined = It stays: not everybody would like to take it back.
time_up = { $name } has run out of time. You may claim the game, or just play on.
own_time_up = Your time is up. Until you have moved, the others may claim the game.
claim = Claim the game
bell = Tell me when it is my turn
clock_none = no clock
clock_of = { $minutes } min + { $seconds } s a turn
clock_own = other times
minutes = Minutes each
all_own_games = All your games ({ $n })
no_own_games = You have no games yet. Every game that you begin or join is listed here.
your_turn_now = your turn
won = won
lost = lost
draw = drawn

to_start = To the beginning
back = One ply back
play = Play or stop
forward = One ply on
to_end = To the end
timeline = Timeline
speed = Speed
beginning = The beginning
note = note
wrong = the referee disagrees
taken_back = taken back
branch = Play on from here
variations = Variations ({ $n })
main_line = The game itself
variation = { $n ->
    [0] from ply { $ply }: { $names }
    [one] from ply { $ply }: { $names }, { $n } ply
   *[other] from ply { $ply }: { $names }, { $n } plies
 }
branch_over = The game is over here. Go back to an earlier ply and play on from there.
branch_at = Play on from ply { $ply }. It is kept as a variation of this game.
verify = Verify
verified = The referee agrees with everything recorded: { $plies } plies judged again.
not_verified = { $count ->
    [one] The referee disagrees with { $count } thing; the ply is marked.
   *[other] The referee disagrees with { $count } things; the plies are marked.
 }
share_it = Share
share_jsonl = The record itself
share_png = A picture of the end
share_svg = A drawing of the end
share_gif = The whole game as an animation
share_html = A page that plays the game without a network
share_glb = An animated three-dimensional model

best_moves = Best moves
was_played = played
sure_win = wins
sure_loss = loses
sure_draw = draws
worth_cars = { $n ->
    [one] { $n } car
   *[other] { $n } cars
 }
told_build = { $base } to ({ $x }, { $y }), { $discs } high
told_junction = { $base } to ({ $x }, { $y }), junction, { $discs } high
told_exit = { $base } down to ({ $x }, { $y })
told_entrance = entrance at ({ $x }, { $y })
told_building = { $building } at ({ $x }, { $y })
analysis = Analysis
think_time = Time to think
analysis_over = The game is over.
put_pair = light on { $a }, dark on { $b }
why_simulations = { $n } simulations
why_depth = { $n } plies ahead
why_end = in { $n } plies
why_even = as even an opening as it finds
why_colour = the better colour
why_entrance = the usual entrance
why_entrance_other = another entrance than the usual one
why_building = off the middle of the table
why_pass = nothing else was found
why_waits = waits for others to build
why_declines = declines its cars
why_wins = places the last car
why_earns = earns { $n }
why_sets_up = sets up { $n }
why_blocks = blocks { $colour }
why_spare = safe, { $cm } cm to spare
why_lets = lets others earn { $n }
why_spends = costs { $grey } grey{ $yellow ->
    [0] { "" }
   *[other] , { $yellow } yellow
 }
as_here = Show how it comes out here
as_recorded = Show only what the record says
verifying = Ply { $done } of { $plies } judged again ...
watch_rest = Watch the rest
loses = { $count ->
    [one] { $colour } loses a piece: { $cells }
   *[other] { $colour } loses { $count } pieces: { $cells }
 }
no_move_free = No move uses { $cell } now.
no_move_taken = No move uses { $cell } now.
meridians_no_move_free = { $cell } is not in sight of your stones. Choose a point from which, in one of the six directions, the first stone met is yours.
meridians_no_move_taken = A stone lies on { $cell }. Choose an empty point.
meridians_picked = { $cell } is picked. Now the point of the other stone.
computer_1 = Ren
computer_2 = Aoi
computer_3 = Midori
computer_4 = Sumire
colour_1 = Red
colour_2 = Blue
colour_3 = Green
colour_4 = Violet
you_name = You
in_short = { $who }: { $what }
why = Why?
what_cars = +{ $n ->
    [one] { $n } car
   *[other] { $n } cars
 }
what_no_car = no car
aim_no_car = It earns no car.
aim_remark = { $said } Whether it is allowed is too close to tell: measuring may be off by { NUM($within) } mm.
what_over = over { $owner }
what_under = under { $owner }
what_exit = exit
what_entrance = entrance
what_building = a building
what_adjust = last build adjusted
what_pass = turn passed
what_resign = gives up
what_undone = it does not stand, the turn is lost
what_fell = { $n ->
    [one] { $n } piece falls
   *[other] { $n } pieces fall
 }
what_close = a close call: in { $differs } of { $starts } equal tries { $count ->
    [0] it ends otherwise
    [1] the { $what ->
        [C] car
        [R] road
       *[P] disc
     } { $fell ->
        [true] stays
        [false] falls
       *[other] ends otherwise
     }
   *[other] { $count } pieces end otherwise
 }
what_pays = pays { $to } { LIST($gifts) }
what_wins = wins
what_illegal = against the rules: { $why }
clip-fell = { $n ->
    [one] { $n } piece fell
   *[other] { $n } pieces fell
 }{ $paid ->
    [0] {""}
   *[other] : { $who } pays { $paid }
 }
what_let_stand = { $why }: illegal, let stand
what_claimed = { $n ->
    [one] { $n } car claimed
   *[other] { $n } cars claimed
 }, { $counted } counted
what_allowed = Allowed here.
colour_nobody = other
advice = Not here: a little to the side, or another height.
advice_reach = Nearer to the pillar that the road comes from: it does not reach.
advice_reach_itself = Not on the pillar itself: a little away from it.
advice_reach_down = From there no road comes down to the table: take a lower pillar.
advice_sticks-out = A little further from the pillar that the road comes from: the road sticks out.
advice_too-steep = Too steep: further away, or another height.
advice_height = Another height: one disc higher or lower than the pillar before, or a junction.
advice_junction-height = Higher: a junction has at least one grey disc under the yellow one.
advice_stock-roads = No road is left for this.
advice_stock-grey = Too few grey discs are left: build lower.
advice_stock-yellow = No yellow disc is left: build without a junction.
advice_stock-cars = No car is left for this.
advice_touches-road = The { $colour } road is in the way: higher, lower, or a little aside.
advice_under-own-road = It would lie on your own road: from this pillar it cannot pass below.
advice_touches-car = The { $colour } car is in the way: higher, or a little aside.
advice_touches-pillar = The { $colour } pillar is in the way: turn the road a little away from it.
advice_touches-building = The building is in the way: higher, or around it.
advice_over-building = No road passes over a building here: go around it.
advice_over-pillar = The road would lie over the { $colour } pillar: a little aside.
advice_pillar-on-pillar = A little further from the { $colour } pillar.
advice_pillar-on-building = A little further from the building.
advice_building-overlap = A little further from what stands there.
advice_pillar-under-road = No pillar stands under a road: a little aside from the { $colour } road.
advice_pillar-touches-road = The pillar hits the { $colour } road: a little aside, or lower.
advice_pillar-touches-car = The pillar hits the { $colour } car: a little aside, or lower.
advice_own-crossing = Your own roads may not cross here.
advice_car-off-road = The car has no room on the road: a little longer, or elsewhere.
advice_car-on-car = The cars have no room on the road: elsewhere.
advice_car-touches = The car has no room: a little aside.
advice_exit-height = An exit starts from a lower pillar: build down first.
advice_entrance-far = Nearer to the middle of the table.
advice_base-used = Not from that pillar: choose another one of yours.
advice_base-foreign = Not from that pillar: choose one of yours.
advice_base-unknown = Choose one of your pillars to build from.
advice_has-room = You may not pass: there is room to build.
advice_can-build = You may not pass: there is a pillar to build from.
rematch = Play again
rematch_join = To the next game
analyse = Analyse
graph_cars = Cars placed, ply by ply
graph_pieces = Pieces on the board, ply by ply
tally_turns = turns
tally_cars = cars earned
tally_best = best turn
tally_fallen = knocked over
tally_paid = paid
own_games = Your games
play_friend = Play a friend
play_here = Two on this screen
play_now = Play the computer
learn = Learn it
show_me = Show me
lesson_skip = Skip the guide
lesson_n = First game: { $n } / { $of }
lesson_end = That is all you need. The game goes on: have fun.
lesson_tokyo-highway_1 = Cars win the game: cross a road of the other player, and you may put a car on yours. First without cars wins. Tap the glowing spot: your entrance stands there.
lesson_tokyo-highway_2 = Now pick it up: press the red button, or tap the spot once more.
lesson_tokyo-highway_3 = Lead the piece over its ring. Hold to lower it, then let go. The road comes next.
lesson_tokyo-highway_4 = A pillar has one disc more or less than the one before. Tap a place; where there is a choice, + and − stand beside its number.
lesson_tokyo-highway_5 = Cross a road of the other player, over or under: the crossing that earns a car lights up. Show me lights some of them.
lesson_tokyo-highway_6 = Now knock something over, on purpose: build close to a road or a pillar, and let go early. Everything is put back, and you see who pays.
lesson_tokyo-highway_7 = Two pieces more. A yellow top may have any height, and two roads may leave it. An exit ends a road on the table. Choose one of them.
lesson_meridians_1 = Your first stone may stand anywhere. Place each later one on a point from which, in one of the six directions, the first stone met is your own. Choose a point: lines show what the stone would see.
lesson_meridians_2 = Stones that touch are a group. A group lives as long as it sees another group of its colour along a straight, empty line. Build a second group within sight.
lesson_meridians_3 = A cross marks a group that sees no other: it dies at the start of the opponent's turn. Cut the lines between groups of the other colour with your stones, and keep yours open.
lesson_thruway_1 = Choose the border of two cells: both are paved in your colour. Your tiles are to join two opposite sides of the board.
lesson_thruway_2 = One of the two cells may hold a tile of the other player: yours replaces it. But only a tile whose neighbours are all paved is safe for good: it gets rivets.
lesson_thruway_3 = A dispute (dashed) is a square of four tiles, two of each colour, crosswise. There you may swap two tiles instead of paving. A path of tiles with rivets wins.

# ---------------------------------------------------------------------------------------------------------------------
# A table from a photo: what looks wrong, and what would settle a doubt
# ---------------------------------------------------------------------------------------------------------------------

photo-suspect-discs = its marks fit { $fits ->
    [one] { $fits } disc
   *[other] { $fits } discs
 }, not { $marked }; count the discs again
photo-suspect-swapped = its ends seem to be swapped: the mark for { $base ->
    [none] the table
   *[other] { $base }
 } is at the other end; exchange the two marks
photo-suspect-tap = its end { photo-foot } is marked { $off } pixels from where the other marks expect it; tap it again, or look whether the road really lies so
photo-suspect-picture = look at its end { photo-foot } again: the picture shows no road end where it is marked; it shows { $seen ->
    [end] one { $off } pixels away
   *[side] the road { $off } pixels beside it
 }
photo-foot = { $foot ->
    [none] on the table
   *[other] on { $foot }
 }
photo-suspect-rule-built = { count-discs } after { $before }, with { $road } between: a grey pillar is one disc higher or lower than the one before (rules 3c); count both again
photo-suspect-rule-ramp = { count-discs }, with the ramp { $road }: a ramp leads to a pillar of one disc (rules 2b and 6a); count again
photo-suspect-image = the picture shows { $seen } of the { $roads } roads where they are marked; the marks may belong to another picture: give the one that was marked
photo-suspect-car = it stands on no road of its player; mark it again, or change its owner
photo-suspect-inside = it lies { ROUND($mm) } mm inside { $other }, where no two pieces can be; look at the marks and disc counts of both again
photo-settle-meeting = { $road }: look whether it crosses { $other } at all, or tap the ends of both again
photo-settle-side = { $road }: look whether it runs over or under { $other }, or count the discs under both again
photo-settle-taken = { $road }: look which roads cross { $other }

# ---------------------------------------------------------------------------------------------------------------------
# The pages of a photo
# ---------------------------------------------------------------------------------------------------------------------

photo = A photo
photo_title = Settle an argument from a photo
photo_about = One photo of a real table of Tokyo Highway and two taps a road: what every road crosses, the cars it earned, and how sure that is. Then play on from there.
photo_since = The next photo of the same table. It may be taken from the same place or another one. Then tap the roads that are new.
photo_pick = Take or choose a photo
photo_private = The photo stays on this server, in memory only, and only your browser sees it. Everything in the file besides the picture is dropped. It is deleted when you play on or delete it, and an hour after you last looked at it.
photo_too_large = This photo is refused: one of at most { $mib } MiB can be read.
photo_help_take = Look down at the table at 45 to 70 degrees. Get all of it into the picture, as large as possible. Do not zoom or crop afterwards.
photo_help_tap = Tap both ends of every road: the outermost point of its top face, in the middle. Begin with the road that was built first.
photo_help_count = Count the discs under each end, a yellow one on top included. Nothing has to be measured.
no_photo = This photo is not held here. It was deleted, or it was sent from another browser.
photo_view = The photo. A tap marks the end of a road. With the arrow keys the mark of the road that is looked at moves by a pixel, with Shift by ten; plus and minus zoom.
photo_nearer = Zoom in
photo_further = Zoom out
photo_whole = The whole photo
photo_undo = Undo
photo_mode_mark = Tap ends
photo_mode_move = Move marks
photo_mode_order = Order
photo_mode_sheet = Sheet
photo_sheet_a4 = A4, 297 x 210 mm
photo_sheet_letter = Letter, 279 x 216 mm
photo_sheet_card = Bank card, 86 x 54 mm
photo_colour = Whose roads are marked
photo_players = { $n } players
photo_next_ramp = { $colour }: tap the entrance ramp, first its end on the table, then its end on the pillar.
photo_next_first = { $colour }: tap one end of the next road, in the order of building.
photo_next_second = Now tap the other end of this road.
photo_next_move = Drag a mark to where it belongs, or tap a road to look at it.
photo_next_found = Drag a mark to where it belongs, tap a road to look at it, or tap the middle of a road that is missing.
photo_next_since = The old roads have the marks of the photo before. If they lie right, tap one end of the next new road of { $colour }. If the camera has moved, choose Move marks and drag both ends of five old roads to where they are now.
photo_next_order = Tap the roads in the order in which they were built: which one was number { $n }?
photo_next_sheet = { $n ->
    [4] The sheet is marked. Tap a corner again to begin anew.
   *[other] Tap the corners of the sheet one after the other, round it, along a long side first: { $n } of 4.
 }
photo_more_roads = { $n ->
    [0] The wire model appears from the fourth road on.
    [one] { $n } road is marked. The wire model appears from the fourth on.
   *[other] { $n } roads are marked. The wire model appears from the fourth on.
 }
photo_found = The camera is found, taps are good to { $pixels } pixels. Where the green wires do not lie on the pieces, a count or a tap is wrong; what stands out is red.
photo_settle = Settle it
photo_marks_file = Marks
photo_delete = Delete the photo
photo_road = Road { $road }, built as number { $n }
photo_remove = Remove this road
photo_count = { $n ->
    [0] On the table
    [one] One disc
   *[other] { $n } discs
 }
photo_on_table = on the table
photo_discs = { $n ->
    [one] disc under it ({ $pillar })
   *[other] discs under it ({ $pillar })
 }
photo_yellow = yellow
photo_chain = A colour goes to the whole chain: { $n } roads
photo_part = This end is on a pillar of its own
photo_join = This end is on the pillar beside it
photo_look_again = { $n ->
    [one] Look at { $n } thing again.
   *[other] Look at { $n } things again.
 }
photo_all_sure = Everything is sure, nothing looks wrong.
photo_find = Find the roads
photo_looking = Roads are looked for: { $s } s. Ten are usual, more on a busy server.
photo_stop = Stop
photo_stopped = Stopped. The marks are as they were.
photo_ask_road = Is a road where the photo is lit?
photo_ask_discs = How many discs are under the lit end { $end }?
photo_ask_owner = Whose are the lit roads ({ $n })?
photo_yes = Yes
photo_no = No
photo_also = That also changed roads: { $roads }, counts of discs: { $discs }, owners: { $owners }.
photo_side = A photo from another side
photo_sides = { $sides ->
    [0] Only this photo shows the table.
    [one] A photo from another side helped.
   *[other] { $sides } photos from other sides helped.
 }{ $out ->
    [0] {""}
    [one] { " " }One did not: it shows another table, too few of the same roads, or the same side.
   *[other] { " " }{ $out } did not: they show another table, too few of the same roads, or the same side.
 }
photo_proposed = { $n } roads found. { $roads ->
    [one] { $roads } road
   *[other] { $roads } roads
 } and { $pillars ->
    [one] { $pillars } pillar
   *[other] { $pillars } pillars
 } were hard to see and are orange: drag what lies wrong and count their discs again. Then put the roads in the order of building.
photo_to_noted = Back to the noted game
photo_compare = Compare the taps with the picture
photo_compared = { $n } of { $taps } taps were drawn to the ends of roads in the picture; the others stay where they are.
photo_how_sure = Pillars are known to { $mm } mm. Roads in green are sure, in orange doubtful; what is red looks wrong.
photo_unchecked = A slipped tap would not show at { $roads }: nothing else is near their ends. Look whether their crosses lie right.
photo_cars = { $n ->
    [0] { $road }: no car, { $share } sure
    [one] { $road }: { $n } car, { $share } sure
   *[other] { $road }: { $n } cars, { $share } sure
 }
photo_crosses_nothing = It crosses no other road.
photo_to_marks = Back to the marks
photo_who_plays = Who plays on
photo_play_all = all at this screen
photo_play_computer = me against the computer
photo_play_on = Play on
photo_play_not = Nobody can play on from this table: { $why }. If they are one pillar, go back to the marks, give its roads one colour and join their ends.
photo_play_about = The game goes on from this table. The photo is then deleted.
photo_next_photo = Next photo of this table
photo_play_bare = Nothing falls in this game, since { $pieces } would not stand in physics as photographed.

# ---------------------------------------------------------------------------------------------------------------------
# Problems: what an answer is worth, and the pages
# ---------------------------------------------------------------------------------------------------------------------

problem-right-win = { $n ->
    [1] Right: it wins at once.
   *[other] Right: it wins in { $n } moves, whatever the other side does.
 }
problem-right-now = Right: that was the last car. You win.
problem-right-cars = { $n ->
    [one] Right: { $n } car at once.
   *[other] Right: { $n } cars at once.
 }
problem-right-deny = Right: the other player can no longer win with the next turn.
problem-illegal = The rules do not allow that: { $why }
problem-wrong-open = That does not win yet.
problem-wrong-lost = That lets the other side win.
problem-wrong-drawn = That ends the game without a winner.
problem-wrong-escape = { $n ->
    [one] The other side answers { $move }, and no move wins at once then.
   *[other] The other side answers { $move }, and you cannot force a win in { $n } moves then.
 }
problem-wrong-no-exit = That is no exit. Look for a road that leads down to the table.
problem-wrong-cars = { $n ->
    [0] That earns no car; { $most } are possible.
    [one] That earns { $n } car; { $most } are possible.
   *[other] That earns { $n } cars; { $most } are possible.
 }
problem-wrong-left = { $n ->
    [0] That earns no car; you have { $left } to place.
    [one] That earns { $n } car; you have { $left } to place.
   *[other] That earns { $n } cars; you have { $left } to place.
 }
problem-wrong-deny = The other player still wins with the next turn: the road shown does it.

problems = Problems
problems_about = Find the move. In each of these positions one kind of answer is right; the referee, or a search through every move, has proved it.
problems_solved = Solved: { $n } of { $of }
problem_day = Problem of the day
problem_n = { $title }, problem { $n }
problem_solve = Solve it
problem_all = All problems
preview_won = { $name } won.
preview_drawn = The game ended in a draw.
preview_replay = A game to watch, at ply { $n }.
notices = Notices of your turn
notices_about = You are told when it has been your turn in this game for a moment. Nothing is sent unless you ask for it here, and all ends with the game.
notice_push = On this device
notice_push_about = Your browser shows a message, also while this page is closed.
notice_push_ask = Tell this device
notice_push_refused = The browser takes no messages: it may be switched off, or the page needs https.
notice_kept = You will be told.
notice_end = Stop
notice_back = Back to the game
notice_told_subject = It is your turn
notice_told = { $name }, it is your turn. Also at the table: { $others }.
challenge_day = Challenge of the day
challenge_about = One table, one placement by your own hand, three tries. The same for everybody.
challenge_take = Take it up
challenge_rule = A build that stands: { $stands } points, and { $car } for each car that it earns; { $fallen } less for each piece that falls. The best of { $tries } tries counts.
challenge_left = { $n ->
    [one] { $n } try left.
   *[other] { $n } tries left.
 }
challenge_stood = It stands: { $earned ->
    [one] { $earned } car
   *[other] { $earned } cars
 }, { $fallen } fallen. { $points } points.
challenge_fell = It does not stand, { $fallen } fallen. { $points } points.
challenge_best = Your best: { $points } points.
challenge_over = No try is left. Every day brings another table.
challenge_again = Next try
challenge_none = No challenge of “{ $day }”: name a day from 2020 to today, such as 2026-11-29.
challenge_refused = The hand was not as the page says. Take the pieces up again.
problem_next = Next problem
problem_again = Try again
problem_give = Answer
problem_show = Show the answer
problem_shown = The answer: { $move }.
problem_line = The game could go on: { $moves }.
no_problem = There is no such problem.
problem_done = solved
problem_you = You play { $colour }.
problem_level_1 = Easy
problem_level_2 = Medium
problem_level_3 = Hard
problem_missed = { $percent ->
    [0] Weaker computer players find it, too.
   *[other] { $percent } % of weaker computer players miss it.
}
problem_goal_win = { $n ->
    [1] Win with this move.
   *[other] Win in { $n } moves, whatever the other side does. Which move comes first?
 }
problem_goal_last = { $n ->
    [one] You have { $n } car left. Win in this turn.
   *[other] You have { $n } cars left. Win in this turn.
 }
problem_goal_exit = { $n ->
    [one] You have { $n } car left. Win with an exit.
   *[other] You have { $n } cars left. Win with an exit.
 }
problem_goal_cars = Earn { $n } cars in this turn.
problem_goal_deny = The other player could win with the next turn. Prevent it.
problem_goal_save = The other player could win with the next turn. Prevent it with an exit.

# The moments that decided a game; $had and $kept are the chances to win with the better move and with the one that was played.
moment-missed = ply { $ply }: { $who } played { $played } and missed the win; { $better } was almost sure to win ({ $had }, then { $kept })
moment-turned = ply { $ply }: here the game turned. { $who } played { $played }, and the chance to win fell from { $had } to { $kept }; { $better } was better
moment-slipped = ply { $ply }: { $who } played { $played } and let chances slip, from { $had } to { $kept }; { $better } was better
moments = What decided the game
moments_ask = What decided it?
moments_at = Ply { $done } of { $plies } looked at ...
moments_none = No single move decided this game: nobody lost much with one.

# A real game noted at the terminal: `shutoko record`
note-begin = A new game, kept in { $file }. Answer the questions; type help for everything else.
note-go-on = The game in { $file } goes on after { $plies ->
    [one] 1 ply
   *[other] { $plies } plies
 }. Type undo to take the last one back, help for everything else.
note-players = Who plays? Names from the starting player clockwise, with commas
note-players-wrong = two to four different names are needed, as Aiko, Ben
note-ruleset = Which rules? Enter: standard; or { LIST($known) }
note-ruleset-wrong = there are no rules called { $text }
note-tolerance = By how many mm may your ruler be off? Enter: 3
note-tolerance-wrong = that is a number of mm from 0 to 20, not { $text }
note-entrance = Where is { $player }'s entrance? Enter: the usual place { POINT($at) }
note-direction = { $text } is no direction: give one of the clock, as 6 o'clock, or degrees, as 270 degrees
note-toward = In which direction does { $player }'s ramp go down? As 6 o'clock
note-building = Which building does { $player } set, and where? { LIST($sizes, join: "; ") }{ $only ->
    [none] . As block 20 cm at 3 o'clock from A-P0 turned 30
   *[other] . Enter: the { $only }; or its place, as 20 cm at 3 o'clock from A-P0 turned 30
 }
note-building-box = { $kind }, { NUM($a) } x { NUM($b) } mm, { NUM($high) } mm high
note-building-round = { $kind }, round, { NUM($across) } mm across, { NUM($high) } mm high
note-building-kind = { $text } is none of those left: { LIST($left) }
note-building-at = Where does the { $building } stand? As 15 cm at 2 o'clock from A-P0, or x,y in mm from the middle of the table; turned 30 after it turns it by so many degrees
note-move = Ply { $ply }: what did { $player } do? build, junction, exit, pass, no room, resign{ $built ->
    [none] {""}
   *[other] ; or adjust, if { $built } was put right first
 }
note-move-unknown = { $text } is no move; type build, junction, exit, pass, no room, adjust or resign, or help
note-from = From which pillar of { $player }? { LIST($known, join: " or ") }
note-from-pillar = { $text } is no pillar; a pillar is named as A-P1
note-discs = How many discs has the new pillar? { $pillar } has { $has }, so { LIST($usual, join: " / ") }
note-discs-enter = How many discs has the new pillar? { $pillar } has { $has }. Enter: { $count }
note-discs-junction = How many discs has the new pillar, the yellow one counted? { $pillar } has { $has }
note-discs-number = { $text } is no number of discs
note-at = Where does it stand from the middle of { $pillar }? As 11 cm at 2 o'clock; or x,y in mm from the middle of the table
note-exit-to = In which direction from { $pillar } does the exit go down? As 4 o'clock; or x,y of its lower end in mm from the middle of the table
note-adjust = Where does { $piece } stand now, from { $pillar }? As 11 cm at 2 o'clock; or x,y in mm from the middle of the table
note-adjust-nothing = there is no build that may still be adjusted
note-refused = Enter: tell it again; accept: the table let it stand; taken back: it was undone
note-refused-what = { $text }? Press Enter, or type accept or taken back
note-refused-line = Enter: leave that out; accept: the table let it stand
note-refused-line-what = { $text }? Press Enter, or type accept
note-cannot-stand = This cannot stand even if everybody agrees; tell it again.
note-cars = How many cars did { $player } put down? Enter: { $count }, as the referee counts
note-more-close = { $n } more crossings are too close to tell; why names them once the ply is kept
note-cars-number = { $text } is no number of cars
note-else-ask = Did anything fall, move or get touched?
note-else = { note-else-ask } Enter: nothing more; as fell B-C1, or B-P3 at 30,-12
note-else-known = { $text }: that is noted already
note-lies-badly = { $why }; read the place again if it is not so.
note-fell-back = Counted as put back where it was: { FIRST($pieces) }. If not, say where it stands now, or gone { $piece }{ $car ->
    [none] {""}
   *[other] , or off { $car } if it went back to the stock
 }.
note-fell-with = Counted as fallen with it: { FIRST($pieces) }. If not, say stayed { $every }.
note-kept = Ply { $ply } is kept in { $file }.
note-kept-back = Ply { $ply } is kept in { $file } as taken back: it changes nothing on the table.
note-noted = The note is kept.
note-undone = Ply { $ply } is taken back.
note-undo-one = undo takes back one ply at a time, not { $text }: type undo alone, and again for one more
note-nothing = nothing is noted yet
note-enter = Enter alone is no answer here
note-command = If you mean { $command }, type it alone.
note-from-the-start = From the start of this ply:
note-over = The game is over. Enter leaves; undo takes the last ply back
note-over-only = The game is over: press Enter, or type undo or draw.
note-end = { $plies ->
    [one] 1 ply is
   *[other] { $plies } plies are
 } in { $file }{ $back ->
    [0] {""}
    [one] , and 1 that was taken back
   *[other] , and { $back } that were taken back
 }; go on with shutoko record { $file }, or see why with shutoko replay { $file }
note-end-over = The game of { $plies } plies is in { $file }{ $back ->
    [0] {""}
    [one] , and 1 that was taken back
   *[other] , and { $back } that were taken back
 }; see why with shutoko replay { $file }
note-drawing = The table of { LIST($players) }
note-drawn = The table is drawn in { $file }.
note-draw-svg = { $file }: the drawing is an SVG; name a file that ends in .svg, or type draw alone
note-place-direction = { $text } names no place: give a distance and a direction, as 11 cm at 2 o'clock from A-P1 (12 is away from the starting player, 3 to that player's right), or x,y in mm from the middle of the table, as 30,-12
note-place-clockless = { $text }: { $number } alone is no direction: add o'clock or degrees after it, as 11 cm at 2 o'clock
note-place-distance = { $text } has no distance: add it with mm or cm, as 11 cm at 2 o'clock
note-place-length = { $text }: a distance is longer than 0
note-place-rest = { $text }: what is { $rest }? A place is a distance and a direction, as 11 cm at 2 o'clock from A-P1, or x,y in mm
note-place-clock = { $text } is no time on a clock: 1 to 12 o'clock, or 2:30
note-place-two = { $text }: two distances need two pillars, as 11 cm from A-P1 and 8 cm from B-P2 at 2 o'clock
note-place-misses = no place is that far from { $first } and from { $second }, which are { ROUND($mm, 0) } mm apart; measure again
note-place-side = two places are that far from { $first } and { $second }; add a rough direction from { $first }, as at 2 o'clock
note-place-from = { $text }: from which pillar? As 11 cm at 2 o'clock from A-P1
note-place-far = { POINT($at) } is more than two metres away: are those millimetres?
note-no-pillar = there is no pillar { $pillar }; there are { FIRST($known, shown: 8, join: ", ") }
note-no-piece = there is no piece { $text } on the table (type pieces to see them all){ $near }
note-happening-what = { $word } what? { $kind ->
    [touched] Name the building, as { $word } X0
    [under] Name the older road, as { $word } A-R3
    [paid] Say to whom and how many discs, grey and then yellow, as { $word } B 2 1
    [note] Say what people said, as { $word } Ben insists
   *[other] Name the pieces, as { $word } B-C1
 }
note-happening-unknown = { $text } is not understood{ $near } (for example fell B-C1 B-P3.2, stayed B-R2, off B-C1, B-P3 at 30,-12, B-C1 on B-R2 at 0.4 turned 180, X0 at 90,40 turned 30, gone B-C1, touched X0, under A-R3, paid B 1, note ...)
note-off = { $piece } is no car of this turn; only a new car that fell goes back to the stock
note-put-road = where both ends of { $piece } lie is needed: { $piece } from 0,-55 to 30,40
note-put-car = say on which road the car stands, from 0 at its start to 1: { $piece } on A-R1 at 0.4
note-put-along = { $piece }: a place along a road runs from 0 to 1, not { $text }
note-touched = { $piece } is no building; buildings are X0, X1 and so on
note-under = only the road of a build or an exit is slid under another
note-paid = { $text }: say to whom and how many discs, grey and then yellow: paid B 2 1
note-photo-shows = The photo shows { $seen } of { $roads } roads; its places are good to { ROUND($mm, 1) } mm.
note-moved = { $piece }: by { ROUND($mm, 0) } mm, from { POINT($at) } to { POINT($until) }
note-unseen = { LIST($roads) }: not on the photo, so the noted place stays
note-extra = { LIST($roads) } in the marks: not in this game; note its turn if it was built
note-miscounted = { $piece }: { $noted ->
    [one] { $noted } disc
   *[other] { $noted } discs
 } in the game, { $marked } in the marks; count again
note-doubt = look at { $piece } in the photo: { $why }
note-finer = From now on places count as good to { NUM($now) } mm, not { NUM($was) }.
note-as-fine = Places still count as good to { NUM($mm) } mm: the photo does not show { FIRST($pieces) }.
note-before = { $piece } stood elsewhere from ply { $since } to ply { $ply }, which no photo shows: that place goes along, and is only as good as it was noted.
note-changed = Ply { $ply }, { $player }: { $now }, and not { $was }
note-changed-put = Ply { $ply }, { $player }: { $now }, and not { $was }; { $put ->
    [one] 1 car was put down
   *[other] { $put } cars were put down
 }
note-unchanged = No verdict changes.
note-verdict-cars = { $cars ->
    [one] 1 car
   *[other] { $cars } cars
 }
note-verdict-close = { $least } to { $most } cars, too close to tell
note-verdict-refused = against the rules ({ $why })
note-verdict-allowed = by the rules
note-take = Take these places? Enter: yes; no: all stays as it was
note-take-what = { $text }? Press Enter, or type no
note-corrected = The places are corrected in { $file }. undo brings the noted ones back; why 9 explains ply 9.
note-as-it-was = All stays as it was.
note-uncorrected = The places are again those that were noted.
note-photo-what = which photo? Name a picture or a file of marks, as photo table.jpg
note-reading = reading the photo
note-why-ply = Ply { $ply }, { $player }{ $was ->
    [telling] , as it is told now
    [back] , taken back
    [accepted] , accepted by the table
   *[kept] {""}
 }:
note-why-what = ply { $text }? There are plies 0 to { $last }; why 3 explains ply 3
note-help = Answers: Enter takes what the question offers. A move may say more at once: build 2 11 cm at 2 o'clock, junction 3 40,-12, exit 4 o'clock from B-P2.
    { "  " }places: 11 cm at 2 o'clock from A-P1 (12 is away from the starting player), 110 mm at 30 degrees, 11 cm from A-P1 and 8 cm from B-P2 at 2 o'clock (the most exact), or x,y in mm from the middle of the table
    { "  " }what else happened: fell B-C1 B-P3.2 (B-P3: all its discs; what lay on it fell, too); stayed B-R2; off B-C1 (a new car that did not go back); B-P3 at 30,-12; B-R2 from 0,-55 to 30,40;
    { "  " }    B-C1 on B-R2 at 0.4 turned 180; X0 at 90,40 turned 30; gone B-C1; touched X0; under A-R3; paid B 1; note what people said
    { "  " }photo table.jpg, or photo MARKS.json, corrects all places by a photo of the table, or adds the plies that marks show beyond it
    { "  " }why 9 explains ply 9; note TEXT keeps a note; adjust moves the last build
    { "  " }draw shows the table, draw FILE.svg draws it; pieces lists all pieces
    { "  " }back tells this ply from its start; undo does so too, and at its first question takes the last ply back; quit leaves, every kept ply is in the file
# The table as a page
menu = Menu
close = Close
exact = Exact: keys and numbers
pieces = What would you like to build?
piece_pillar = Pillar
piece_yellow = Yellow top
piece_yellow_left = Yellow: { $n } left
piece_exit = Exit
pick_up = Pick up
choose_again = Choose again
always_for_me = Always place for me
height_ends = No other height is possible from this pillar.
tremble = How much your hand trembles
hand_yours = Your hand
ring_safe = safe
ring_shaky = shaky
ring_falls = will fall
again_slowly = Watch again
clip = Share clip
cars_left = { $n ->
    [one] { $n } car left
   *[other] { $n } cars left
 }
short_build = A pillar, { $discs } high
short_junction = A yellow top, { $discs } high
what_tries = { $n ->
    [one] 1 try failed before
   *[other] { $n } tries failed before
 }
hint_none = There is no such move now. Build whatever you like, and look again next turn.
lesson_next = Next
try_again = Try again
let_it_be = Let it be
say_tried = It fell. Try again yourself, or let it be.
try_failed = It fell
tries_left = { $n ->
    [one] { $n } try is left
   *[other] { $n } tries are left
 }
say_entrance = Pick up your entrance, or tap a place for it.
# A real game noted on the pages
note_table = The table as it was noted
note_by_photo = Correct all places by a photo
photo_of_noted = Take a photo of the whole table from 45 to 70 degrees, and tap both ends of each road. Then all places of the noted game are corrected, and every turn is judged again.
photo_plan_first = { $colour }, road { $road }: tap its end { $where }.
photo_plan_second = Now its other end, { $where }.
photo_plan = on the pillar of { $n ->
    [one] 1 disc
   *[other] { $n } discs
 }
photo_plan_table = on the table
photo_hidden = It cannot be seen
photo_compare_noted = Compare with the noted game
photo_take_asked = This is what the photo changes. Nothing is kept yet.
photo_take = Take these places
photo_places = By how much { $n ->
    [one] 1 place changes
   *[other] { $n } places change
 }
note_game = Note a game
note_title = Note a game as you play it
note_about = You play at a real table. Set down here where each piece stands, say how many cars went down, and tap what fell. The referee says what it makes of each turn, and you get a record to watch and share.
note_exact = How exact are the places?
note_by_eye = by eye, within { $mm } mm
note_by_ruler = by ruler, within { $mm } mm
note_two_names = Two to four different names are needed.
note_all = Games that were noted
note_kept_where = Every turn is kept at once. Whoever knows the address of this page may go on with it.
no_noted = There is no such noted game.
note_where = { $player }: tap where the new piece stands.
note_where_building = { $player }: which building, and where does it stand? Tap the table.
note_entrance = { $player }: is your entrance here? Or tap where it is.
note_stands_there = It stands there
note_let_stand = We let it stand
note_taken_back = It was taken back
note_cars_down = How many cars did { $player } put down?
note_so_many = That many
note_fewer = One car fewer
note_more = One car more
note_what_else = { note-else-ask } Tap it.
note_nothing = Nothing fell
note_that_was_it = That was all
note_fell = Fell
note_put = Stands elsewhere
note_off = Did not go back on it
note_else = Something else ...
note_turned = Turned around
note_gone = Lost for good
note_touched = Touched by a hand
note_under = The new road was slid under it
note_none = Nothing happened to it
note_tap_place = Tap where it stands now.
note_tap_end = Tap where its nearer end lies now.
note_piece = What happened to which piece?
note_piece_pillar = { $colour }: pillar
note_piece_road = { $colour }: road
note_piece_car = { $colour }: car
note_piece_building = Building
note_first_finish = Finish this turn first, or go back with the arrow.
note_line = In words, as B-P3 at 30,-12
note_line_where = Where, in words: 15 cm at 2 o'clock from A-P0
note_said = Note: { $said }
