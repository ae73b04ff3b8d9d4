# 한국어. The words are those of the Korean rulebook: 기둥, 도로, 자동차, 빌딩, 갈림길, 출구, 교차, 무너뜨리다, 패널티.
# Write both forms of a particle, 이/가, 을/를, 은/는, 과/와, 으로/로, behind a Hangul syllable: the sound before it decides.
language-name = 한국어

# ---------------------------------------------------------------------------------------------------------------------
# 적는 방법
# ---------------------------------------------------------------------------------------------------------------------

sentences-begin = small
decimal = .
point = ({ $x }, { $y })
piece = { $kind ->
    [disc] { $id } 기둥 조각
    [pillar] { $id } 기둥
    [road] { $id } 도로
    [car] { $id } 자동차
   *[building] { $id } 빌딩
 }
list-two = { $most }, { $last }
list-more = { $first } 외 { $more }개
list-none = 없음
in-short = { $first }. 그 밖에 { $more }개
count-discs = { $discs }칸
count-earned = 자동차 { $earned }대

# ---------------------------------------------------------------------------------------------------------------------
# 놓을 수 없는 이유
# ---------------------------------------------------------------------------------------------------------------------

fault-game-over = 게임이 끝났습니다
fault-phase = 지금 할 수 있는 행동이 아닙니다({ $move }). 지금은 { $player }: { $phase ->
    [entrances] 입구를 놓을 차례
    [buildings] 빌딩을 놓을 차례
   *[play] 건설하거나 출구를 만들거나 차례를 넘길 차례
 }
fault-entrance-far = { POINT($at) }의 입구 기둥이 테이블 가운데에서 { ROUND($mm, 2) } mm 떨어져 있습니다: 최대 { NUM($limit) } mm (entrance_reach)
fault-building-kind = ‘{ $building }’ 빌딩은 없습니다. 있는 것: { LIST($known, join: ", ") }
fault-building-taken = { $building }: 이미 { PIECE($piece) }으로/로 서 있습니다. 남은 것: { LIST($left, join: ", ") }
fault-building-overlap = { POINT($at) }의 빌딩({ $building })이 { PIECE($piece) }과/와 위에서 보아 { ROUND($mm, 2) } mm 겹칩니다
fault-building-overlap-clear = { POINT($at) }의 빌딩({ $building })이 위에서 보아 { PIECE($piece) }에 닿습니다: 간격 { ROUND($clear, 2) } mm
fault-can-build = { FIRST($bases, shown: 3, join: ", ") }에서 건설할 수 있는 동안에는 차례를 넘길 수 없습니다. 자리가 없다면 "no room"으로 넘기세요
fault-has-room-build = { $player }: 건설할 자리가 있습니다. { PIECE($piece) }에서 { POINT($at) }에 { count-discs }{ $junction ->
    [true] , 맨 위는 노란색 기둥
   *[false] {""}
 }
fault-has-room-exit = { $player }: 건설할 자리가 있습니다. { PIECE($piece) }에서 { POINT($at) }까지 출구
fault-frozen-nothing = 바로잡을 것이 없습니다: { $player }의 도로가 아직 없습니다
fault-frozen-pillar = 바로잡을 것이 없습니다: 다른 사람이 기둥을 세운 뒤로 { PIECE($built) }은/는 움직일 수 없습니다 (freeze = next_pillar)
fault-frozen-turn = 바로잡을 것이 없습니다: { $following ->
    [none] 다음
   *[other] { $following }의
 } 차례가 시작되어 { PIECE($built) }은/는 움직일 수 없습니다 (freeze = next_turn)
fault-adjust-end-exit = { PIECE($piece) }은/는 출구라 새 기둥이 없습니다: 아래쪽 끝은 to로 적습니다
fault-adjust-end-build = { PIECE($piece) }은/는 출구가 아닙니다: 새 기둥은 pillar로 적습니다
fault-base-unknown = { $base } 기둥은 없습니다. { $player }의 이어 갈 수 있는 기둥: { FIRST($bases, shown: 3, join: ", ") }
fault-under-unknown = 새 도로를 { $under } 밑에 넣을 수 없습니다: 기둥 { $base }에는 { $under }의 끝이 없습니다. 거기 놓인 도로: { LIST($roads) }
fault-under-unknown-none = 새 도로를 { $under } 밑에 넣을 수 없습니다: { $base } 기둥에 먼저 놓인 도로가 없습니다
fault-base-foreign = { PIECE($piece) }은/는 { $whose }의 것입니다. 다른 사람의 도로나 기둥에 연결할 수 없습니다 ({ $player })
fault-base-used-new-junction = { PIECE($piece) }에서는 도로를 이어 갈 수 없습니다: 이미 { LIST(PIECES($leaving)) }이/가 나가고, 새 갈림길의 두 번째 도로는 다음 차례부터입니다. { $player }의 이어 갈 수 있는 기둥: { FIRST($bases, shown: 3, join: ", ") }
fault-base-used-left = { PIECE($piece) }에서는 도로를 이어 갈 수 없습니다: 이미 도로 { $count }개({ LIST($leaving) })가 나갑니다. { $player }의 이어 갈 수 있는 기둥: { FIRST($bases, shown: 3, join: ", ") }
fault-base-used-not-last = { PIECE($piece) }에서는 도로를 이어 갈 수 없습니다: 마지막에 세운 기둥이 아닙니다 (base_point = last_built). { $player }의 이어 갈 수 있는 기둥: { FIRST($bases, shown: 3, join: ", ") }
fault-exit-height = { PIECE($piece) }({ count-discs })에서는 출구를 만들 수 없습니다: 높이 { $height }이어야 합니다 (exit_height)
fault-reach-down = { PIECE($piece) }에서 테이블까지 도로가 닿지 않습니다
fault-reach-itself = { $end ->
    [pillar] 새 기둥
   *[road] 아래쪽 끝
 }을/를 { PIECE($piece) } 자리에 놓았습니다: 너무 가깝습니다
fault-reach-short = { PIECE($piece) }이/가 { PIECE($other) } 가장자리에 { ROUND($short, 1) } mm 못 미칩니다 (두 끝 사이 { ROUND($distance, 1) } mm)
fault-reach-bears = { PIECE($piece) }이/가 { PIECE($other) }에 { ROUND($bears, 2) } mm만 걸칩니다: 적어도 { NUM($least) } mm (두 끝 사이 { ROUND($distance, 1) } mm)
fault-reach-aside = { PIECE($piece) }의 끝이 { PIECE($other) } 중심에서 옆으로 { ROUND($aside, 2) } mm 벗어납니다: { NUM($most) } mm까지
fault-sticks-out = { PIECE($piece) }의 막대 끝이 { PIECE($other) } 밖으로 { ROUND($mm, 2) } mm 나옵니다 (두 끝 사이 { ROUND($distance, 1) } mm)
fault-too-steep = { PIECE($piece) }이/가 { LIST(PIECES($on)) }에 놓이기에는 너무 가파릅니다: { ROUND($distance, 1) } mm 사이에 { $rise }칸 차이
fault-height = { PIECE($piece) }은/는 { $base }칸이므로 회색 기둥은 { $base ->
    [1] { $higher }칸이어야
   *[other] { $lower }칸이나 { $higher }칸이어야
 } 합니다: { $discs }칸은 안 됩니다
fault-junction-height = 노란색 기둥은 단독으로 쓸 수 없습니다: 아래에 회색 기둥이 있어야 합니다
fault-stock-roads = { $player }: 도로 막대가 { $needs }개 필요하지만 { $has }개 있습니다
fault-stock-grey = { $player }: 회색 기둥이 { $needs }개 필요하지만 { $has }개 있습니다
fault-stock-yellow = { $player }: 노란색 기둥이 { $needs }개 필요하지만 { $has }개 있습니다
fault-stock-cars = { $player }: 자동차가 { $needs }대 필요하지만 { $has }대 있습니다
fault-stock-cars-left = { $player }: 자동차 { $wanted }대를 놓지만 { $has }대 있습니다
fault-cars-earned = 자동차 { $wanted }대를 놓지만 얻은 것은 { $earned }대입니다
fault-stock-cars-put = { fault-stock-cars-left }
fault-cars-earned-put = { fault-cars-earned }
fault-cars-earned-open = 자동차 { $wanted }대를 놓지만 측정 오차를 감안해도 많아야 { $earned }대를 얻습니다
fault-cars-earned-taken = { fault-cars-earned }: { LIST($taken, join: "; ") }
fault-payment-total = { $seat }: { $to }에게 { $pays }개를 주었지만 줄 것은 { $due }개입니다
fault-payment-stock = { $seat }: { $to }에게 { $kind ->
    [grey] 회색 기둥
    [yellow] 노란색 기둥
   *[roads] 도로 막대
 } { $pays }개를 주었지만 { $has }개 있습니다
fault-payment-roads = { $seat }: { $to }에게 도로 막대를 주었지만 기둥이 먼저입니다 (penalty_currency)
fault-payment-to = { $seat }: { $to }에게 주었지만 이 게임의 다른 플레이어가 아닙니다
fault-touches-road-cut = { PIECE($piece) }이/가 { PIECE($other) }과/와 교차점 { POINT($at) }에서 { ROUND($deep, 2) } mm 겹칩니다, 가장 깊은 곳 { ROUND($into, 2) } mm
fault-touches-road-into = { PIECE($piece) }이/가 { PIECE($other) }과/와 { ROUND($into, 2) } mm 겹칩니다
fault-touches-road-into-aside = { fault-touches-road-into }: 교차점 { POINT($at) }의 간격 { ROUND($gap, 2) } mm
fault-touches-road-clear = { PIECE($piece) }이/가 { PIECE($other) }에 닿습니다: 간격 { ROUND($clear, 2) } mm
fault-touches-road-clear-aside = { fault-touches-road-clear }, 교차점 { POINT($at) }의 간격 { ROUND($gap, 2) } mm
fault-under-own-road-exit = { PIECE($piece) }이/가 { PIECE($other) } 위에 놓입니다: { PIECE($base) }에서 아래쪽 끝이 테이블까지 내려갈 수 없습니다
fault-under-own-road-build = { PIECE($piece) }은/는 같은 { PIECE($base) }의 { PIECE($other) } 위에 놓이므로 그 아래로 지나갈 수 없습니다
fault-touches-car-into = { fault-touches-road-into }
fault-touches-car-clear = { fault-touches-road-clear }
fault-touches-pillar-into = { fault-touches-road-into }
fault-touches-pillar-clear = { PIECE($piece) }이/가 { PIECE($other) } 윗면에 닿습니다: 간격 { ROUND($clear, 2) } mm
fault-touches-building-into = { fault-touches-road-into }
fault-touches-building-clear = { fault-touches-road-clear }
fault-over-building-into = { fault-touches-road-into }
fault-over-building-clear = { fault-touches-road-clear }
fault-over-building-above = { PIECE($piece) }이/가 { PIECE($other) } 위 { ROUND($mm, 2) } mm를 지나갑니다 (over_building = forbid)
fault-over-pillar = { PIECE($piece) }이/가 위에서 보아 { POINT($at) }의 { PIECE($other) }과/와 겹칩니다: 중심에서 { ROUND($distance, 2) } mm, { NUM($needed) } mm 떨어져야 합니다
fault-pillar-on-pillar-overlap = { POINT($at) }의 새 기둥이 위에서 보아 { PIECE($other) }과/와 { ROUND($mm, 2) } mm 겹칩니다
fault-pillar-on-pillar-clear = { POINT($at) }의 새 기둥이 위에서 보아 { PIECE($other) }에 닿습니다: 간격 { ROUND($clear, 2) } mm
fault-pillar-on-building-overlap = { fault-pillar-on-pillar-overlap }
fault-pillar-on-building-clear = { fault-pillar-on-pillar-clear }
fault-pillar-under-road-overlap = { fault-pillar-on-pillar-overlap }. 도로 아래에는 기둥을 놓지 않습니다
fault-pillar-under-road-clear = { fault-pillar-on-pillar-clear }. 도로 아래에는 기둥을 놓지 않습니다
fault-pillar-touches-road-into = { POINT($at) }의 새 기둥이 { PIECE($other) }과/와 { ROUND($into, 2) } mm 겹칩니다
fault-pillar-touches-road-clear = { POINT($at) }의 새 기둥이 { PIECE($other) }에 닿습니다: 간격 { ROUND($clear, 2) } mm
fault-pillar-touches-car-into = { fault-pillar-touches-road-into }
fault-pillar-touches-car-clear = { fault-pillar-touches-road-clear }
fault-own-crossing = 새 도로가 자기 { PIECE($piece) }과/와 교차합니다: { $loop ->
    [planar] 자기 도로로 고리를 만들 수 없습니다 (loop = planar)
   *[other] 이 규칙에서는 금지입니다 (self_cross = false)
 }
fault-car-off-road-end = { NUM($along) }에 놓은 자동차는 { PIECE($piece) }에서 떨어집니다: { NUM($least) }에서 { NUM($most) }까지 놓을 수 있습니다
fault-car-off-road-side = { NUM($along) }에 놓은 자동차가 { PIECE($piece) } 가운데 선에서 { NUM($mm) } mm 벗어나 있습니다: { NUM($widest) } mm까지
fault-car-on-car-overlap = { PIECE($piece) } 위 { NUM($one) }와 { NUM($two) }에 놓은 자동차끼리 { ROUND($mm, 2) } mm 겹칩니다
fault-car-on-car-clear = { PIECE($piece) } 위 { NUM($one) }와 { NUM($two) }에 놓은 자동차끼리 닿습니다: 간격 { ROUND($clear, 2) } mm
fault-car-touches-into = { PIECE($piece) } 위 { NUM($along) }에 놓은 자동차가 { PIECE($other) }과/와 { ROUND($into, 2) } mm 겹칩니다
fault-car-touches-clear = { PIECE($piece) } 위 { NUM($along) }에 놓은 자동차가 { PIECE($other) }에 닿습니다: 간격 { ROUND($clear, 2) } mm

# ---------------------------------------------------------------------------------------------------------------------
# 판 위의 수나 방에서 바란 것이 거절되는 이유
# ---------------------------------------------------------------------------------------------------------------------

refused-game-over = { fault-game-over }
refused-ruleset-players = { $ruleset } 규칙은 { LIST($counts, join: ", ") }명이 하는 규칙입니다. { $players }명은 { LIST($presets, join: ", ") } 중에서 고를 수 있습니다
refused-square-no-cell = ‘{ $text }’ 칸은 없습니다. 칸은 b3처럼 열의 글자와 행의 숫자로 씁니다
refused-square-off-board = { $text } 칸은 판 밖입니다. 열은 a부터 { $last }까지, 행은 1부터 { $size }까지입니다
refused-thruway-no-move = 수는 e5-f5(포장), e5/f5(맞바꾸기), trade, pass, resign처럼 씁니다
refused-thruway-apart = { $one } 칸과 { $other } 칸은 변을 맞대고 있지 않습니다
refused-thruway-no-trade = 이 게임에는 색 바꾸기가 없습니다
refused-thruway-trade-late = 색 바꾸기는 아스팔트의 첫 차례를 시작할 때만 할 수 있습니다
refused-thruway-pass = 패스는 다른 수가 없을 때만 할 수 있습니다
refused-thruway-unpaved = 포장된 칸만 맞바꿀 수 있습니다
refused-thruway-paved = 두 칸 모두 포장되어 있습니다. 맞바꾸려면 { $swap }처럼 씁니다
refused-thruway-ko = 패: 바로 앞 차례가 해결한 분쟁을 되살리는 수입니다
refused-thruway-no-dispute = 이 두 타일은 어떤 분쟁에도 들어 있지 않습니다
refused-thruway-own-tile = 자기 타일 위에는 포장할 수 없습니다
refused-thruway-reserve = 타일 { $reserve }개 중 남은 것이 두 개가 안 됩니다
refused-meridians-no-point = ‘{ $text }’ 점은 크기 { $size } 판에 없습니다. 행은 아래부터 a에서 { $last }까지, 점은 왼쪽부터 1로 셉니다. 수는 점, pass, resign{ $pie ->
    [true] , keep, swap 또는 0수의 두 점
   *[false] {""}
 } 중 하나입니다
refused-meridians-pie-choice = 파이 규칙에 따라 keep 또는 swap을 골라야 합니다
refused-meridians-pie-pair = 파이 규칙은 밝은 돌과 어두운 돌의 두 점으로 시작합니다. 예: d4,e5
refused-meridians-pie-apart = 밝은 돌과 어두운 돌은 서로 다른 점에 놓아야 합니다
refused-meridians-pie-over = 그런 수는 파이 규칙이 있는 게임의 { $ply }수에만 있습니다
refused-meridians-pass = 패스는 다른 수가 없을 때만 할 수 있습니다. { $move } 수가 있습니다
refused-meridians-taken = { $point }에는 이미 돌이 있습니다
refused-meridians-touches = { $colour ->
    [light] 밝은
   *[dark] 어두운
 } 쪽의 둘째 돌은 첫째 돌에 닿을 수 없습니다
refused-meridians-unseen = { $colour ->
    [light] 밝은
   *[dark] 어두운
 } 돌에서는 { $point } 점이 보이지 않습니다. 여섯 방향 어디에서도 처음 만나는 돌이 그 색이 아닙니다

refused-hand = 집은 손과 놓은 손이 맞지 않습니다. 말을 다시 집으세요
refused-invitation = 이 초대로는 이 방의 자리에 앉을 수 없습니다. 관전은 할 수 있습니다
refused-turn = { $name }의 차례입니다
refused-watching = 이 게임을 관전하고 있습니다. 자리가 없습니다
refused-goes-on = 게임이 아직 끝나지 않았습니다
refused-unfriendly = 이 게임에서는 수를 무를 수 없습니다
refused-nothing-back = 무를 것이 없습니다
refused-tried = 이 조각을 놓는 중입니다. 다시 하거나 그만두세요
refused-busy = 수를 두는 중입니다. 잠시 기다리세요
refused-ply = 이 수는 { $meant }수를 위한 것이었지만, 게임은 { $now }수입니다
refused-changed = 그사이에 국면이 바뀌었습니다. 다시 살펴보세요
refused-seat-full = 이미 브라우저 { $most }개가 이 자리를 차지했습니다. 더는 앉을 수 없습니다
refused-put-away = 한동안 아무도 보지 않아 방을 닫아 두었습니다. 페이지를 다시 불러오세요
refused-rooms = 방이 이미 { $most }개 있습니다. { $folder }에서 오래된 것을 지우세요
refused-too-many = { $within } 동안 { $what } { $count }번이면 충분합니다. { $wait } 뒤에 계속하세요
refused-what-rooms = 방 열기
refused-what-uploads = 올리기
refused-what-messages = 메시지
refused-in-time = 시간이 다 된 사람이 없습니다
refused-own-time = 다 된 것은 자신의 시간입니다
refused-unasked = 아무도 무르기를 청하지 않았습니다
refused-span-seconds = { $n }초
refused-span-minutes = { $n }분
refused-span-hours = { $n }시간
refused-job-late = { $what }: { NUM($seconds) }초를 넘겨서 멈췄습니다
refused-job-died = { $what }: 프로세스가 { $times }번 죽어서 포기했습니다
refused-job-dropped = { $what }: 서버가 끝나서 그만두었습니다
refused-job-many = 요청하신 일 { $count }개를 아직 하고 있습니다. 하나가 끝날 때까지 기다려 주세요
refused-what-move = 수
refused-what-choice = 컴퓨터의 수
refused-what-check = 플레이어 확인
refused-what-warm = 규칙
refused-what-hint = 힌트
refused-what-film = 영상
refused-what-share = 파일
refused-what-verify = 검증
refused-what-upload = 올린 기록
refused-what-photo = 사진
refused-what-answer = 답의 판정
refused-what-moments = 승부처 찾기
refused-what-find = 도로 찾기
refused-what-glimpse = 선 모형
refused-what-settle = 판정
refused-what-notices = 알림
refused-notice-url = https://로 시작하는 주소가 아닙니다
refused-notice-private = 사설 네트워크의 주소입니다
refused-notice-push = 브라우저 메시지를 받는 곳이 아닙니다
refused-notice-many = 알림이 너무 많습니다. 먼저 다른 알림을 끝내세요
refused-notice-not-kept = 알림을 보관할 수 없습니다: { $why }
refused-notice-off = 이 서버는 알림을 보내지 않습니다
refused-what-clip = 클립
refused-what-preview = 그림
refused-upload-bytes = { $label }: { $bytes }바이트는 너무 큽니다. 기록은 최대 { $mib } MiB까지 읽습니다
refused-upload-lines = { $label }: { $lines }줄은 너무 많습니다. 기록은 최대 { $most }줄까지 읽습니다
refused-upload-memory = { $label }: 읽는 데 메모리가 { $mib } MiB 넘게 듭니다. 보통 기록은 훨씬 적게 듭니다
refused-records-full = { $label }: 이미 기록 { $most }개가 있습니다. { $folder } 폴더에서 몇 개를 지우세요
refused-diaries-full = 적은 게임이 이미 { $most }개 있습니다. { $folder } 폴더에서 몇 개를 지우세요
refused-not-kept = { $label }: 보관할 수 없습니다: { $why }
refused-seats-not-kept = 방의 자리를 보관할 수 없습니다: { $why }
refused-not-written = 쓸 수 없습니다: { $why }
refused-no-picture = 읽을 수 있는 그림이 아닙니다. JPEG, PNG, WebP, HEIC 또는 AVIF를 주세요
refused-heic = HEIC 사진은 shutoko[photo]가 있어야 읽을 수 있습니다. 휴대전화를 JPEG로 설정하거나(iPhone: 설정, 카메라, 포맷, 높은 호환성) 사진을 JPEG로 공유해 주세요
refused-panorama = 사진이 { $width } x { $height }픽셀로 파노라마 같습니다. 테이블을 사진 한 장에 담거나 이 사진을 테이블에 맞게 잘라 주세요
refused-no-road = 도로를 찾지 못했습니다. 테이블 위 45~70도에서 테이블 전체가 크고 또렷하게 나오도록 찍거나, 도로를 직접 표시해 주세요
refused-small-picture = 도로를 찾지 못했습니다. 그림이 { $width } x { $height }픽셀입니다. 짧은 변은 { $least }픽셀 이상이어야 하고, 도로는 긴 변을 { $best }픽셀로 놓고 찾습니다. 테이블 위 45~70도에서 또렷하게 찍은 사진을 카메라가 찍은 크기 그대로 주세요
refused-few-roads = 도로를 { $n }개만 찾았습니다. 카메라 위치를 알려면 { $fewest }개 이상이 필요합니다. 테이블 전체를 찍거나, 도로와 종이 한 장을 직접 표시해 주세요
refused-few-roads-small = 도로를 { $n }개만 찾았습니다. 카메라 위치를 알려면 { $fewest }개 이상이 필요합니다. 그림이 { $width } x { $height }픽셀인데, 도로는 긴 변을 { $best }픽셀로 놓고 찾습니다. 사진을 카메라가 찍은 크기 그대로 주거나, 도로와 종이 한 장을 직접 표시해 주세요
refused-not-read = 읽을 수 없습니다: { $why }
refused-not-json = JSON이 아닙니다: { $column }번째 글자에서 잘못되었습니다
refused-not-utf8 = 파일이 UTF-16입니다. UTF-8로 저장하세요
refused-header-cut-off = 머리줄이 잘려서 읽을 게임이 없습니다
refused-photo-roads = 사진 한 장에는 도로가 { $most }개까지입니다
refused-photo-one-place = 두 끝이 같은 자리에 표시되었습니다. 도로의 다른 끝을 누르세요
refused-photo-colours = 도로의 색이 { $players }가지보다 많습니다. 먼저 다른 색을 주세요
refused-photo-sizes = 사진의 크기가 서로 다릅니다. 같은 카메라를 같은 방향으로 들고 찍으세요
refused-photo-discs = 기둥의 디스크는 1개에서 { $most }개입니다
refused-photo-both-down = 두 끝이 모두 탁자 위에 놓입니다. 도로는 적어도 기둥 하나에 놓입니다
refused-photo-junction = 갈림길은 노란 디스크 밑에 회색 디스크가 있어서 두 개 이상입니다
refused-photo-older = 이 도로는 앞 사진에 이미 있었습니다. 그대로 둡니다
refused-photo-outside = 사진 밖입니다. 안쪽을 누르세요
refused-photo-flat = 카메라가 탁자를 너무 비스듬히 봅니다(수평 아래 { ROUND($tilt, 0) }도). 더 높은 데서 찍으세요. 45도에서 70도가 좋고 적어도 { ROUND($least, 0) }도여야 합니다
refused-photo-open = 표시만으로는 카메라가 정해지지 않습니다. 기둥이 { ROUND($mm, 0) } mm 어긋날 수 있습니다. { $add }
refused-photo-no-road = 표시된 도로가 없습니다. { $add }
refused-photo-few = 도로 { $roads }개로는 카메라를 찾을 수 없습니다. { $add }
refused-photo-add = { $few ->
    [1] 도로를 더 표시하세요(다섯 개 이상이면 됩니다)
   *[other] 도로를 더 표시하세요
 }
refused-photo-add-sheet = { $few ->
    [1] 도로를 더 표시하거나(다섯 개 이상이면 됩니다)
   *[other] 도로를 더 표시하거나
 } 탁자에 종이 한 장을 놓고 네 모서리를 표시하세요
refused-photo-nothing-fits = 어떤 카메라도 이렇게 볼 수 없습니다. 도로 { $roads }개의 디스크 수와 양 끝을 살펴보세요
refused-photo-moved = 사진의 크기가 달라 카메라가 움직였습니다. 두 번째 사진에 예전 도로 다섯 개를 다시 표시하세요
refused-photo-players = 사진의 사람 수가 { $first }명과 { $second }명으로 다릅니다. 맞추세요
refused-photo-nothing-new = 표시된 도로는 모두 이미 기록에 있습니다. 그 뒤에 지은 것을 표시하세요
refused-photo-stack = { $junction ->
    [true] 노란 디스크를 얹은 { $discs }개
   *[false] 디스크 { $discs }개
 }
refused-photo-height = { $piece }: 기록에는 { $was }, 표시에는 { $now }입니다. 다시 세어 보세요
refused-photo-rests = { $piece }: 기록에서는 { LIST($pillars) } 위에 놓였는데, 표시에서는 다른 기둥입니다
refused-photo-over = { $piece }: 게임이 끝났습니다. 도로를 더 지을 수 없습니다
refused-photo-turn = { $piece }: { $owner }가 아니라 { $mover }의 차례입니다. 도로를 지은 순서대로 놓고, 넘긴 차례는 기록에 적으세요
refused-photo-next-road = { $piece }: { $owner }의 다음 도로는 { $wanted }입니다. 그렇게 부르세요
refused-photo-next-pillar = { $piece }: { $owner }의 다음 기둥은 { $wanted }입니다. 그렇게 부르세요
refused-photo-from = { $piece }: from은 앞서 서 있던 기둥이어야 하고, 새 기둥은 `to`입니다
refused-photo-to = { $piece }: { $pillar }은(는) 앞서 서 있었습니다. 도로는 새 기둥으로 이어집니다(규칙 4f)
refused-mark-outside = { $what }: { $width } x { $height } 픽셀의 사진 밖인 ({ NUM($x) }, { NUM($y) })에 표시되었습니다. 다시 표시하세요
refused-mark-junction = { $piece }: 갈림길은 노란 디스크 밑에 회색 디스크가 있어 discs는 2 이상입니다. 다시 세어 보세요
refused-mark-foreign = { $piece }: { $key }의 { $pillar }은(는) { $owner }의 기둥입니다. 도로는 자기 기둥을 잇습니다
refused-mark-both-down = { $piece }: 두 끝이 모두 탁자 위에 있습니다. 도로는 적어도 기둥 하나에 놓입니다
refused-mark-one-pillar = { $piece }: 두 끝이 모두 { $pillar }에 있습니다. 각 끝 밑의 기둥을 적으세요
refused-mark-one-place = { $piece }: 두 끝이 같은 자리에 표시되었습니다. 다른 끝을 표시하세요
refused-mark-sheet = 종이: 이 순서로는 모서리가 사각형이 되지 않습니다. 둘레를 따라 차례로 표시하세요
refused-mark-top = { $piece }: 여기서 끝나는 도로가 없고 꼭대기도 표시되지 않았습니다. 꼭대기를 표시하거나 빼세요
refused-photo-other-table = 사진의 도로 { $roads }개 가운데 { $seen }개만 이 게임의 테이블과 맞습니다. 주인, 원반, 도로 끝을 보거나 사진을 보세요: 이 테이블입니까?
refused-note-correct-cannot = 이 사진의 자리로는 { $ply }번째 수를 둘 수 없습니다: { $why }. 그 말들의 표시를 보세요
refused-note-correct-old = 사진을 읽은 뒤로 기록이 바뀌었습니다. 다시 읽으세요
refused-note-correct-lost = 누군가가 사진 이전의 자리를 적은 부분을 바꾸어서 바로잡은 것을 되돌릴 수 없습니다
refused-os-enospc = 디스크에 남은 공간이 없습니다
refused-os-edquot = 디스크 할당량을 넘었습니다
refused-os-erofs = 읽기 전용 파일 시스템입니다
refused-os-eacces = 권한이 없습니다
refused-os-eperm = 허용되지 않은 동작입니다
refused-os-enoent = 그런 파일이나 폴더가 없습니다
refused-os-eio = 입출력 오류입니다
refused-os-efbig = 파일이 너무 큽니다
refused-os-emfile = 열린 파일이 너무 많습니다
# 페이지를 만들기 전에 서버가 하는 대답.
guard-name = 이 서버는 그 이름으로 알려져 있지 않습니다
guard-origin = 이 서버는 자기 페이지하고만 이야기합니다
guard-doubled = 요청에 같은 헤더가 두 번 있습니다
guard-sockets = 연결이 너무 많습니다
guard-requests = 요청이 너무 많습니다. 1분 뒤에 페이지를 다시 불러오세요
guard-bytes = 그렇게 많은 바이트는 읽지 않습니다
guard-broken = 요청이 중간에 끊겼습니다
# 실패한 컴퓨터 플레이어와 그 이유.
trouble = { $who }: { $why }

# ---------------------------------------------------------------------------------------------------------------------
# 한 일과 그렇게 판정한 이유
# ---------------------------------------------------------------------------------------------------------------------

reason-fault = { $why }
reason-illegal = 놓을 수 없음: { $why }
reason-accepted = 규칙에 어긋나지만 너무 늦게 알아차려 그대로 둡니다 (KR 4.3): { $why }
reason-remark = 참고: { $why }. 모든 점이 { NUM($within) } mm까지 틀릴 수 있으므로 측정 오차일 수 있습니다
reason-resign = { $seat } 기권. 건설한 것은 그대로 남습니다
reason-pass = { $seat } 차례를 넘김: { $why }
pass-no-room = 건설할 자리가 없습니다
pass-accepted = 건설할 수 있다는 것을 아무도 알아차리지 못했습니다
pass-may-pass = 차례를 넘길 수 있는 규칙입니다 (may_pass)
lack-roads = 남은 도로 막대가 없습니다
lack-bases = 도로를 이어 갈 기둥이 없습니다
lack-discs = 회색 기둥 { $grey }개와 노란색 기둥 { $yellow }개로는 모자랍니다
lack-discs-full = 회색 기둥 { $grey }개와 노란색 기둥 { $yellow }개로는 { LIST($heights, join: ", ") }에서 이어질 기둥을 세울 수 없고 출구도 만들 수 없습니다
lack-height = { PIECE($piece) }({ $discs }칸)
reason-building = { $seat }: { PIECE($piece) }({ $building })을 { POINT($at) }에 설치. 이후로는 움직이지 않습니다
reason-adjusted = { $seat }: { PIECE($piece) }{ $exit ->
    [true] 의 끝을
   *[false] 을/를
 } { POINT($at) }에 바로잡음. 처음부터 그렇게 건설한 것으로 판정합니다
reason-built-exit = { $seat }: { PIECE($base) }에서 테이블 위 { POINT($at) }까지 내려가는 출구 { PIECE($road) } 건설{ at-try }
reason-built-entrance = { $seat }: { POINT($at) }에 { PIECE($pillar) }({ count-discs })을 세우고 입구 { PIECE($road) } 건설{ at-try }
reason-built-build = { $seat }: { POINT($at) }에 { PIECE($pillar) }({ count-discs }{ $junction ->
    [true] , 맨 위는 노란색 기둥
   *[false] {""}
 })을 세우고 { PIECE($base) }에서 { PIECE($road) } 건설{ at-try }
at-try = { $tries ->
    [1] {""}
   *[other] {" "}({ $tries }번 시도)
 }
reason-try = { $try }번째 시도: { $line }
reason-touched = 손이 { PIECE($piece) }에 닿음{ $redo ->
    [true] . 이 건설은 인정되지 않습니다 (KR 3.3)
   *[false] {""}
 }
reason-undone = { $seat }의 건설을 되돌리고 차례가 끝납니다{ at-try }: { $why }
undone-fell = { FIRST(PIECES($pieces)) }: 서 있지 못했습니다
undone-hand = 손이 닿았습니다: { FIRST(PIECES($pieces)) } (KR 3.3)
undone-void = 서 있지 못했다고 사람이 확인했습니다
reason-breach = { $why }. 다시 건설해야 합니다
breach-touches = { PIECE($piece) }이/가 멈춘 자리에서 { PIECE($other) }에 닿습니다
breach-hangs = { PIECE($piece) }의 아래쪽 끝이 테이블에서 { ROUND($mm) } mm 떠 있습니다
breach-not-borne = { PIECE($piece) }이/가 { PIECE($other) } 위에 놓여 있지 않습니다
breach-falls-again = { PIECE($piece) }을/를 제자리에 되돌려도 새 조각 옆에서 다시 떨어집니다
breach-never-rests = { PIECE($piece) }이/가 새 조각 옆에서 멈추지 않습니다
reason-close-call = 너무 가까워 판정할 수 없음: { $why }
close-call-meeting = { PIECE($road) }과/와 교차하는지 { ROUND($mm) } mm 차이
close-call-side = { PIECE($road) } 위인지 아래인지 { ROUND($mm) } mm 차이
close-call-taken = { PIECE($other) }이/가 { PIECE($road) }의 그 쪽을 이미 차지했는지
reason-between = 너무 가까워 판정할 수 없음: 자동차 { $least }대 또는 { $most }대. { $earned }대로 셉니다

# 교차: `$side`는 `over`(위) 또는 `under`(아래).
reason-crossing = { POINT($at) }에서 { $reason ->
    [own] 자기 { PIECE($road) }
   *[other] { PIECE($road) }
 }을/를 { $side ->
    [over] 위로
   *[under] 아래로
 } 교차, 간격 { ROUND($mm) } mm: { $why }
crossing-own = 자기 도로와 교차하면 자동차를 놓을 수 없습니다
crossing-ramp = 얻는 자동차 없음, 테이블에 닿은 경사 도로입니다 (ramps_count = false)
crossing-inactive = 얻는 자동차 없음, 제외되었거나 끝낸 사람의 도로입니다: { $owner } (inactive_roads_count = false)
crossing-voided = 얻는 자동차 없음, 새 도로가 자기 도로와 교차합니다: { LIST(PIECES($own)) } (own_cross_voids)
crossing-voided-many = 얻는 자동차 없음, 새 도로가 자기 도로 { $count }개와 교차합니다 (own_cross_voids)
crossing-taken = 얻는 자동차 없음, 이미 { LIST($takers) }
side-taken-before = { PIECE($road) } { $side ->
    [over] 위에는
   *[under] 아래에는
 } 이미 { LIST(PIECES($takers)) }이/가 있습니다
crossing-taken-many = 얻는 자동차 없음, 이미 { $side ->
    [over] 위
   *[under] 아래
 }에 { PIECE($first) } 외 { $more }개가 있음
crossing-taker = { POINT($at) }에서 { $side ->
    [over] 위
   *[under] 아래
 }에 { PIECE($road) }이/가 있음, 간격 { ROUND($mm) } mm
crossing-free = 자동차를 얻음 ({ within-mm }이 도로 { $side ->
    [over] 위
   *[under] 아래
 }에 { $roads ->
    [other] 다른
    [opponents] 상대의
    [other-active] 아직 놀이 중인 다른 사람의
   *[opponents-active] 아직 놀이 중인 상대의
 } 도로가 { $memory ->
    [history] 나중에 놓인 적 없음
   *[state] 없음
 })
within-mm = { $within ->
    [none] {""}
   *[other] { ROUND($within) } mm 안에서{" "}
 }
reason-ends-under = { PIECE($road) }이/가 { PIECE($other) }의 가운데에서 { ROUND($mm, $digits) } mm { $past ->
    [true] 지난
   *[false] 못 미친
 } 곳에서 끝납니다
reason-no-crossing = 교차한 도로가 없습니다
reason-exit-bonus = 출구 보너스로 자동차 1대 (FR 8, KR 8)
reason-exit-bonus-lost = 출구 보너스 없음: 자기 도로와 교차했습니다 (own_cross_voids)
reason-cars = { $seat }: { count-earned }를 얻어 { $placed }대를 놓음
reason-cars-why = { reason-cars } ({ LIST($why, join: "; ") })
cars-stock = { $seat }의 남은 자동차는 { $stock }대뿐
cars-clean-win = 이번 차례에 무너뜨린 것이 있어 마지막 자동차는 되돌림: clean_win
cars-fell = 도로 위에 서지 못함: { FIRST(PIECES($pieces)) }
cars-declined = { $seat }: 더 놓지 않음
cars-steep = 도로 경사 { ROUND($degrees) }도, 마찰로 버티는 한계 { ROUND($holds) }도
cars-no-place = 도로에 더 놓을 자리가 없음
reason-put-back = { PIECE($piece) }: { PIECE($road) }{ $was ->
    [none] {""}
   *[other] {" "}{ ROUND($was, 2) }
 }에서 { $why ->
    [fell] 미끄러져 떨어짐
    [touches] 다른 것에 닿음
   *[unknown] 서 있지 못함
 }. { $now ->
    [none] { $seat }의 남은 자동차로 돌아감
    [on-it] 그 위에 다시 놓음
   *[other] { ROUND($now, 2) } 자리에 다시 놓음
 }
reason-put-pillar = { PIECE($piece) }: 이제 { POINT($at) }에 있습니다
reason-put-road = { PIECE($piece) }: 이제 { POINT($at) }에서 { POINT($until) }까지 놓여 있습니다
reason-put-car = { PIECE($piece) }: 이제 { PIECE($road) } 위 { ROUND($along, 2) }에 있습니다{ $turn ->
    [0] {""}
   *[other] {" "}({ ROUND($turn) }도 돌아감)
 }
reason-put-building = { PIECE($piece) }: 이제 { POINT($at) }에 있습니다{ $turn ->
    [0] {""}
   *[other] {" "}({ ROUND($turn, 0) }도 돌아감)
 }
reason-put-gone = { PIECE($piece) }: 게임에서 완전히 빠졌습니다

# 무너진 것과 패널티
reason-fall = { PIECE($piece) }이/가 무너짐: { $why }{ $own ->
    [true] {" "}(자기 것은 패널티 없음)
   *[false] {""}
 }
fall-shifted = 옆으로 { ROUND($measured, $digits) } mm 움직임, 반지름의 절반({ ROUND($allowed, $digits) } mm)보다 큼
fall-sank = { ROUND($measured, $digits) } mm 내려앉음, 높이의 절반({ ROUND($allowed, $digits) } mm)보다 큼
fall-tipped = { ROUND($measured, $digits) }도 기욺, 허용은 { ROUND($allowed, $digits) }도
fall-moved = { ROUND($measured, $digits) } mm 움직임, fall_distance = { ROUND($allowed, $digits) } mm보다 큼
fall-off-its-disc = 한쪽 끝이 기둥 윗면보다 { ROUND($measured, $digits) } mm 아래, 도로 두께({ ROUND($allowed, $digits) } mm)보다 큼
fall-far-off-its-disc = 한쪽 끝이 기둥에서 { ROUND($measured, $digits) } mm 벗어남
fall-off-its-road = 가운데가 도로 면에서 { ROUND($measured, $digits) } mm 위에 있음, 허용은 { ROUND($allowed, $digits) } mm
fall-below-its-road = 가운데가 도로 면보다 { ROUND($mm) } mm 아래에 있음
fall-far-off-its-road = 도로에서 { ROUND($measured, $digits) } mm 벗어남
fall-observed = 사람이 확인함
reason-mended = 제자리에 되돌려도 다 서거나 멈추지 못해 바로 세움({ $count }개): { FIRST(PIECES($pieces)) }
reason-close = 아슬아슬함: 똑같은 시도 { $starts }번 중 { $differs }번은 결과가 다름{ $count ->
    [0] {""}
    [1] {": "}{ FIRST(PIECES($pieces)) }{ $fell ->
        [true] {" "}그대로 남음
        [false] {" "}떨어짐
       *[other] {""}
     }
   *[other] {": "}{ FIRST(PIECES($pieces)) }
 }
reason-restless = 시간이 다 될 때까지 멈추지 않아 위치가 확실하지 않음({ $count }개): { FIRST(PIECES($pieces)) }
reason-payment = 패널티: { $from } → { $to }, 무너뜨린 것 { $owed }개{ $unit ->
    [stack] {" "}(한 기둥에서 무너진 조각은 하나로 셈)
   *[disc] {""}
 }. 준 것: { LIST($gifts) }{ $capped ->
    [true] {" "}(더 줄 { $currency ->
        [any] 기둥이나 도로 막대가
       *[discs] 기둥이
     } 없음)
   *[false] {""}
 }
gift-grey = 회색 기둥 { $count }개
gift-yellow = 노란색 기둥 { $count }개
gift-roads = 도로 막대 { $count }개
gift-nothing = 없음

# 그 다음
reason-finished = { $seat }의 자동차를 모두 놓았습니다. { $rank ->
    [1] 승리!
   *[other] { $rank }등
 }
reason-out = { $seat } 게임에서 제외: { $why }
out-resigned = 기권
out-no-room = 두 차례 연속으로 건설할 자리가 없었습니다
out-still-unable = 다음 차례에도 건설할 수 없습니다, { $lack } (KR 10.2)
out-last-round = { $lack }, 다른 모든 플레이어가 패널티 없이 한 차례씩 더 했습니다 (FR 10.2)
reason-over = 게임 종료({ $reason ->
    [all-cars-placed] 자동차를 모두 놓음
    [last-standing] 다른 플레이어가 모두 제외됨
    [resigned] 기권
   *[other] 중단
 }). { $count ->
    [1] 승리: { $winner }
   *[other] 승리: { LIST($winners) }
 }
reason-goes-on = { $seat }의 차례가 이어집니다: 아직 자동차를 놓지 못했습니다 (turn_end = until_car)

# 서 있을지 의심스러운 것
reason-doubt-steep = { PIECE($piece) }이/가 { ROUND($degrees) }도 기운 도로에 있음. 마찰로 버티는 한계는 { ROUND($holds) }도: 미끄러질 수 있음
reason-doubt-slips = 힘의 균형이 맞지 않음: { on-other }{ PIECE($piece) }이/가 미끄러져 무너질 수 있음
reason-doubt-tips = 힘의 균형이 맞지 않음: { on-other }{ PIECE($piece) }이/가 기울어 무너질 수 있음
reason-doubt-falls = 힘의 균형이 맞지 않음: { on-other }{ PIECE($piece) }을/를 받치는 것이 없음
on-other = { $other ->
    [none] {""}
   *[other] { PIECE($other) }에서{" "}
 }

# 정역학과 손의 위험
statics-bears = 옆으로 { ROUND($sideways, 2) } g까지 버팀{ $push ->
    [none] {""}
   *[other] , 미는 힘 { ROUND($push, 0) } mN
 }{ $piece ->
    [none] {""}
   *[other] . 먼저 { on-other }{ PIECE($piece) }이/가 { statics-way }
 }
statics-unbalanced = 균형이 맞지 않음{ $piece ->
    [none] {""}
   *[other] : { on-other }{ PIECE($piece) }이/가 { statics-way }
 }
statics-way = { $way ->
    [slips] 미끄러짐
    [tips] 기욺
   *[falls] 떨어짐
 }
risk-told = { $skill ->
    [expert] 능숙한
    [clumsy] 서툰
   *[normal] 보통
 } 손, { $samples }번 시도: 서 있음 { ROUND($stands, 0) }% ({ ROUND($low, 0) }%~{ ROUND($high, 0) }%), 다른 것을 무너뜨림 { ROUND($others, 0) }%, 예상 패널티 기둥 { ROUND($penalty, 2) }개
# 서 있지 못하는 이유와 시도 횟수
statics-why = 서 있지 못함: { LIST($why, join: ", ") }; { $said }
risk-why = { $said }; { LIST($why, join: ", ") }
why-in-tries = { $tries }번 중 { $count }번: { $why }
why-fell = { PIECE($piece) }이/가 무너집니다
why-touches = { PIECE($piece) }이/가 { PIECE($other) }에 닿습니다
why-hangs = { PIECE($piece) }의 아래쪽 끝이 테이블에 닿지 않습니다
why-not-borne = { breach-not-borne }
why-falls-again = { breach-falls-again }
why-never-rests = { breach-never-rests }
why-hand = 손이 { PIECE($piece) }에 닿습니다

# 검증에서 찾은 것
reason-divergence = { PIECE($piece) }: 다른 곳에서 멈춤, { ROUND($mm, 2) } mm, { ROUND($degrees, 2) }도
reason-mismatch = { $what }: 기록은 { $said }, 심판은 { $found }

# ---------------------------------------------------------------------------------------------------------------------
# 도로의 두 쪽, 테이블과 판정을 짧게
# ---------------------------------------------------------------------------------------------------------------------

slot = { PIECE($road) }: { $over }, { $under }
slot-nobody = { PIECE($road) }: { $why }
nobody-ramp = 테이블에 닿은 경사 도로로는 아무도 자동차를 얻지 못합니다 (ramps_count = false)
nobody-inactive = 제외되었거나 끝낸 { $owner }의 도로로는 아무도 자동차를 얻지 못합니다 (inactive_roads_count = false)
side-free = { side-word } 비어 있음
side-taken = { side-word } 차지함: { LIST($takers) }
side-taken-free-for = { side-taken }, { LIST($free_for) }에게는 비어 있음
side-near = { side-word } 비어 있음, { ROUND($within) } mm 안에서만 차지함: { LIST($takers) }
side-word = { $side ->
    [over] 위쪽
   *[under] 아래쪽
 }
side-taker = { POINT($at) }의 { PIECE($road) }

table-to-move = Tokyo Highway, { $phase ->
    [entrances] 입구
    [buildings] 빌딩
   *[play] 진행
 }: { $player } 차례
table-won = Tokyo Highway, 게임 종료({ $reason }): 승리 { LIST($winners) }
table-drawn = Tokyo Highway, 게임 종료({ $reason }): 승자 없음
table-stock = { $player }에게 남은 것: 회색 기둥 { $grey }개, 노란색 기둥 { $yellow }개, 도로 막대 { $roads }개, 자동차 { $cars }대
table-pillar = { PIECE($piece) }: { POINT($at) }에 { count-discs }{ $junction ->
    [true] , 갈림길
   *[false] {""}
 }
table-building = { PIECE($piece) }: { POINT($at) }에 { $building }{ $turn ->
    [0] {""}
   *[other] {" "}({ ROUND($turn, 0) }도 돌아감)
 }
table-car = { PIECE($piece) }: { PIECE($road) }의 { ROUND($along, 2) } 자리{ $turn ->
    [0] {""}
   *[other] , { ROUND($turn, 0) }도 회전
 }
verdict-nothing-to-build = 규칙에 맞음, 건설할 것 없음
verdict-stands = 규칙에 맞고 서 있음
verdict-does-not-stand = 규칙에 맞지만 서 있지 못함
verdict-cars = 자동차 { $count }대 놓음 ({ LIST($pieces) })
verdict-fell = 무너짐: { LIST(PIECES($pieces)) }
verdict-paid = { $player }에게 { $count }개 줌

# ---------------------------------------------------------------------------------------------------------------------
# 화면의 글
# ---------------------------------------------------------------------------------------------------------------------

skip = 본문으로 바로 가기
language = 언어
theme = 밝게 또는 어둡게
welcome = 어떤 게임을 하시겠어요?
new_game = 새 게임
begin = 시작
cancel = 취소
rooms = 방
records = 기록된 게임
saved = 내 기록
scenarios = 예제: 교차로 자동차를 얻는 경우 ({ $n })
upload = 기록 올리기
upload_about = 한 줄에 한 수씩 적은 파일입니다. Shutoko가 쓴 것도, 직접 적은 것도 됩니다. 데이터로만 읽고 검사합니다.
upload_pick = .jsonl 파일을 고르세요
upload_refused = 이 파일은 받을 수 없습니다. 최대 { $mib } MiB의 .jsonl, .json, .txt 기록만 읽습니다.
over = 종료
ply_n = { $n }수
not_found = 없는 페이지
no_page = 이 주소에는 페이지가 없습니다. 링크가 잘렸을 수 있습니다.
went_wrong = 문제가 생겼습니다
went_wrong_here = 서버가 이 페이지를 만들지 못했습니다. 다시 시도하세요. 또 그러면 서버를 운영하는 사람에게 알려 주세요. 무엇이 잘못되었는지 서버의 기록에 있습니다.
server_stops = 서버가 다시 시작됩니다. 이 게임은 저절로 이어집니다.
turn_lost = 조각이 멈추기 전에 서버가 멈췄습니다. 이번 수를 다시 두세요.
offline = 연결이 끊겼습니다. 페이지가 스스로 다시 연결하며, 잃는 수는 없습니다.
no_room = 그런 방은 없습니다. 링크가 잘렸을 수 있습니다.
no_seat = 이 초대로는 자리에 앉을 수 없습니다. 방장에게 링크를 다시 받으세요.
own_link = 친구에게 보낼 링크
own_link_whose = 이 링크는 { $name } 님의 자리를 줍니다. 친구에게 보내세요. 당신은 이미 자리가 있습니다.
own_link_back = 게임으로 돌아가기
own_link_sit = 여기서 { $name } 자리도 두기
no_record = 그런 기록은 없습니다.
to_lobby = 로비로

tokyo-highway = 도쿄 하이웨이
tokyo-highway_about = 원반 기둥 위에 막대 도로를 놓아 상대 도로의 위아래로 지나갑니다. 무엇이 서고 무너지는지는 물리가 정합니다. 2~4인.
tokyo-highway_about_players = 함께 하는 사람의 수
tokyo-highway_about_ruleset = 적용할 규칙
tokyo-highway_about_components = 구성품: 조각의 크기와 마찰
thruway = 스루웨이
thruway_about = 한 번에 두 칸씩 포장해, 파괴되지 않는 타일의 길로 자기 두 변을 잇습니다. 2인.
thruway_about_size = 판 한 변의 칸 수
thruway_about_trade = 아스팔트의 첫 차례를 색 바꾸기로 시작할 수 있는지
thruway_about_ko = 맞바꾸기에 대한 응수 중 무엇을 금지하는지
thruway_about_repetition = 같은 국면이 세 번 나오면 무승부로 끝나는지
thruway_how =
    콘크리트는 서쪽과 동쪽을, 아스팔트는 북쪽과 남쪽을 잇습니다. 두 칸 사이를 가리켜 자기 타일 두 개로 포장합니다. 그중 한 칸에는 상대 타일이 있어도 되며 교체됩니다. 분쟁(점선)에서는 대신 두 타일을 맞바꿀 수 있습니다. 리벳이 있는 타일은 이웃이 모두 포장되어 파괴되지 않습니다.
    키보드: 방향키로 칸을 옮기고, Enter로 첫 칸과 이웃 칸을 고릅니다. 또는 수를 입력하세요. f5-g5는 포장, e6/f6은 맞바꾸기입니다.
meridians = 메리디언스
meridians_about = 자기 돌이 보이는 곳에 돌을 놓습니다. 같은 색의 다른 무리가 보이지 않는 무리는 죽습니다. 2인.
meridians_about_size = 판의 긴 변에 있는 점의 수
meridians_about_pie = 한 사람이 두 색의 돌을 하나씩 놓고, 다른 사람이 색을 고릅니다
meridians_how =
    여섯 방향 중 하나에서 처음 만나는 돌이 자기 돌인 곳에 놓습니다. 같은 색의 다른 무리까지 곧고 빈 길이 없는 무리(가위표)는, 길을 찾지 못하면 상대 차례가 시작될 때 없어집니다. 돌이 하나도 남지 않으면 집니다.
    키보드: 방향키로 점을 옮기고 Enter로 둡니다. 또는 점을 입력하세요: d4.

players = 인원
name_n = { $n }번 이름
player_n = 플레이어 { $n }
seat_me = 이 화면에서
seat_friend = 친구, 링크로
seat_computer = 컴퓨터
no_computer = 이 게임의 컴퓨터 플레이어가 설치되어 있지 않습니다. 이 화면이나 링크로 함께 하세요.
more = 더 보기
clock = 시계
increment = 한 수마다 초
friendly = 무르기 허용
level = 수준
own_player = 다른 컴퓨터 플레이어의 이름
computer_named = 컴퓨터, { $level }
level_first = 첫 판
level_beginner = 입문
level_easy = 쉬움
level_medium = 보통
level_hard = 어려움
level_full = 최고 수준
level_random = 무작위
size = 판 크기
pie = 한 사람이 돌 둘을 놓고 다른 사람이 색을 고릅니다
trade = 처음에 색을 바꿀 수 있습니다
ko = 타일 되바꾸기
repetition = 같은 국면 세 번
hand = 손이 얼마나 안정적인가요?
hand_of_it = 컴퓨터의 손은 얼마나 안정적인가요?
hand_none = 전혀 떨리지 않음
hand_expert = 아주 안정됨
hand_normal = 보통 사람만큼
hand_clumsy = 서투름
hand_helped = 내 손, 조금 도움받기
hand_own = 내 손, 도움 없이
sounds = 소리
hand_lower = 내리기
hand_left = 왼쪽으로 돌리기
hand_right = 오른쪽으로 돌리기
hand_let_go = 손 떼기
hand_put_back = 도로 놓기
hand_ended = 테이블이 바뀌어 손에 든 조각을 도로 놓았습니다.
hand_pillar = 제자리 위로 옮기세요. 누르고 있으면 내려가고, 떼면 조각에서 손을 뗍니다.
hand_road = 이제 도로를 양 끝에 놓으세요. 오래 들수록 더 떨립니다.
place_drawn = 대신 놓기
ruleset = 규칙
components = 상자
tokyo-highway_value_standard = 기본 규칙
tokyo-highway_value_fr = 프랑스판 규칙서
tokyo-highway_value_kr = 한국판 규칙서
tokyo-highway_value_en2 = 영어판 2인용
tokyo-highway_value_rainbow = 레인보우 시티
tokyo-highway_value_estimate-2018 = 2018년판 상자
tokyo-highway_value_estimate-rubber = 고무 코팅, 레인보우 시티처럼
thruway_value_undo = 바로는 안 됨
thruway_value_same = 같은 분쟁으로는 안 됨
thruway_value_any = 그 자리의 분쟁으로는 안 됨
thruway_value_none = 언제나 가능
thruway_value_None = 게임 계속
thruway_value_draw3 = 무승부

you = 나
free_seat = 기다리는 중
seat_free = 빈자리
other_holds = { $name } 님이 조각을 제자리로 옮기는 중입니다 ...
held_elsewhere = 다른 페이지에서 조각을 들고 있습니다. 먼저 놓는 페이지가 인정됩니다.
other_tried = 무너졌습니다. { $name } 님이 다시 하거나 그대로 둘 수 있습니다.
away = 자리 비움
undo = 무르기
resign = 기권
resign_sure = 정말 포기하시겠습니까?
resign_later = 차례가 오면 바로 기권합니다.
hint = 힌트
hint_later = 당신의 차례가 아닙니다.
hinted = 힌트: { $move }
replay = 다시 보기
download = 내려받기
log = 일어난 일
log_empty = 아직 없습니다. 둔 수가 여기에 나옵니다.
how_to = 하는 방법
how_board =
    판을 가리키면 그곳에 둔 수의 결과가 보입니다. 클릭하면 둡니다. 손가락으로 누른 뒤에는 단추로 확인합니다. 칸이 여러 개인 수는 칸을 하나씩 고릅니다. 판 위의 자리가 아닌 수에는 단추가 있습니다.
    키보드: 방향키로 칸을 옮기고 Enter로 칸을 고릅니다. 또는 수를 입력하세요.
how_scene = 목록으로 나타낼 수 있는 수에는 모두 단추가 있습니다. 또는 수를 입력하세요. 끌어서 시점을 돌리고, 휠로 확대하거나 축소합니다.
invite = { $name } 님을 기다리는 중입니다 ... 이 링크를 보내세요. 자리의 열쇠입니다:
watch_link = 이 페이지 주소를 받은 사람은 관전할 수 있습니다.
your_turn = 당신의 차례입니다.
your_turn_build = 당신의 차례: 조각을 고르고 자리를 정하세요.
your_turn_goal = 당신의 차례: { $rivals ->
    [1] { $colour } 도로
   *[other] 다른 사람의 도로
 }를 하나 지날 때마다 자동차 1대를 놓습니다. 자동차를 먼저 다 놓으면 이깁니다.
your_turn_buildings = 당신의 차례: 도로가 지나고 싶어 할 곳에 건물을 놓으세요. 건물을 고르고 자리를 정하세요.
thruway_your_turn_1 = 당신의 차례: 콘크리트로 서쪽과 동쪽을 이으세요. 두 칸 사이를 가리키면 포장합니다.
thruway_your_turn_2 = 당신의 차례: 아스팔트로 북쪽과 남쪽을 이으세요. 두 칸 사이를 가리키면 포장합니다.
meridians_your_turn_1 = 당신의 차례: 어두운 돌이 하나도 남지 않게 길을 끊으세요. 내 돌이 보이는 곳에 돌을 놓으세요.
meridians_your_turn_2 = 당신의 차례: 밝은 돌이 하나도 남지 않게 길을 끊으세요. 내 돌이 보이는 곳에 돌을 놓으세요.
turn_of = { $name }의 차례입니다.
thinks = { $name }이(가) 생각하고 있습니다 ...
player_gone = { $spec } 플레이어가 없어져 가장 강한 플레이어가 이어서 둡니다
busy = 조각들이 자리를 잡는 중 ...
builds = { $name }이(가) 짓고 있습니다 ...
wins = { $name } 승리: { $reason }.
one_wins = { $name } 승리
you_win = 이겼습니다
nobody_wins = 무승부
watch_it = 다시 보기
best_fall = 최고의 순간: { $ply }수에서 { $name } 조각 { $n }개를 무너뜨림
best_cars = 최고의 순간: { $ply }수에서 { $name } 자동차 { $n }대
drawn = 승자 없음: { $reason }.
wishes_undo = { $name } 님이 { $tried ->
    [true] 무너진 시도를
   *[false] 마지막 수를
 } 무르고 싶어 합니다.
reason_all-cars-placed = 자동차를 모두 놓았습니다
reason_last-standing = 다른 사람들의 재료가 떨어졌습니다
reason_resigned = 기권
reason_connected = 두 변이 이어졌습니다
reason_annihilated = 상대에게 남은 돌이 없습니다
reason_drawn = 반복 또는 두 번의 패스
reason_ply-cap = 게임이 중단되었습니다
time_over = 시간 초과
type_move = 수 입력
play_typed = 입력한 수 두기
confirm = { $move } 두기
picked = { $cell }을(를) 골랐습니다. 이제 다른 칸을 고르세요.
ask_trade = 첫 차례 전에 색을 바꿀 수 있습니다:
ask_keep = 색을 고르세요:
move_trade = 색 바꾸기
move_keep = 어두운 색 유지
move_swap = 밝은 색으로
move_pass = 패스 (둘 곳 없음)
move_resign = 기권

empty = 빈칸
thruway_1 = 콘크리트
thruway_2 = 아스팔트
meridians_1 = 밝은 돌
meridians_2 = 어두운 돌
sign_solid = 파괴 불가
sign_dispute = 분쟁 중
sign_dead = 길 없음
sign_gone = 방금 없어짐
pave = { $a }, { $b } 포장
replace = { $a }, { $b } 포장, 타일 교체
swap_pair = { $a }, { $b } 맞바꾸기
put = { $cell }에 { $colour }

tokyo-highway_how =
    조각을 고르고 자리를 정하세요. 반투명한 기둥과 도로가 따라옵니다. 규칙에 맞으면 초록, 아니면 빨강이고, 위의 문장을 누르면 이유가 보입니다. 숫자 옆의 +와 −로 높이를 바꿉니다. 집어 들고 고리 위로 옮긴 뒤, 누르고 있으면 내려가고, 떼면 조각에서 손을 뗍니다. 내 기둥을 누르면 거기에서 짓습니다. 정밀 메뉴에서는 숫자로 같은 일을 할 수 있습니다.
    다른 사람의 도로를 가장 먼저 위로 또는 아래로 지나면 자동차를 얻습니다. 기둥은 앞 기둥보다 원반 하나만큼 높거나 낮아야 하며, 노란 원반은 높이가 자유로운 분기점이 되어 도로 두 개가 나갈 수 있습니다. 자기 자동차를 모두 놓으면 이깁니다. 쓰러뜨린 것은 하나에 원반 하나를 물고 제자리에 돌려놓습니다.
slots = 빈 위아래
takes = 차지할 면: { $sides }
closes = 스스로 막을 면: { $sides }
opens = 열어 둘 면: { $sides }
side_over = { $road } 위쪽
side_under = { $road } 아래쪽
look_all = 판 전체
look_above = 위에서
build = 기둥과 도로
exit = 출구
junction = 분기점
nearest = 가장 가까운
base = 어디서
auto = 자동
height = 원반
building = 건물
building_tower = 탑
building_slab = 판상형
building_cylinder = 원기둥
building_block = 블록
buildings_left = 남은 건물
turn = 회전(도)
place_far = 가운데에서 최대 { $mm } mm
place = 놓기
adjust = 바로잡기
no_room_left = 자리 없음: 패스
pass_turn = 차례 넘기기
risk_for = 손의 위험도
risk = 묻기
statics = 정역학: { $said }
point_table = 탁자에서 자리를 고르세요.
stock_cars = 자동차
stock_grey = 회색
stock_yellow = 노랑
stock_roads = 도로
out = 탈락
in_place = { $n }위

# 친구와 함께
link = 링크
copy = 링크 복사
copy_watch = 관전 링크 복사
copied = 복사됨
qr = 휴대폰 카메라로 찍을 링크의 QR 코드
only_here = 이 링크는 이 컴퓨터에서만 열립니다. 네트워크로 함께 하려면 이렇게 시작하세요: shutoko serve --host 0.0.0.0
your_name = 이름
keep = 저장
chat = 대화
chat_kept = 이 테이블의 모두가 함께 읽습니다. 메시지는 게임 기록에 남지 않습니다.
say_something = 메시지를 쓰세요
send = 보내기
mute = 숨기기
a_watcher = 관전자
watcher = { $name } (관전)
emote_hello = 안녕하세요!
emote_bravo = 잘 두셨어요!
emote_wow = 와!
emote_oops = 이런!
emote_wait = 잠시만요.
emote_thanks = 고마워요!
yes = 네
no = 아니요
back_asked = { wishes_undo } 괜찮나요?
back_declined = 모두가 동의하지 않아 그대로 둡니다.
time_up = { $name } 님의 시간이 다 되었습니다. 승리를 선언하거나 그냥 계속해도 됩니다.
own_time_up = 시간이 다 되었습니다. 수를 두기 전까지 다른 사람이 승리를 선언할 수 있습니다.
claim = 승리 선언
bell = 내 차례가 되면 알려 주기
clock_none = 시계 없음
clock_of = { $minutes }분 + 한 수마다 { $seconds }초
clock_own = 다른 시간
minutes = 각자 시간(분)
all_own_games = 내 게임 모두 보기 ({ $n })
no_own_games = 아직 게임이 없습니다. 시작하거나 참가한 게임이 여기에 나옵니다.
your_turn_now = 내 차례
won = 승
lost = 패
draw = 무승부

to_start = 처음으로
back = 한 수 뒤로
play = 재생 또는 정지
forward = 한 수 앞으로
to_end = 끝으로
timeline = 시간줄
speed = 속도
beginning = 시작
note = 메모
wrong = 다름
taken_back = 물림
branch = 여기서 이어 하기
variations = 변화도 ({ $n })
main_line = 원래 게임
variation = { $n ->
    [0] { $ply }수부터: { $names }
   *[other] { $ply }수부터: { $names }, { $n }수
 }
branch_over = 게임은 여기서 끝났습니다. 앞선 수로 돌아가 거기서 이어 두세요.
branch_at = { $ply }수부터 이어 둡니다. 이 게임의 변화도로 저장됩니다.
verify = 검증
verified = 모두 맞습니다: { $plies }수를 다시 판정했습니다.
not_verified = { $count }가지가 다릅니다. 해당 수에 표시했습니다.
share_it = 공유
share_jsonl = 기록 그대로
share_png = 마지막 그림
share_svg = 마지막 도면
share_gif = 게임 전체 애니메이션
share_html = 인터넷 없이 재생되는 페이지
share_glb = 움직이는 3차원 모형

best_moves = 가장 좋은 수
was_played = 실제로 둔 수
sure_win = 승리
sure_loss = 패배
sure_draw = 무승부
worth_cars = 자동차 { $n }대
told_build = { $base }에서 ({ $x }, { $y }), 높이 { $discs }
told_junction = { $base }에서 ({ $x }, { $y }), 분기점, 높이 { $discs }
told_exit = { $base }에서 ({ $x }, { $y })로 내려감
told_entrance = 입구 ({ $x }, { $y })
told_building = { $building } ({ $x }, { $y })
analysis = 분석
think_time = 생각하는 시간
analysis_over = 게임이 끝났습니다.
put_pair = { $a }에 밝은 돌, { $b }에 어두운 돌
why_simulations = 시뮬레이션 { $n }회
why_depth = { $n }수 앞까지
why_end = { $n }수 안에
why_even = 찾은 것 중 가장 고른 시작
why_colour = 더 유리한 색
why_entrance = 보통의 입구
why_entrance_other = 보통과 다른 입구
why_building = 판 가운데에서 떨어진 곳
why_pass = 다른 수를 찾지 못함
why_waits = 다른 사람이 짓기를 기다림
why_declines = 자동차를 놓지 않음
why_wins = 마지막 자동차를 놓음
why_earns = { $n }대 얻음
why_sets_up = 다음에 { $n }대 준비
why_blocks = { $colour } 막기
why_spare = 안전, 여유 { $cm } cm
why_lets = 상대가 { $n }대까지 얻을 수 있음
why_spends = 회색 { $grey }{ $yellow ->
    [0] { "" }
   *[other] , 노란색 { $yellow }
 } 사용
as_here = 여기서 계산한 결과 보기
as_recorded = 기록만 보기
verifying = { $plies }수 가운데 { $done }수 다시 판정 ...
watch_rest = 나머지 보기
loses = { $colour }이(가) { $count }개를 잃음: { $cells }
no_move_free = 지금 { $cell }을(를) 쓰는 수가 없습니다.
no_move_taken = 지금 { $cell }을(를) 쓰는 수가 없습니다.
meridians_no_move_free = { $cell }에서는 내 돌이 보이지 않습니다. 여섯 방향 가운데 한 방향에서 처음 만나는 돌이 내 돌인 점을 고르세요.
meridians_no_move_taken = { $cell }에는 이미 돌이 있습니다. 빈 점을 고르세요.
meridians_picked = { $cell }을(를) 골랐습니다. 이제 다른 돌의 점을 고르세요.
computer_1 = 렌
computer_2 = 아오이
computer_3 = 미도리
computer_4 = 스미레
colour_1 = 빨강
colour_2 = 파랑
colour_3 = 초록
colour_4 = 보라
you_name = 나
in_short = { $who }: { $what }
why = 왜?
what_cars = 자동차 +{ $n }
what_no_car = 자동차 없음
aim_no_car = 자동차를 얻지 못합니다.
aim_remark = { $said } 허용되는지는 가릴 수 없습니다: 측정이 { NUM($within) } mm까지 틀릴 수 있습니다.
what_over = { $owner } 위로
what_under = { $owner } 아래로
what_exit = 출구
what_entrance = 입구
what_building = 건물
what_adjust = 마지막 건설 고침
what_pass = 차례 넘김
what_resign = 기권
what_undone = 서 있지 못해 차례를 잃음
what_fell = { $n }개가 떨어짐
what_close = 아슬아슬함: 똑같은 시도 { $starts }번 중 { $differs }번은 { $count ->
    [0] 결과가 다름
    [1] { $what ->
        [C] 자동차가
        [R] 도로가
       *[P] 기둥 조각이
     } { $fell ->
        [true] 그대로 남음
        [false] 떨어짐
       *[other] 달라짐
     }
   *[other] { $count }개가 달라짐
 }
what_pays = { $to }에게 { LIST($gifts) } 냄
what_wins = 승리
what_illegal = 규칙 위반: { $why }
clip-fell = 조각 { $n }개가 떨어짐{ $paid ->
    [0] {""}
   *[other] : { $who } { $paid }개 냄
 }
what_let_stand = { $why }: 규칙 위반이지만 그대로 둠
what_claimed = 자동차 { $n }대 주장, { $counted }대 인정
what_allowed = 여기에 놓을 수 있습니다.
colour_nobody = 다른
advice = 여기는 안 됩니다. 조금 옆으로, 또는 다른 높이로 하세요.
advice_reach = 도로가 닿지 않습니다. 시작하는 기둥에 더 가까이 하세요.
advice_reach_itself = 기둥 바로 그 자리는 안 됩니다. 조금 떨어뜨리세요.
advice_reach_down = 거기서는 도로가 바닥까지 내려오지 못합니다. 더 낮은 기둥을 고르세요.
advice_sticks-out = 도로가 튀어나옵니다. 시작하는 기둥에서 조금 더 멀리 하세요.
advice_too-steep = 너무 가파릅니다. 더 멀리, 또는 다른 높이로 하세요.
advice_height = 다른 높이로 하세요. 앞 기둥보다 한 장 높거나 낮게, 아니면 분기점으로 하세요.
advice_junction-height = 더 높게 하세요. 분기점은 노란 원반 아래에 회색 원반이 하나는 있어야 합니다.
advice_stock-roads = 남은 도로가 모자랍니다.
advice_stock-grey = 회색 원반이 모자랍니다. 더 낮게 지으세요.
advice_stock-yellow = 노란 원반이 없습니다. 분기점 없이 지으세요.
advice_stock-cars = 남은 자동차가 없습니다.
advice_touches-road = { $colour } 도로에 걸립니다. 더 높게, 더 낮게, 또는 조금 옆으로 하세요.
advice_under-own-road = 자기 도로 위에 얹히게 됩니다. 이 기둥에서는 그 아래로 지나갈 수 없습니다.
advice_touches-car = { $colour } 자동차에 걸립니다. 더 높게, 또는 조금 옆으로 하세요.
advice_touches-pillar = { $colour } 기둥에 걸립니다. 도로를 조금 돌리세요.
advice_touches-building = 건물에 걸립니다. 더 높게, 또는 돌아가세요.
advice_over-building = 여기서는 건물 위로 지나갈 수 없습니다. 돌아가세요.
advice_over-pillar = 도로가 { $colour } 기둥을 덮습니다. 조금 옆으로 하세요.
advice_pillar-on-pillar = { $colour } 기둥에서 조금 더 떨어뜨리세요.
advice_pillar-on-building = 건물에서 조금 더 떨어뜨리세요.
advice_building-overlap = 서 있는 것에서 조금 더 떨어뜨리세요.
advice_pillar-under-road = 도로 아래에는 기둥을 세우지 않습니다. { $colour } 도로에서 조금 비키세요.
advice_pillar-touches-road = 기둥이 { $colour } 도로에 닿습니다. 조금 옆으로, 또는 더 낮게 하세요.
advice_pillar-touches-car = 기둥이 { $colour } 자동차에 닿습니다. 조금 옆으로, 또는 더 낮게 하세요.
advice_own-crossing = 자기 도로끼리는 여기서 만날 수 없습니다.
advice_car-off-road = 자동차를 놓을 자리가 없습니다. 도로를 조금 길게, 또는 다른 곳에 놓으세요.
advice_car-on-car = 자동차들을 놓을 자리가 없습니다. 다른 곳에 놓으세요.
advice_car-touches = 자동차를 놓을 자리가 없습니다. 조금 옆으로 하세요.
advice_exit-height = 출구는 더 낮은 기둥에서 나갑니다. 먼저 낮추어 지으세요.
advice_entrance-far = 탁자 가운데로 더 가까이 하세요.
advice_base-used = 그 기둥에서는 안 됩니다. 다른 내 기둥을 고르세요.
advice_base-foreign = 그 기둥에서는 안 됩니다. 내 기둥을 고르세요.
advice_base-unknown = 건설을 시작할 내 기둥을 고르세요.
advice_has-room = 지을 자리가 있으므로 넘길 수 없습니다.
advice_can-build = 지을 수 있는 기둥이 있으므로 넘길 수 없습니다.
rematch = 다시 두기
rematch_join = 다음 게임으로
analyse = 분석
graph_cars = 수마다 놓인 자동차
graph_pieces = 수마다 판 위의 돌
tally_turns = 차례
tally_cars = 얻은 자동차
tally_best = 최고 차례
tally_fallen = 쓰러뜨림
tally_paid = 낸 것
own_games = 내 게임
play_friend = 친구와 두기
play_here = 이 화면에서 둘이
play_now = 컴퓨터와 두기
learn = 배우기
show_me = 보여 주세요
lesson_skip = 안내 건너뛰기
lesson_n = 첫 게임: { $n } / { $of }
lesson_end = 필요한 것은 다 배웠습니다. 게임은 계속됩니다. 즐기세요.
lesson_tokyo-highway_1 = 자동차가 승부를 가릅니다. 상대의 도로를 지나면 내 도로에 자동차를 놓습니다. 먼저 다 놓으면 이깁니다. 빛나는 곳을 누르세요. 거기에 입구가 섭니다.
lesson_tokyo-highway_2 = 이제 집어 드세요. 빨간 단추를 누르거나 그 자리를 한 번 더 누릅니다.
lesson_tokyo-highway_3 = 조각을 고리 위로 옮기세요. 누르고 있으면 내려가고, 떼면 조각에서 손을 뗍니다. 다음은 도로입니다.
lesson_tokyo-highway_4 = 기둥은 앞 기둥보다 원반 하나만큼 높거나 낮습니다. 자리를 누르세요. 고를 수 있으면 숫자 옆에 +와 −가 있습니다.
lesson_tokyo-highway_5 = 상대 도로의 위나 아래를 지나세요. 자동차를 얻는 교차점이 빛납니다. 보여 주기가 몇 곳을 밝혀 줍니다.
lesson_tokyo-highway_6 = 이번에는 일부러 무너뜨려 보세요. 도로나 기둥 가까이에 짓고 일찍 손을 떼세요. 모두 제자리로 돌아가고, 누가 내는지 보입니다.
lesson_tokyo-highway_7 = 조각이 둘 더 있습니다. 노란 원반은 어떤 높이든 되고 도로 두 개가 나갑니다. 출구는 도로를 탁자에서 끝냅니다. 하나를 고르세요.
lesson_meridians_1 = 첫 돌은 아무 데나 놓습니다. 그다음부터는 여섯 방향 가운데 한 방향에서 처음 만나는 돌이 내 돌인 점에 돌을 놓습니다. 점을 고르면 그 돌이 보게 될 것이 선으로 나타납니다.
lesson_meridians_2 = 맞닿은 돌은 한 무리입니다. 곧고 빈 선을 따라 같은 색의 다른 무리가 보이는 동안 무리는 살아 있습니다. 보이는 곳에 둘째 무리를 만드세요.
lesson_meridians_3 = 가위표는 다른 무리가 보이지 않는 무리입니다. 상대 차례가 시작될 때 죽습니다. 상대 무리 사이의 선을 돌로 끊고, 내 선은 열어 두세요.
lesson_thruway_1 = 두 칸의 경계를 고르면 두 칸이 내 색으로 포장됩니다. 내 타일로 판의 마주 보는 두 변을 이으세요.
lesson_thruway_2 = 두 칸 가운데 하나에는 상대 타일이 있어도 됩니다. 내 타일로 바뀝니다. 이웃이 모두 포장된 타일만 영영 안전합니다. 그런 타일에는 못이 박힙니다.
lesson_thruway_3 = 분쟁(점선)은 두 색이 둘씩 엇갈린 네 타일의 정사각형입니다. 거기서는 포장하는 대신 두 타일을 맞바꿀 수 있습니다. 못 박힌 타일로 이어진 길이 이깁니다.

# ---------------------------------------------------------------------------------------------------------------------
# 사진에서 읽은 테이블: 틀려 보이는 것과 의심을 푸는 방법
# ---------------------------------------------------------------------------------------------------------------------

photo-suspect-discs = 표시는 원반 { $marked }개가 아니라 { $fits }개와 맞습니다. 원반을 다시 세세요
photo-suspect-swapped = 두 끝이 바뀐 것 같습니다: { $base ->
    [none] 테이블
   *[other] { $base }
 } 쪽 표시가 반대쪽 끝에 있습니다. 두 표시를 맞바꾸세요
photo-suspect-tap = { photo-foot } 끝의 표시가 다른 표시들이 가리키는 자리에서 { $off }픽셀 벗어났습니다. 다시 찍거나, 도로가 정말 그렇게 놓여 있는지 보세요
photo-suspect-picture = { photo-foot } 끝을 다시 보세요. 표시한 자리에는 사진에 도로 끝이 보이지 않고, { $seen ->
    [end] { $off }픽셀 떨어진 곳에 보입니다
   *[side] 도로가 { $off }픽셀 옆에 보입니다
 }
photo-foot = { $foot ->
    [none] 테이블 위
   *[other] { $foot } 위
 }
photo-suspect-rule-built = { $road } 도로로 이어진 원반 { $before }개 다음이 { $discs }개입니다: 회색 기둥은 앞 기둥보다 한 개 높거나 낮습니다 (규칙 3c). 둘 다 다시 세세요
photo-suspect-rule-ramp = 경사로 { $road }의 기둥이 원반 { $discs }개입니다: 경사로는 원반 1개 기둥으로 이어집니다 (규칙 2b, 6a). 다시 세세요
photo-suspect-image = 도로 { $roads }개 가운데 { $seen }개만 표시한 자리에 보입니다. 다른 사진의 표시일 수 있습니다. 표시한 사진을 주세요
photo-suspect-car = 자기 도로 위에 있지 않습니다. 다시 표시하거나 주인을 바꾸세요
photo-suspect-inside = { $other } 안으로 { ROUND($mm) }mm 들어가 있는데, 그럴 수는 없습니다. 둘의 표시와 디스크 수를 다시 보세요
photo-settle-meeting = { $road }: { $other } 도로와 교차하는지 보거나 두 도로의 끝을 다시 찍으세요
photo-settle-side = { $road }: { $other } 위로 가는지 아래로 가는지 보거나 두 도로 밑의 원반을 다시 세세요
photo-settle-taken = { $road }: 어떤 도로가 { $other } 도로와 교차하는지 보세요

# ---------------------------------------------------------------------------------------------------------------------
# 사진 페이지
# ---------------------------------------------------------------------------------------------------------------------

photo = 사진
photo_title = 사진 한 장으로 판정하기
photo_about = 실제 도쿄 하이웨이 테이블 사진 한 장과 도로마다 두 번의 터치면 됩니다. 각 도로가 무엇을 지나가는지, 자동차를 몇 대 얻었는지, 얼마나 확실한지 알려 주고, 거기서 이어서 둘 수 있습니다.
photo_since = 같은 테이블의 다음 사진입니다. 같은 자리에서 찍어도 되고 다른 자리에서 찍어도 됩니다. 그런 다음 새 도로를 터치하세요.
photo_pick = 사진 찍기 또는 고르기
photo_private = 사진은 이 서버의 메모리에만 있고 보낸 브라우저에서만 보입니다. 그림 외의 정보는 버립니다. 이어서 두거나 지우면, 또는 마지막으로 본 뒤 한 시간이 지나면 삭제됩니다.
photo_too_large = 이 사진은 받을 수 없습니다. { $mib } MiB 이하만 읽을 수 있습니다.
photo_help_take = 테이블을 45~70도로 내려다보고 찍으세요. 전체를 되도록 크게 담고, 찍은 뒤에 확대하거나 자르지 마세요.
photo_help_tap = 모든 도로의 양 끝을 터치하세요. 윗면 가운데의 가장 바깥 점입니다. 가장 먼저 지은 도로부터 시작하세요.
photo_help_count = 각 끝 아래의 디스크를 세세요. 맨 위의 노란 디스크도 포함합니다. 길이를 잴 필요는 없습니다.
no_photo = 이 사진은 여기에 없습니다. 삭제되었거나 다른 브라우저에서 보낸 것입니다.
photo_view = 사진. 터치하면 도로의 끝이 표시됩니다. 화살표 키는 보고 있는 도로의 표시를 1픽셀씩, Shift와 함께 10픽셀씩 옮기고, 더하기와 빼기 키는 확대와 축소입니다.
photo_nearer = 확대
photo_further = 축소
photo_whole = 사진 전체
photo_undo = 되돌리기
photo_mode_mark = 끝 표시
photo_mode_move = 표시 옮기기
photo_mode_order = 순서
photo_mode_sheet = 종이
photo_sheet_a4 = A4, 297 x 210 mm
photo_sheet_letter = 레터, 279 x 216 mm
photo_sheet_card = 은행 카드, 86 x 54 mm
photo_colour = 누구의 도로를 표시하는지
photo_players = { $n }인
photo_next_ramp = { $colour }: 진입로를 터치하세요. 먼저 테이블 쪽 끝, 그다음 기둥 쪽 끝입니다.
photo_next_first = { $colour }: 지은 순서대로 다음 도로의 한쪽 끝을 터치하세요.
photo_next_second = 이제 이 도로의 다른 쪽 끝을 터치하세요.
photo_next_move = 표시를 제자리로 끌거나, 도로를 터치해 살펴보세요.
photo_next_found = 표시를 제자리로 끌거나, 도로를 터치해 살펴보거나, 빠진 도로의 가운데를 터치하세요.
photo_next_since = 이전 도로에는 앞 사진의 표시가 있습니다. 표시가 맞으면 { $colour }의 다음 새 도로의 한쪽 끝을 터치하세요. 카메라가 움직였으면 표시 옮기기를 고르고 이전 도로 다섯 개의 양쪽 끝을 지금 자리로 끌어 옮기세요.
photo_next_order = 지은 순서대로 도로를 터치하세요. { $n }번째는 어느 것입니까?
photo_next_sheet = { $n ->
    [4] 종이가 표시되었습니다. 모서리를 다시 터치하면 새로 시작합니다.
   *[other] 긴 변부터 시작해 종이의 모서리를 돌아가며 차례로 터치하세요. 4개 중 { $n }개.
 }
photo_more_roads = { $n ->
    [0] 네 번째 도로부터 선 모형이 나타납니다.
   *[other] 도로 { $n }개가 표시되었습니다. 네 번째부터 선 모형이 나타납니다.
 }
photo_found = 카메라를 찾았습니다. 터치의 오차는 { $pixels }픽셀입니다. 초록 선이 조각과 어긋나면 디스크 수나 터치가 틀린 것이고, 눈에 띄는 것은 빨간색입니다.
photo_settle = 판정하기
photo_marks_file = 표시 파일
photo_delete = 사진 지우기
photo_road = 도로 { $road }, { $n }번째로 지음
photo_remove = 이 도로 지우기
photo_count = { $n ->
    [0] 테이블 위
   *[other] 디스크 { $n }개
 }
photo_on_table = 테이블 위
photo_discs = 아래 디스크 { $n }개 ({ $pillar })
photo_yellow = 노랑
photo_chain = 색은 이어진 도로 전체에 적용: 도로 { $n }개
photo_part = 이 끝은 따로 있는 기둥 위입니다
photo_join = 이 끝은 옆 기둥 위입니다
photo_look_again = { $n }가지를 다시 보세요.
photo_all_sure = 모두 확실하고, 틀려 보이는 것이 없습니다.
photo_find = 도로 찾기
photo_looking = 도로를 찾고 있습니다: { $s }초. 보통 10초, 서버가 바쁘면 더 걸립니다.
photo_stop = 멈추기
photo_stopped = 멈췄습니다. 표시는 그대로입니다.
photo_ask_road = 사진에서 밝힌 곳에 도로가 있나요?
photo_ask_discs = 밝힌 끝 { $end } 아래에 원반이 몇 개 있나요?
photo_ask_owner = 밝힌 도로({ $n })는 누구의 것인가요?
photo_yes = 예
photo_no = 아니요
photo_also = 함께 바뀐 것: 도로 { $roads }, 원반 수 { $discs }, 주인 { $owners }.
photo_side = 다른 쪽에서 찍은 사진
photo_sides = { $sides ->
    [0] 이 사진에만 테이블이 보입니다.
   *[other] 다른 쪽에서 찍은 사진 { $sides }장이 도움이 되었습니다.
 }{ $out ->
    [0] {""}
   *[other] { " " }{ $out }장은 도움이 되지 않았습니다: 다른 테이블이거나, 같은 도로가 너무 적거나, 같은 쪽입니다.
 }
photo_proposed = 도로 { $n }개를 찾았습니다. 잘 보이지 않은 도로 { $roads }개와 기둥 { $pillars }개는 주황색입니다. 잘못 놓인 것을 끌어 옮기고 디스크를 다시 센 다음, 도로를 지은 순서대로 놓으세요.
photo_to_noted = 적고 있는 게임으로 돌아가기
photo_compare = 터치를 사진과 비교하기
photo_compared = 터치 { $taps }개 가운데 { $n }개를 사진에 보이는 도로 끝으로 옮겼습니다. 나머지는 그대로입니다.
photo_how_sure = 기둥의 위치 오차는 { $mm } mm입니다. 초록 도로는 확실하고 주황 도로는 의심스러우며, 빨간 것은 틀려 보입니다.
photo_unchecked = { $roads }에서는 터치가 빗나가도 드러나지 않습니다. 그 끝 가까이에 다른 것이 없기 때문입니다. 표시가 맞는지 보세요.
photo_cars = { $n ->
    [0] { $road }: 자동차 없음, 확실도 { $share }
   *[other] { $road }: 자동차 { $n }대, 확실도 { $share }
 }
photo_crosses_nothing = 다른 도로를 지나가지 않습니다.
photo_to_marks = 표시로 돌아가기
photo_who_plays = 이어서 둘 사람
photo_play_all = 모두 이 화면에서
photo_play_computer = 나와 컴퓨터
photo_play_on = 이어서 두기
photo_play_not = 이 테이블에서 이어서 둘 수 없습니다: { $why }. 같은 기둥이라면 표시로 돌아가 도로의 색을 하나로 하고 끝을 이으세요.
photo_play_about = 이 테이블에서 게임이 이어집니다. 사진은 그때 삭제됩니다.
photo_next_photo = 이 테이블의 다음 사진
photo_play_bare = 사진대로라면 물리에서 { $pieces } 조각이 서 있지 못하므로, 이 게임에서는 아무것도 쓰러지지 않습니다.

# ---------------------------------------------------------------------------------------------------------------------
# 문제: 답의 평가와 화면
# ---------------------------------------------------------------------------------------------------------------------

problem-right-win = { $n ->
    [1] 정답입니다. 바로 이깁니다.
   *[other] 정답입니다. 상대가 무엇을 하든 { $n }수 만에 이깁니다.
 }
problem-right-now = 정답입니다. 마지막 자동차를 놓아 이겼습니다.
problem-right-cars = 정답입니다. 한 번에 자동차 { $n }대를 얻습니다.
problem-right-deny = 정답입니다. 이제 상대는 다음 차례에 이길 수 없습니다.
problem-illegal = 규칙에 어긋납니다: { $why }
problem-wrong-open = 아직 이기지 못합니다.
problem-wrong-lost = 그러면 상대가 이깁니다.
problem-wrong-drawn = 그러면 승자 없이 끝납니다.
problem-wrong-escape = { $n ->
    [1] 상대가 { $move }로 받으면 바로 이기는 수가 없습니다.
   *[other] 상대가 { $move }로 받으면 { $n }수 만에 이길 수 없습니다.
 }
problem-wrong-no-exit = 출구가 아닙니다. 판으로 내려가는 도로를 찾으세요.
problem-wrong-cars = { $n ->
    [0] 자동차를 얻지 못합니다. { $most }대를 얻을 수 있습니다.
   *[other] 자동차 { $n }대를 얻습니다. { $most }대를 얻을 수 있습니다.
 }
problem-wrong-left = { $n ->
    [0] 자동차를 얻지 못합니다. 놓을 자동차가 { $left }대 남았습니다.
   *[other] 자동차 { $n }대를 얻습니다. 놓을 자동차가 { $left }대 남았습니다.
 }
problem-wrong-deny = 상대가 여전히 다음 차례에 이깁니다. 표시된 도로로 이깁니다.

problems = 문제
problems_about = 수를 찾으세요. 각 장면에는 옳은 답이 한 종류뿐입니다. 심판이, 또는 모든 수를 살핀 탐색이 증명했습니다.
problems_solved = 푼 문제: { $of }개 중 { $n }개
problem_day = 오늘의 문제
problem_n = { $title }, 문제 { $n }
problem_solve = 풀기
problem_all = 모든 문제
preview_won = { $name }님이 이겼습니다.
preview_drawn = 무승부로 끝났습니다.
preview_replay = { $n }번째 수까지의 게임입니다.
notices = 내 차례 알림
notices_about = 이 게임에서 내 차례가 되고 잠시 지나면 알려 드립니다. 여기서 요청하지 않으면 아무것도 보내지 않으며, 게임이 끝나면 알림도 끝납니다.
notice_push = 이 기기에서
notice_push_about = 이 페이지가 닫혀 있어도 브라우저가 메시지를 보여 줍니다.
notice_push_ask = 이 기기로 알리기
notice_push_refused = 브라우저가 메시지를 받지 않습니다. 알림이 꺼져 있거나 https가 필요할 수 있습니다.
notice_kept = 알려 드리겠습니다.
notice_end = 그만두기
notice_back = 게임으로 돌아가기
notice_told_subject = 내 차례입니다
notice_told = { $name }님의 차례입니다. 함께하는 사람: { $others }.
challenge_day = 오늘의 도전
challenge_about = 테이블 하나, 내 손으로 한 번 놓기, 기회는 세 번. 모두에게 같은 테이블입니다.
challenge_take = 도전하기
challenge_rule = 무너지지 않으면 { $stands }점, 얻은 자동차 한 대에 { $car }점, 무너진 조각 하나에 { $fallen }점을 뺍니다. { $tries }번 가운데 가장 좋은 점수를 셉니다.
challenge_left = 기회가 { $n }번 남았습니다.
challenge_stood = 서 있습니다. 자동차 { $earned }대, 무너진 조각 { $fallen }개. { $points }점.
challenge_fell = 서 있지 못했습니다. 무너진 조각 { $fallen }개. { $points }점.
challenge_best = 최고 점수: { $points }점.
challenge_over = 남은 기회가 없습니다. 매일 다른 테이블이 나옵니다.
challenge_again = 다음 시도
challenge_none = “{ $day }”의 도전이 없습니다. 2020년부터 오늘까지의 날짜를 2026-11-29처럼 쓰세요.
challenge_refused = 손의 움직임이 페이지가 말한 것과 다릅니다. 조각을 다시 집으세요.
problem_next = 다음 문제
problem_again = 다시 해 보기
problem_give = 답하기
problem_show = 정답 보기
problem_shown = 정답: { $move }.
problem_line = 이렇게 이어질 수 있습니다: { $moves }.
no_problem = 그런 문제가 없습니다.
problem_done = 풀었음
problem_you = 당신의 색: { $colour }.
problem_level_1 = 쉬움
problem_level_2 = 보통
problem_level_3 = 어려움
problem_missed = { $percent ->
    [0] 약한 컴퓨터 플레이어도 찾아냅니다.
   *[other] 약한 컴퓨터 플레이어의 { $percent }%가 놓칩니다.
}
problem_goal_win = { $n ->
    [1] 이 수로 이기세요.
   *[other] 상대가 무엇을 하든 { $n }수 만에 이기세요. 첫 수는 무엇일까요?
 }
problem_goal_last = 자동차가 { $n }대 남았습니다. 이번 차례에 이기세요.
problem_goal_exit = 자동차가 { $n }대 남았습니다. 출구로 이기세요.
problem_goal_cars = 이번 차례에 자동차 { $n }대를 얻으세요.
problem_goal_deny = 상대가 다음 차례에 이길 수 있습니다. 막으세요.
problem_goal_save = 상대가 다음 차례에 이길 수 있습니다. 출구로 막으세요.

# 승부를 가른 순간. $had는 더 좋은 수의, $kept는 실제로 둔 수의 승률.
moment-missed = { $ply }수: { $who }님이 { $played }을(를) 두어 승리를 놓쳤습니다. { $better }이(가) 거의 확실히 이기는 수였습니다({ $had }, 그 뒤 { $kept })
moment-turned = { $ply }수: 여기서 승부가 뒤집혔습니다. { $who }님이 { $played }을(를) 두어 승률이 { $had }에서 { $kept }로 떨어졌습니다. { $better }이(가) 더 좋았습니다
moment-slipped = { $ply }수: { $who }님이 { $played }을(를) 두어 기회를 흘렸습니다({ $had }에서 { $kept }). { $better }이(가) 더 좋았습니다
moments = 승부를 가른 순간
moments_ask = 무엇이 승부를 갈랐을까요?
moments_at = { $plies }수 중 { $done }수를 살펴봄 ...
moments_none = 한 수로 갈린 승부가 아닙니다. 한 수에 크게 잃은 사람이 없습니다.

# 실제 게임을 터미널에 적기: `shutoko record`
note-begin = 새 게임을 { $file }에 적습니다. 질문에 답하세요. 그 밖의 것은 도움말을 치세요.
note-go-on = { $file }의 게임을 { $plies }수 다음부터 이어 갑니다. 마지막 수를 되돌리려면 취소, 그 밖의 것은 도움말을 치세요.
note-players = 누가 둡니까? 시작하는 사람부터 시계 방향으로, 쉼표로 나누어
note-players-wrong = 서로 다른 이름이 둘에서 넷까지 필요합니다. 예: Aiko, Ben
note-ruleset = 어떤 규칙입니까? Enter: standard, 또는 { LIST($known) }
note-ruleset-wrong = { $text } 규칙은 없습니다
note-tolerance = 자가 몇 mm까지 틀릴 수 있습니까? Enter: 3
note-tolerance-wrong = 0에서 20까지의 mm여야 합니다: { $text }
note-entrance = { $player }의 입구는 어디입니까? Enter: 보통 자리 { POINT($at) }
note-direction = { $text }: 방향이 아닙니다. 시계 방향(예: 6시)이나 각도(예: 270도)를 쓰세요
note-toward = { $player }의 경사로는 어느 방향으로 내려갑니까? 예: 6시
note-building = { $player }의 건물과 그 자리는 무엇입니까? { LIST($sizes, join: "; ") }{ $only ->
    [none] . 예: block A-P0 20 cm 3시 회전 30
   *[other] . Enter: { $only }. 또는 그 자리, 예: A-P0 20 cm 3시 회전 30
 }
note-building-box = { $kind }, { NUM($a) } x { NUM($b) } mm, 높이 { NUM($high) } mm
note-building-round = { $kind }, 원통, 지름 { NUM($across) } mm, 높이 { NUM($high) } mm
note-building-kind = { $text }: 남은 건물이 아닙니다. 남은 것: { LIST($left) }
note-building-at = 건물 { $building }의 자리는 어디입니까? 예: A-P0 15 cm 2시, 또는 테이블 가운데에서 잰 mm로 x,y. 돌려 놓았으면 끝에 회전 30(도)
note-move = { $ply }번째 수: { $player }의 수는 무엇입니까? 기둥, 갈림길, 출구, 패스, 자리없음, 기권{ $built ->
    [none] {""}
   *[other] . 그 전에 { PIECE($built) }을/를 바로잡았으면 조정
 }
note-move-unknown = { $text }: 그런 수는 없습니다. 기둥, 갈림길, 출구, 패스, 자리없음, 조정, 기권 또는 도움말을 치세요
note-from = { $player }의 어느 기둥에서입니까? { LIST($known, join: " / ") }
note-from-pillar = { $text }: 기둥이 아닙니다. 기둥 이름은 A-P1처럼 씁니다
note-discs = 새 기둥의 원반은 몇 개입니까? { $pillar }: { $has }개, 그러므로 { LIST($usual, join: " / ") }
note-discs-enter = 새 기둥의 원반은 몇 개입니까? { $pillar }: { $has }개. Enter: { $count }개
note-discs-junction = 새 기둥의 원반은 노란 것까지 몇 개입니까? { $pillar }: { $has }개
note-discs-number = { $text }: 원반의 수가 아닙니다
note-at = { $pillar } 가운데에서 어디에 있습니까? 예: 11 cm 2시, 또는 테이블 가운데에서 잰 mm로 x,y
note-exit-to = 출구는 { $pillar }에서 어느 방향으로 내려갑니까? 예: 4시, 또는 테이블 가운데에서 잰 아래 끝의 x,y(mm)
note-adjust = { $piece }: 이제 { $pillar }에서 어디에 있습니까? 예: 11 cm 2시, 또는 테이블 가운데에서 잰 mm로 x,y
note-adjust-nothing = 아직 조정할 수 있는 것이 없습니다
note-refused = Enter: 다시 말하기, 인정: 모두 그대로 둠, 되돌림: 물렀음
note-refused-what = { $text }? Enter를 누르거나 인정 또는 되돌림을 치세요
note-refused-line = Enter: 적지 않음, 인정: 모두 그대로 둠
note-refused-line-what = { $text }? Enter를 누르거나 인정을 치세요
note-cannot-stand = 모두가 인정해도 이 수는 있을 수 없습니다. 다시 말하세요.
note-cars = { $player }의 자동차를 몇 대 놓았습니까? Enter: 심판이 센 { $count }대
note-more-close = 가릴 수 없는 교차가 { $n }곳 더 있습니다. 수를 적은 뒤 이유를 치면 모두 보입니다
note-cars-number = { $text }: 자동차의 수가 아닙니다
note-else-ask = 무너지거나 움직이거나 건드린 것이 있습니까?
note-else = { note-else-ask } Enter: 더 없음. 예: 무너짐 B-C1, 또는 B-P3: 30,-12
note-else-known = { $text }: 이미 적혀 있습니다
note-lies-badly = { $why }. 그렇지 않다면 자리를 다시 재세요.
note-fell-back = { FIRST($pieces) }: 있던 자리에 다시 놓은 것으로 봅니다. 다른 곳에 있으면 자리를 쓰거나 빠짐 { $piece }(이)라고 쓰세요.{ $car ->
    [none] {""}
   *[other] {" "}길에 다시 놓지 않았으면 내림 { $car }(이)라고 쓰세요.
 }
note-fell-with = { FIRST($pieces) }: 같이 무너진 것으로 봅니다. 아니면 남음 { $every }(이)라고 쓰세요.
note-kept = { $ply }번째 수를 { $file }에 적었습니다.
note-kept-back = { $ply }번째 수를 되돌린 것으로 { $file }에 적었습니다. 테이블은 그대로입니다.
note-noted = 메모를 적었습니다.
note-undone = { $ply }번째 수를 되돌렸습니다.
note-undo-one = 취소는 한 번에 한 수만 되돌립니다({ $text } 아님). 취소만 치고, 더 되돌리려면 다시 치세요
note-nothing = 아직 적은 것이 없습니다
note-enter = 여기서는 Enter만으로 답이 되지 않습니다
note-command = { $command }: 이 명령을 뜻했다면 그것만 치세요.
note-from-the-start = 이 수를 처음부터:
note-over = 게임이 끝났습니다. Enter: 나가기, 취소: 마지막 수를 되돌리기
note-over-only = 게임이 끝났습니다. Enter를 누르거나 취소 또는 그림을 치세요.
note-end = { $file }에 { $plies }수{ $back ->
    [0] {""}
   *[other] (그 밖에 되돌린 { $back }수)
 }가 있습니다. 이어 가기: shutoko record { $file }, 까닭 보기: shutoko replay { $file }
note-end-over = { $plies }수{ $back ->
    [0] {""}
   *[other] (그 밖에 되돌린 { $back }수)
 }의 게임이 { $file }에 있습니다. 까닭 보기: shutoko replay { $file }
note-drawing = { LIST($players) }의 테이블
note-drawn = 테이블을 { $file }에 그렸습니다.
note-draw-svg = { $file }: 그림은 SVG입니다. .svg로 끝나는 이름을 쓰거나 그림만 치세요
note-place-direction = { $text }: 자리가 아닙니다. 거리와 방향을 쓰세요. 예: A-P1 11 cm 2시 (12시는 시작하는 사람의 반대쪽, 3시는 그 오른쪽), 또는 테이블 가운데에서 잰 mm로 30,-12
note-place-clockless = { $text }: { $number }만으로는 방향이 아닙니다. 뒤에 시 또는 도를 붙이세요. 예: 11 cm 2시
note-place-distance = { $text }: 거리가 없습니다. mm나 cm를 붙이세요. 예: 11 cm 2시
note-place-length = { $text }: 거리는 0보다 깁니다
note-place-rest = { $text }: { $rest }: 무슨 뜻입니까? 자리는 거리와 방향(예: A-P1 11 cm 2시)이나 mm로 x,y입니다
note-place-clock = { $text }: 시계의 시각이 아닙니다. 1시에서 12시, 또는 2:30
note-place-two = { $text }: 두 거리에는 기둥이 둘 필요합니다. 예: 11 cm A-P1, 8 cm B-P2, 2시
note-place-misses = { $first }, { $second }(서로 { ROUND($mm, 0) } mm)에서 그만큼 떨어진 자리는 없습니다. 다시 재세요
note-place-side = { $first }, { $second }에서 그만큼 떨어진 자리가 둘입니다. { $first }에서 본 대강의 방향을 더하세요. 예: 2시
note-place-from = { $text }: 어느 기둥에서입니까? 예: A-P1 11 cm 2시
note-place-far = { POINT($at) }: 2미터보다 멉니다. 밀리미터입니까?
note-no-pillar = { $pillar } 기둥은 없습니다. 있는 것: { FIRST($known, shown: 8, join: ", ") }
note-no-piece = 테이블에 { $text }: 그런 말은 없습니다(말을 치면 모두 나옵니다){ $near }
note-happening-what = { $word }: 무엇입니까? { $kind ->
    [touched] 건물의 이름을 쓰세요. 예: { $word } X0
    [under] 먼저 놓인 도로의 이름을 쓰세요. 예: { $word } A-R3
    [paid] 누구에게 원반을 몇 개(회색, 노란색) 냈는지 쓰세요. 예: { $word } B 2 1
    [note] 사람들이 한 말을 쓰세요. 예: { $word } Ben이 우긴다
   *[other] 말의 이름을 쓰세요. 예: { $word } B-C1
 }
note-happening-unknown = { $text }: 알 수 없습니다{ $near } (예: 무너짐 B-C1 B-P3.2, 남음 B-R2, 내림 B-C1, B-P3: 30,-12, B-C1: B-R2 0.4 회전 180, X0: 90,40 회전 30, 빠짐 B-C1, 건드림 X0, 밑 A-R3, 냄 B 1, 메모 ...)
note-off = { $piece }: 이번 수의 자동차가 아닙니다. 무너진 새 자동차만 내릴 수 있습니다
note-put-road = { $piece }: 두 끝의 자리가 필요합니다. 예: { $piece } : 0,-55 -> 30,40
note-put-car = 자동차가 어느 도로의 어디(0에서 1)에 있는지 쓰세요. 예: { $piece } : A-R1 0.4
note-put-along = { $piece }: 도로 위의 자리는 0에서 1까지입니다: { $text }
note-touched = { $piece }: 건물이 아닙니다. 건물은 X0, X1 등입니다
note-under = 기둥이나 출구의 도로만 다른 도로 밑에 넣을 수 있습니다
note-paid = { $text }: 누구에게 원반을 몇 개(회색, 노란색) 냈는지 쓰세요. 예: 냄 B 2 1
note-photo-shows = 사진에 도로 { $roads }개 가운데 { $seen }개가 보입니다. 자리는 { ROUND($mm, 1) } mm까지 정확합니다.
note-moved = { $piece }: { ROUND($mm, 0) } mm, { POINT($at) }으로부터 { POINT($until) }까지
note-unseen = { LIST($roads) }: 사진에 없어 적은 자리가 남습니다
note-extra = 표시에 있는 { LIST($roads) }: 이 게임에 없습니다. 지었다면 그 수를 적으세요
note-miscounted = { $piece }: 게임에는 원반 { $noted }개, 표시에는 { $marked }개입니다. 다시 세세요
note-doubt = 사진에서 { $piece }을(를) 보세요: { $why }
note-finer = 이제부터 자리는 { NUM($was) } mm가 아니라 { NUM($now) } mm까지 정확한 것으로 봅니다.
note-as-fine = 자리는 여전히 { NUM($mm) } mm까지 정확한 것으로 봅니다: 사진에 { FIRST($pieces) }이(가) 없습니다.
note-before = { $piece }: { $since }번째 수부터 { $ply }번째 수까지 다른 곳에 있었고 사진에 없습니다. 그 자리도 함께 옮기며, 적은 만큼만 정확합니다.
note-changed = { $ply }번째 수, { $player }: { $was } 대신 { $now }
note-changed-put = { $ply }번째 수, { $player }: { $was } 대신 { $now }. 놓은 자동차는 { $put }대
note-unchanged = 바뀌는 판정이 없습니다.
note-verdict-cars = 자동차 { $cars }대
note-verdict-close = 자동차 { $least }~{ $most }대, 가릴 수 없음
note-verdict-refused = 규칙 위반({ $why })
note-verdict-allowed = 규칙에 맞음
note-take = 이 자리로 바꿀까요? Enter: 예, 아니오: 모두 그대로
note-take-what = { $text }? Enter를 누르거나 아니오를 치세요
note-corrected = { $file }의 자리를 바로잡았습니다. 취소: 적었던 자리로 되돌림, 이유 9: 9번째 수를 설명.
note-as-it-was = 모두 그대로입니다.
note-uncorrected = 자리가 다시 적었던 대로입니다.
note-photo-what = 어느 사진입니까? 사진이나 표시 파일을 쓰세요. 예: photo table.jpg
note-reading = 사진을 읽는 중
note-why-ply = { $ply }번째 수, { $player }{ $was ->
    [telling] , 지금 말하는 대로
    [back] , 되돌림
    [accepted] , 모두 인정함
   *[kept] {""}
 }:
note-why-what = { $text }번째 수? 0에서 { $last }까지 있습니다. 이유 3: 3번째 수를 설명
note-help = 답: Enter는 질문이 제안한 것을 받습니다. 한 번에 더 쓸 수 있습니다: 기둥 2 11 cm 2시, 갈림길 3 40,-12, 출구 B-P2 4시.
    { "  " }자리: A-P1 11 cm 2시 (12시는 시작하는 사람의 반대쪽), 110 mm 30도, 11 cm A-P1, 8 cm B-P2, 2시 (가장 정확함), 또는 테이블 가운데에서 잰 mm로 x,y
    { "  " }그 밖에 일어난 것: 무너짐 B-C1 B-P3.2 (B-P3: 원반 모두, 그 위의 것도), 남음 B-R2, 내림 B-C1 (다시 놓지 않은 새 자동차), B-P3: 30,-12, B-R2 : 0,-55 -> 30,40,
    { "  " }    B-C1 : B-R2 0.4 회전 180, X0: 90,40 회전 30, 빠짐 B-C1, 건드림 X0, 밑 A-R3, 냄 B 1, 메모 사람들이 한 말
    { "  " }photo table.jpg, photo MARKS.json: 테이블 사진으로 모든 자리를 바로잡음, 또는 표시에 더 있는 수를 더함
    { "  " }이유 9: 9번째 수를 설명, 메모 글: 메모를 적음, 조정: 마지막에 지은 것을 옮김
    { "  " }그림: 테이블을 보임, 그림 FILE.svg: 파일로 그림, 말: 말의 목록
    { "  " }뒤로: 이 수를 처음부터, 취소: 이 수를 처음부터, 첫 질문에서는 마지막 수를 되돌림, 나가기: 적은 수는 모두 파일에 있음
# 탁자가 곧 페이지
menu = 메뉴
close = 닫기
exact = 정밀: 키와 숫자
pieces = 무엇을 지을까요?
piece_pillar = 기둥
piece_yellow = 노란 원반
piece_yellow_left = 노랑: { $n }개 남음
piece_exit = 출구
pick_up = 집어 들기
choose_again = 다시 고르기
always_for_me = 항상 대신 놓기
height_ends = 이 기둥에서는 다른 높이가 없습니다.
tremble = 손이 떨리는 정도
hand_yours = 당신의 손
ring_safe = 안전
ring_shaky = 흔들림
ring_falls = 무너짐
again_slowly = 다시 보기
clip = 클립 공유
cars_left = 자동차 { $n }대 남음
short_build = { $discs }층 기둥
short_junction = 노란 원반, { $discs }층
what_tries = 앞서 { $n }번 실패
hint_none = 지금은 그런 수가 없습니다. 원하는 대로 짓고 다음 차례에 다시 보세요.
lesson_next = 다음
try_again = 다시 해 보기
let_it_be = 그만두기
say_tried = 무너졌습니다. 직접 다시 해 보거나 그대로 두세요.
try_failed = 무너졌습니다
tries_left = { $n }번 더 할 수 있습니다
say_entrance = 입구를 집어 들거나 자리를 누르세요.
# 페이지에서 적는 실제 게임
note_table = 적은 테이블
note_by_photo = 사진으로 모든 자리를 바로잡기
photo_of_noted = 테이블 전체를 45~70도에서 찍고 도로마다 양 끝을 누르세요. 적은 게임의 모든 자리를 바로잡고 모든 차례를 다시 판정합니다.
photo_plan_first = { $colour } 도로 { $road }: { $where } 끝을 누르세요.
photo_plan_second = 이제 다른 끝, { $where } 끝을 누르세요.
photo_plan = 원반 { $n }개 기둥 위
photo_plan_table = 테이블 위
photo_hidden = 보이지 않음
photo_compare_noted = 적은 게임과 비교
photo_take_asked = 사진이 바꾸는 것입니다. 아직 저장하지 않았습니다.
photo_take = 이 자리로 바꾸기
photo_places = 바뀌는 자리 { $n }곳
note_game = 게임 적기
note_title = 두면서 게임 적기
note_about = 실제 탁자에서 게임을 할 때 씁니다. 말을 놓은 자리를 여기에 놓고, 자동차를 몇 대 놓았는지 말하고, 무너진 것을 누르세요. 심판이 차례마다 판정을 알려 주고, 다시 보고 나눌 수 있는 기록이 남습니다.
note_exact = 자리는 얼마나 정확합니까?
note_by_eye = 눈대중으로, 오차 { $mm } mm 이내
note_by_ruler = 자로 재어, 오차 { $mm } mm 이내
note_two_names = 서로 다른 이름이 두 개에서 네 개 필요합니다.
note_all = 적은 게임
note_kept_where = 차례마다 곧바로 저장됩니다. 이 페이지의 주소를 아는 사람은 이어서 적을 수 있습니다.
no_noted = 그런 게임이 없습니다.
note_where = { $player }: 새 말이 선 자리를 누르세요.
note_where_building = { $player }: 어느 건물을 어디에 놓았습니까? 테이블을 누르세요.
note_entrance = { $player }: 입구가 여기입니까? 아니면 그 자리를 누르세요.
note_stands_there = 여기에 섰음
note_let_stand = 그대로 인정
note_taken_back = 무른 수
note_cars_down = { $player }: 자동차를 몇 대 놓았습니까?
note_so_many = 이만큼
note_fewer = 한 대 적게
note_more = 한 대 많이
note_what_else = { note-else-ask } 그것을 누르세요.
note_nothing = 무너진 것 없음
note_that_was_it = 이게 전부
note_fell = 무너짐
note_put = 다른 자리에 있음
note_off = 길에 다시 놓지 않음
note_else = 그 밖에 ...
note_turned = 돌려짐
note_gone = 영영 빠짐
note_touched = 손이 닿음
note_under = 새 도로를 그 밑에 끼움
note_none = 아무 일 없음
note_tap_place = 지금 선 자리를 누르세요.
note_tap_end = 가까운 쪽 끝이 지금 놓인 자리를 누르세요.
note_piece = 어느 말에 무슨 일이 있었습니까?
note_piece_pillar = { $colour }: 기둥
note_piece_road = { $colour }: 도로
note_piece_car = { $colour }: 자동차
note_piece_building = 건물
note_first_finish = 이 차례를 먼저 끝내거나 화살표로 돌아가세요.
note_line = 말로, 예: B-P3에 30,-12
note_line_where = 자리를 말로: A-P0에서 2시 방향 15 cm
note_said = 메모: { $said }
