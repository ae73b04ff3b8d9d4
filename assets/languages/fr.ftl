# Français. Les mots sont ceux de la règle française : pilier, route, voiture, bâtiment, jonction, sortie, croiser, pénalité.
# Les commentaires commencent par # ; CONTRIBUTING.md dit comment ajouter une langue.
language-name = Français

# ---------------------------------------------------------------------------------------------------------------------
# Comment les choses s'écrivent
# ---------------------------------------------------------------------------------------------------------------------

sentences-begin = capital
decimal = ,
point = ({ $x } ; { $y })
piece = { $kind ->
    [disc] le disque { $id }
    [pillar] le pilier { $id }
    [road] la route { $id }
    [car] la voiture { $id }
   *[building] le bâtiment { $id }
 }
list-two = { $most } et { $last }
list-more = { $first } et { $more } de plus
list-none = aucun
in-short = { $first } ; et { $more } de plus
count-discs = { $discs ->
    [one] { $discs } disque
   *[other] { $discs } disques
 }
count-earned = { $earned ->
    [one] { $earned } voiture
   *[other] { $earned } voitures
 }

# ---------------------------------------------------------------------------------------------------------------------
# Pourquoi un placement est interdit
# ---------------------------------------------------------------------------------------------------------------------

fault-game-over = la partie est finie
fault-phase = à présent { $player } { $phase ->
    [entrances] pose son entrée
    [buildings] pose un bâtiment
   *[play] construit, sort ou passe
 } ; ce coup est du genre { $move }
fault-entrance-far = l'entrée en { POINT($at) } est à { ROUND($mm, 2) } mm du centre de la table, { NUM($limit) } mm au plus (entrance_reach)
fault-building-kind = le bâtiment « { $building } » n'existe pas ; il y a : { LIST($known, join: ", ") }
fault-building-taken = ce bâtiment, { $building }, est déjà posé : { PIECE($piece) } ; il reste : { LIST($left, join: ", ") }
fault-building-overlap = le bâtiment { $building } en { POINT($at) } empiète de { ROUND($mm, 2) } mm sur { PIECE($piece) }
fault-building-overlap-clear = le bâtiment { $building } en { POINT($at) } touche { PIECE($piece) } : écart en plan de { ROUND($clear, 2) } mm
fault-can-build = pas de passe tant qu'on peut construire depuis { FIRST($bases, shown: 3, join: ", ") } ; s'il ne reste aucun endroit, passez avec « no room »
fault-has-room-build = il reste de la place à { $player } : { count-discs }{ $junction ->
    [true] , une jonction,
   *[false] {""}
 } en { POINT($at) } depuis { PIECE($piece) }
fault-has-room-exit = il reste de la place à { $player } : une sortie vers { POINT($at) } depuis { PIECE($piece) }
fault-frozen-nothing = rien à rectifier : { $player } n'a encore posé aucune route
fault-frozen-pillar = rien à rectifier : { PIECE($built) } ne bouge plus depuis qu'un autre joueur a construit un pilier (freeze = next_pillar)
fault-frozen-turn = rien à rectifier : { PIECE($built) } ne bouge plus depuis le début du tour { $following ->
    [none] suivant
   *[other] de { $following }
 } (freeze = next_turn)
fault-adjust-end-exit = { PIECE($piece) } est une sortie, sans nouveau pilier ; son bout du bas se rectifie par « to »
fault-adjust-end-build = { PIECE($piece) } n'est pas une sortie ; son nouveau pilier se rectifie par « pillar »
fault-base-unknown = le pilier { $base } n'existe pas ; points d'ancrage de { $player } : { FIRST($bases, shown: 3, join: ", ") }
fault-under-unknown = la nouvelle route ne peut pas passer sous { $under } : elle n'a pas de bout sur son pilier { $base } ; là reposent { LIST($roads) }
fault-under-unknown-none = la nouvelle route ne peut pas passer sous { $under } : aucune autre route ne repose sur { $base }
fault-base-foreign = { PIECE($piece) } est à { $whose } ; { $player } ne part que de ses propres piliers
fault-base-used-new-junction = { PIECE($piece) } n'est pas un point d'ancrage : { LIST(PIECES($leaving)) } en part déjà, et une nouvelle jonction ne bifurque qu'au tour suivant ; points d'ancrage de { $player } : { FIRST($bases, shown: 3, join: ", ") }
fault-base-used-left = { PIECE($piece) } n'est pas un point d'ancrage : { LIST(PIECES($leaving)) } en { $count ->
    [one] part
   *[other] partent
 } déjà ; points d'ancrage de { $player } : { FIRST($bases, shown: 3, join: ", ") }
fault-base-used-not-last = { PIECE($piece) } n'est pas un point d'ancrage : ce n'est pas le dernier pilier construit (base_point = last_built) ; points d'ancrage de { $player } : { FIRST($bases, shown: 3, join: ", ") }
fault-exit-height = une sortie part d'un pilier de hauteur { $height } ; { PIECE($piece) } a { count-discs } (exit_height)
fault-reach-down = une route est trop courte pour descendre de si haut : { PIECE($piece) }
fault-reach-itself = { $end ->
    [pillar] le nouveau pilier
   *[road] le bout du bas
 } est trop près : posé sur { PIECE($piece) } même
fault-reach-short = { PIECE($piece) } s'arrête à { ROUND($short, 1) } mm du bord : { PIECE($other) } (écart en plan { ROUND($distance, 1) } mm)
fault-reach-bears = { PIECE($piece) } n'a que { ROUND($bears, 2) } mm d'appui, il en faut { NUM($least) } : { PIECE($other) } (écart en plan { ROUND($distance, 1) } mm)
fault-reach-aside = { PIECE($piece) } finit à { ROUND($aside, 2) } mm à côté de l'axe, { NUM($most) } mm au plus : { PIECE($other) }
fault-sticks-out = { PIECE($piece) } dépasse de { ROUND($mm, 2) } mm du bord : { PIECE($other) } (écart en plan { ROUND($distance, 1) } mm)
fault-too-steep = { PIECE($piece) } est trop raide pour reposer sur { LIST(PIECES($on)) } : { $rise ->
    [one] { $rise } disque
   *[other] { $rise } disques
 } de dénivelé sur { ROUND($distance, 1) } mm
fault-height = depuis { PIECE($piece) } (hauteur { $base }), un pilier gris a { $base ->
    [1] { $higher }
   *[other] { $lower } ou { $higher }
 } disques, pas { $discs }
fault-junction-height = une jonction a au moins un pilier gris sous le jaune
fault-stock-roads = il faut { $needs ->
    [one] { $needs } route
   *[other] { $needs } routes
 } à { $player }, il en reste { $has }
fault-stock-grey = il faut { $needs ->
    [one] { $needs } pilier gris
   *[other] { $needs } piliers gris
 } à { $player }, il en reste { $has }
fault-stock-yellow = il faut { $needs ->
    [one] { $needs } pilier jaune
   *[other] { $needs } piliers jaunes
 } à { $player }, il en reste { $has }
fault-stock-cars = il faut { $needs ->
    [one] { $needs } voiture
   *[other] { $needs } voitures
 } à { $player }, il en reste { $has }
fault-stock-cars-left = { $wanted ->
    [one] { $wanted } voiture
   *[other] { $wanted } voitures
 } sur la route, il en reste { $has } à { $player }
fault-cars-earned = { $wanted ->
    [one] { $wanted } voiture
   *[other] { $wanted } voitures
 } sur la route, mais { $earned ->
    [one] { $earned } de gagnée
   *[other] { $earned } de gagnées
 }
fault-stock-cars-put = { fault-stock-cars-left }
fault-cars-earned-put = { fault-cars-earned }
fault-cars-earned-open = { $wanted ->
    [one] { $wanted } voiture
   *[other] { $wanted } voitures
 } sur la route, mais même avec des erreurs de mesure, { $earned } au plus
fault-cars-earned-taken = { fault-cars-earned } : { LIST($taken, join: " ; ") }
fault-payment-total = { $seat } donne { $pays ->
    [0] aucune pièce
    [one] { $pays } pièce
   *[other] { $pays } pièces
 } à { $to }, il en faut { $due }
fault-payment-stock = { $seat } donne { $pays } { $kind ->
    [roads] { $pays ->
        [one] route
       *[other] routes
     }
    [grey] { $pays ->
        [one] pilier gris
       *[other] piliers gris
     }
   *[yellow] { $pays ->
        [one] pilier jaune
       *[other] piliers jaunes
     }
 } à { $to }, il en reste { $has }
fault-payment-roads = { $seat } donne des routes à { $to }, mais les piliers passent d'abord (penalty_currency)
fault-payment-to = { $seat } donne des pièces à { $to }, qui n'est pas un autre joueur de cette partie
fault-touches-road-cut = { PIECE($piece) } entre de { ROUND($deep, 2) } mm dans { PIECE($other) } au croisement { POINT($at) }, de { ROUND($into, 2) } mm au plus
fault-touches-road-into = { PIECE($piece) } entre de { ROUND($into, 2) } mm dans { PIECE($other) }
fault-touches-road-into-aside = { fault-touches-road-into } ; au croisement { POINT($at) }, il reste { ROUND($gap, 2) } mm
fault-touches-road-clear = { PIECE($piece) } touche { PIECE($other) } : écart de { ROUND($clear, 2) } mm
fault-touches-road-clear-aside = { fault-touches-road-clear } ; au croisement { POINT($at) }, il reste { ROUND($gap, 2) } mm
fault-under-own-road-exit = { PIECE($piece) } reposerait sur { PIECE($other) } : depuis { PIECE($base) }, son bout du bas ne peut pas descendre jusqu'à la table
fault-under-own-road-build = { PIECE($piece) } reposerait sur { PIECE($other) } : depuis { PIECE($base) }, elle ne peut pas passer dessous
fault-touches-car-into = { fault-touches-road-into }
fault-touches-car-clear = { fault-touches-road-clear }
fault-touches-pillar-into = { fault-touches-road-into }
fault-touches-pillar-clear = { fault-touches-road-clear }
fault-touches-building-into = { fault-touches-road-into }
fault-touches-building-clear = { fault-touches-road-clear }
fault-over-building-into = { fault-touches-road-into }
fault-over-building-clear = { fault-touches-road-clear }
fault-over-building-above = { PIECE($piece) } passe { ROUND($mm, 2) } mm au-dessus d'un bâtiment, { PIECE($other) } (over_building = forbid)
fault-over-pillar = { PIECE($piece) } empiète en plan sur { PIECE($other) } en { POINT($at) } : à { ROUND($distance, 2) } mm de l'axe, il faut { NUM($needed) } mm
fault-pillar-on-pillar-overlap = le pilier en { POINT($at) } empiète de { ROUND($mm, 2) } mm en plan sur { PIECE($other) }
fault-pillar-on-pillar-clear = le pilier en { POINT($at) } touche { PIECE($other) } : écart en plan de { ROUND($clear, 2) } mm
fault-pillar-on-building-overlap = { fault-pillar-on-pillar-overlap }
fault-pillar-on-building-clear = { fault-pillar-on-pillar-clear }
fault-pillar-under-road-overlap = { fault-pillar-on-pillar-overlap } ; pas de pilier sous une route
fault-pillar-under-road-clear = { fault-pillar-on-pillar-clear } ; pas de pilier sous une route
fault-pillar-touches-road-into = le pilier en { POINT($at) } entre de { ROUND($into, 2) } mm dans { PIECE($other) }
fault-pillar-touches-road-clear = le pilier en { POINT($at) } touche { PIECE($other) } : écart de { ROUND($clear, 2) } mm
fault-pillar-touches-car-into = { fault-pillar-touches-road-into }
fault-pillar-touches-car-clear = { fault-pillar-touches-road-clear }
fault-own-crossing = la nouvelle route croise { PIECE($piece) } du même joueur : { $loop ->
    [planar] ses propres routes ne peuvent pas former un anneau (loop = planar)
   *[other] ces règles l'interdisent (self_cross est false)
 }
fault-car-off-road-end = une voiture à { NUM($along) } tomberait, elle tient de { NUM($least) } à { NUM($most) } : { PIECE($piece) }
fault-car-off-road-side = la voiture à { NUM($along) } est à { NUM($mm) } mm de la ligne médiane, { NUM($widest) } mm au plus : { PIECE($piece) }
fault-car-on-car-overlap = les voitures à { NUM($one) } et { NUM($two) } empiètent l'une sur l'autre de { ROUND($mm, 2) } mm : { PIECE($piece) }
fault-car-on-car-clear = les voitures à { NUM($one) } et { NUM($two) } se touchent, écart de { ROUND($clear, 2) } mm : { PIECE($piece) }
fault-car-touches-into = la voiture à { NUM($along) } sur { PIECE($piece) } entre de { ROUND($into, 2) } mm dans { PIECE($other) }
fault-car-touches-clear = la voiture à { NUM($along) } sur { PIECE($piece) } touche { PIECE($other) } : écart de { ROUND($clear, 2) } mm

# ---------------------------------------------------------------------------------------------------------------------
# Pourquoi un coup sur un plateau, ou un souhait dans un salon, est refusé
# ---------------------------------------------------------------------------------------------------------------------

refused-game-over = { fault-game-over }
refused-ruleset-players = les règles { $ruleset } sont pour { LIST($counts, join: " ou ") } joueurs, pas { $players } ; à { $players } vous pouvez prendre { LIST($presets, join: ", ") }
refused-square-no-cell = « { $text } » n'est pas une case ; une case est la lettre d'une colonne et le numéro d'une rangée, comme b3
refused-square-off-board = { $text } est hors du plateau : colonnes de a à { $last }, rangées de 1 à { $size }
refused-thruway-no-move = un coup s'écrit e5-f5 pour paver, e5/f5 pour échanger deux dalles, ou trade, pass, resign
refused-thruway-apart = { $one } et { $other } n'ont pas de côté commun
refused-thruway-no-trade = cette partie se joue sans échange des couleurs
refused-thruway-trade-late = seul le premier tour de l'asphalte peut commencer par l'échange des couleurs
refused-thruway-pass = on ne passe que si aucun autre coup n'est permis
refused-thruway-unpaved = on n'échange que des cases pavées
refused-thruway-paved = les deux cases sont pavées ; leur échange s'écrit { $swap }
refused-thruway-ko = ko : ce coup rétablirait la dispute que le tour précédent a réglée
refused-thruway-no-dispute = ces deux dalles ne sont dans aucune dispute
refused-thruway-own-tile = on ne pave pas sur une dalle de sa propre couleur
refused-thruway-reserve = il reste moins de deux dalles sur { $reserve } dans la réserve
refused-meridians-no-point = « { $text } » n'est pas un point du plateau de taille { $size } : rangées de a à { $last } depuis le bas, points comptés à partir de 1 depuis la gauche ; un coup est un point, pass ou resign{ $pie ->
    [true] , keep, swap, ou deux points au coup 0
   *[false] {""}
 }
refused-meridians-pie-choice = la règle du partage demande un choix : keep ou swap
refused-meridians-pie-pair = la règle du partage commence par deux points, celui du clair et celui du sombre, comme d4,e5
refused-meridians-pie-apart = la pierre claire et la pierre sombre demandent chacune un point
refused-meridians-pie-over = un tel coup n'existe qu'au coup { $ply } d'une partie avec la règle du partage
refused-meridians-pass = on ne passe que sans autre coup ; { $move } en est un
refused-meridians-taken = { $point } est occupé
refused-meridians-touches = la deuxième pierre { $colour ->
    [light] claire
   *[dark] sombre
 } ne peut pas toucher la première
refused-meridians-unseen = aucune pierre { $colour ->
    [light] claire
   *[dark] sombre
 } ne voit { $point } : dans aucune des six directions la première pierre rencontrée n'est de cette couleur

refused-hand = la main qui a posé ceci n’est pas celle qui l’a pris ; reprenez les pièces
refused-invitation = cette invitation n'ouvre aucune place de ce salon ; vous pouvez regarder
refused-turn = c'est à { $name } de jouer
refused-watching = vous regardez cette partie ; vous n'y avez pas de place
refused-goes-on = la partie continue
refused-unfriendly = dans cette partie les coups comptent : ils ne se reprennent pas
refused-nothing-back = il n'y a rien à reprendre
refused-tried = cette pièce est en train d’être posée ; réessayez, ou laissez
refused-busy = un coup est en cours ; attendez qu'il soit joué
refused-ply = ce coup était destiné au coup { $meant } ; la partie en est au coup { $now }
refused-changed = la position a changé entre-temps ; regardez-la de nouveau
refused-seat-full = { $most } navigateurs ont déjà cette place ; aucun autre ne peut la prendre
refused-put-away = personne n'a regardé ce salon depuis un moment, il a été rangé ; rechargez la page
refused-rooms = il y a déjà { $most } salons ; supprimez-en d'anciens dans { $folder }
refused-too-many = { $count } { $what } en { $within } suffisent ; reprenez dans { $wait }
refused-what-rooms = salons ouverts
refused-what-uploads = envois
refused-what-messages = messages
refused-in-time = personne n'a dépassé son temps
refused-own-time = c'est votre propre temps qui est écoulé
refused-unasked = personne ne vous demande de reprendre un coup
refused-span-seconds = { $n ->
    [one] { $n } seconde
   *[other] { $n } secondes
 }
refused-span-minutes = { $n ->
    [one] { $n } minute
   *[other] { $n } minutes
 }
refused-span-hours = { $n ->
    [one] { $n } heure
   *[other] { $n } heures
 }
refused-job-late = { $what } : plus de { NUM($seconds) } secondes, le travail a été arrêté
refused-job-died = { $what } : abandon, le processus est mort { $times } fois
refused-job-dropped = { $what } : abandon, le serveur s'arrête
refused-job-many = { $count } choses que vous avez demandées sont encore en cours ; attendez que l'une soit finie
refused-what-move = le coup
refused-what-choice = le coup de l'ordinateur
refused-what-check = le contrôle du joueur
refused-what-warm = les règles
refused-what-hint = le conseil
refused-what-film = le film
refused-what-share = le fichier
refused-what-verify = la vérification
refused-what-upload = l'envoi
refused-what-photo = la photo
refused-what-answer = la réponse
refused-what-moments = les moments
refused-what-find = la recherche des routes
refused-what-glimpse = le modèle en fil de fer
refused-what-settle = le verdict
refused-what-notices = avis
refused-notice-url = ce n'est pas une adresse qui commence par https://
refused-notice-private = cette adresse est dans un réseau privé
refused-notice-push = ce n'est pas une adresse de messages d'un navigateur
refused-notice-many = il y a trop d'avis ; arrêtez-en un d'abord
refused-notice-not-kept = l'avis ne peut pas être gardé : { $why }
refused-notice-off = ce serveur n'envoie pas d'avis
refused-what-clip = le clip
refused-what-preview = l'image
refused-upload-bytes = { $label } : { $bytes } octets, c'est trop ; on lit des parties de { $mib } Mio au plus
refused-upload-lines = { $label } : { $lines } lignes, c'est trop ; on lit des parties de { $most } lignes au plus
refused-upload-memory = { $label } : la lecture prend plus de { $mib } Mio de mémoire ; une partie en prend bien moins
refused-records-full = { $label } : { $most } parties sont déjà gardées ; supprimez-en dans { $folder }
refused-diaries-full = { $most } parties sont déjà notées ; supprimez-en dans { $folder }
refused-not-kept = { $label } : ne peut pas être gardé : { $why }
refused-seats-not-kept = les places du salon ne peuvent pas être gardées : { $why }
refused-not-written = écriture impossible : { $why }
refused-no-picture = ce n'est pas une image lisible ; donnez un JPEG, un PNG, un WebP, un HEIC ou un AVIF
refused-heic = c'est une photo HEIC, qui demande shutoko[photo] ; ou réglez le téléphone sur JPEG (iPhone : Réglages, Appareil photo, Formats, Le plus compatible), ou partagez la photo en JPEG
refused-panorama = la photo a { $width } x { $height } pixels, comme un panorama ; prenez la table en une seule photo, ou rognez celle-ci à la table
refused-no-road = aucune route trouvée ; prenez la photo de 45 à 70 degrés au-dessus de la table, nette, avec toute la table en grand, ou marquez les routes à la main
refused-small-picture = aucune route trouvée ; l'image a { $width } x { $height } pixels : son petit côté doit en avoir { $least } au moins, et les routes sont cherchées avec { $best } pour le grand ; donnez la photo telle que l'appareil l'a prise, nette, de 45 à 70 degrés au-dessus de la table
refused-few-roads = { $n ->
    [one] { $n } route trouvée
   *[other] { $n } routes trouvées
  }, trop peu pour trouver l'appareil photo : il en faut { $fewest } ou plus ; photographiez toute la table, ou marquez à la main les routes et une feuille de papier
refused-few-roads-small = { $n ->
    [one] { $n } route trouvée
   *[other] { $n } routes trouvées
  }, trop peu pour trouver l'appareil photo : il en faut { $fewest } ou plus ; l'image a { $width } x { $height } pixels, et les routes sont cherchées avec { $best } pour le grand côté ; donnez la photo telle que l'appareil l'a prise, ou marquez à la main les routes et une feuille de papier
refused-not-read = lecture impossible : { $why }
refused-not-json = ce n'est pas du JSON : erreur à la colonne { $column }
refused-not-utf8 = le fichier est en UTF-16 ; enregistrez-le en UTF-8
refused-header-cut-off = l'en-tête est coupé : il n'y a pas de partie à lire
refused-photo-roads = une photo a { $most } routes au plus
refused-photo-one-place = les deux bouts sont marqués au même endroit ; touchez l'autre bout de la route
refused-photo-colours = il y a des routes de plus de { $players } couleurs ; donnez-leur d'abord d'autres couleurs
refused-photo-sizes = les photos n'ont pas la même taille ; prenez les deux avec le même appareil, tenu de la même façon
refused-photo-discs = un pilier a de 1 à { $most } disques
refused-photo-both-down = les deux bouts seraient sur la table ; une route repose sur un pilier au moins
refused-photo-junction = une jonction a un disque gris sous le jaune ; elle a deux disques ou plus
refused-photo-older = cette route était déjà sur la photo précédente ; elle reste comme elle était
refused-photo-outside = cet endroit est hors de la photo ; touchez à l'intérieur
refused-photo-flat = l'appareil regarde presque à plat, { ROUND($tilt, 0) } degrés sous l'horizon ; prenez la photo de plus haut : 45 à 70 degrés sont bons, { ROUND($least, 0) } sont le minimum
refused-photo-open = les marques ne fixent pas l'appareil : des piliers pourraient être à { ROUND($mm, 0) } mm près ; { $add }
refused-photo-no-road = aucune route n'est marquée ; { $add }
refused-photo-few = { $roads } routes ne suffisent pas pour trouver l'appareil ; { $add }
refused-photo-add = { $few ->
    [1] marquez plus de routes (cinq ou plus suffisent)
   *[other] marquez plus de routes
 }
refused-photo-add-sheet = { $few ->
    [1] marquez plus de routes (cinq ou plus suffisent)
   *[other] marquez plus de routes
 }, ou posez une feuille de papier sur la table et marquez ses coins
refused-photo-nothing-fits = aucun appareil n'a pu voir ces marques ; vérifiez les disques et les bouts des { $roads } routes
refused-photo-moved = les photos n'ont pas la même taille, l'appareil a donc bougé ; marquez de nouveau cinq anciennes routes sur la seconde
refused-photo-players = les photos ont { $first } et { $second } joueurs ; mettez-les d'accord
refused-photo-nothing-new = toutes les routes marquées sont déjà dans la partie ; marquez ce qui a été construit depuis
refused-photo-stack = { $discs ->
    [one] { $discs } disque
   *[other] { $discs } disques
 }{ $junction ->
    [true] { " " }dont un jaune
   *[false] { "" }
 }
refused-photo-height = { $piece } a { $was } dans la partie et { $now } dans les marques ; comptez de nouveau
refused-photo-rests = { $piece } repose sur { LIST($pillars) } dans la partie ; les marques ont d'autres piliers
refused-photo-over = { $piece } : la partie est finie ; on ne construit plus de route
refused-photo-turn = { $piece } : c'est à { $mover } de jouer, pas à { $owner } ; mettez les routes dans l'ordre de construction, les tours passés dans la partie
refused-photo-next-road = { $piece } : la prochaine route de { $owner } est { $wanted } ; nommez-la ainsi
refused-photo-next-pillar = { $piece } : le prochain pilier de { $owner } est { $wanted } ; nommez-le ainsi
refused-photo-from = { $piece } : from doit être un pilier qui était déjà là ; le nouveau pilier est `to`
refused-photo-to = { $piece } : { $pillar } était déjà là ; une route mène à un nouveau pilier (règles 4f)
refused-mark-outside = { $what } est marqué en ({ NUM($x) }, { NUM($y) }), hors de l'image de { $width } x { $height } pixels ; marquez-le de nouveau
refused-mark-junction = { $piece } : une jonction a un disque gris sous le jaune, discs vaut donc 2 ou plus ; comptez de nouveau
refused-mark-foreign = { $piece } : { $key } est { $pillar }, un pilier de { $owner } ; une route joint ses propres piliers
refused-mark-both-down = { $piece } : les deux bouts sont sur la table ; une route repose sur un pilier au moins
refused-mark-one-pillar = { $piece } : les deux bouts sont à { $pillar } ; nommez le pilier sous chaque bout
refused-mark-one-place = { $piece } : les deux bouts sont marqués au même endroit ; marquez l'autre bout
refused-mark-sheet = feuille : dans cet ordre, ses coins ne font pas une figure à quatre côtés ; marquez-les l'un après l'autre, en faisant le tour
refused-mark-top = { $piece } : aucune route n'y aboutit et son sommet n'est pas marqué ; marquez son sommet, ou laissez-le de côté
refused-photo-other-table = seules { $seen } routes sur { $roads } de la photo vont avec la table de cette partie ; regardez propriétaires, disques et bouts des routes, ou la photo : est-ce cette table ?
refused-note-correct-cannot = le coup { $ply } ne peut se jouer aux places de cette photo : { $why } ; regardez les marques de ses pièces
refused-note-correct-old = la partie a changé depuis la lecture de la photo ; relisez-la
refused-note-correct-lost = quelqu'un a changé ce que le fichier garde des places d'avant la photo ; la correction ne peut être reprise
refused-os-enospc = plus de place sur le disque
refused-os-edquot = quota du disque dépassé
refused-os-erofs = le système de fichiers est en lecture seule
refused-os-eacces = accès refusé
refused-os-eperm = opération non permise
refused-os-enoent = fichier ou dossier introuvable
refused-os-eio = erreur d'entrée ou de sortie
refused-os-efbig = fichier trop grand
refused-os-emfile = trop de fichiers ouverts
# Ce que le serveur répond avant de construire une page.
guard-name = ce serveur n'est pas connu sous ce nom
guard-origin = ce serveur ne parle qu'à ses propres pages
guard-doubled = un en-tête figure deux fois dans la requête
guard-sockets = trop de connexions
guard-requests = trop de requêtes ; attendez une minute et rechargez la page
guard-bytes = on ne lit pas autant d'octets
guard-broken = la requête s'est interrompue
# Un joueur de l'ordinateur qui a échoué, et pourquoi.
trouble = { $who } : { $why }

# ---------------------------------------------------------------------------------------------------------------------
# Ce qui a été fait, et pourquoi l'arbitre en juge ainsi
# ---------------------------------------------------------------------------------------------------------------------

reason-fault = { $why }
reason-illegal = refusé : { $why }
reason-accepted = contraire à la règle, mais remarqué trop tard : cela reste (KR 4.3) : { $why }
reason-remark = remarque : { $why } ; ce peut être une erreur de mesure, car tout point peut être faux de { NUM($within) } mm
reason-resign = { $seat } abandonne ; ce que { $seat } a construit reste
reason-pass = { $seat } passe son tour : { $why }
pass-no-room = il ne reste aucun endroit où construire
pass-accepted = personne n'a remarqué qu'on pouvait jouer
pass-may-pass = on peut passer son tour (may_pass)
lack-roads = il ne reste aucune route
lack-bases = il ne reste aucun point d'ancrage
lack-discs = { $grey ->
    [one] { $grey } pilier gris
   *[other] { $grey } piliers gris
 } et { $yellow ->
    [one] { $yellow } pilier jaune
   *[other] { $yellow } piliers jaunes
 } ne suffisent pas
lack-discs-full = { $grey ->
    [one] { $grey } pilier gris
   *[other] { $grey } piliers gris
 } et { $yellow ->
    [one] { $yellow } pilier jaune
   *[other] { $yellow } piliers jaunes
 } ne suffisent à aucun pilier depuis { LIST($heights, join: ", ") }, et aucune sortie n'y est permise
lack-height = { PIECE($piece) } ({ $discs })
reason-building = { $seat } pose { PIECE($piece) } ({ $building }) en { POINT($at) } ; il ne bouge plus
reason-adjusted = { $seat } rectifie { PIECE($piece) }{ $exit ->
    [true] , qui finit
   *[false] {""}
 } en { POINT($at) } ; jugé comme construit ainsi
reason-built-exit = { $seat } pose { PIECE($road) }, une sortie depuis { PIECE($base) } jusqu'à la table en { POINT($at) }{ at-try }
reason-built-entrance = { $seat } construit { PIECE($pillar) } ({ count-discs }) en { POINT($at) } et pose { PIECE($road) }, son entrée{ at-try }
reason-built-build = { $seat } construit { PIECE($pillar) } ({ count-discs }{ $junction ->
    [true] , jonction au sommet
   *[false] {""}
 }) en { POINT($at) } et pose { PIECE($road) } depuis { PIECE($base) }{ at-try }
at-try = { $tries ->
    [1] {""}
   *[other] {" "}({ $tries } essais)
 }
reason-try = essai { $try } : { $line }
reason-touched = la main touche { PIECE($piece) }{ $redo ->
    [true] {"\u00A0"}: la construction ne compte pas (KR 3.3)
   *[false] {""}
 }
reason-undone = la construction est défaite et { $seat } perd son tour{ at-try } : { $why }
undone-fell = { FIRST(PIECES($pieces)) } : tombé
undone-hand = la main a touché { FIRST(PIECES($pieces)) } (KR 3.3)
undone-void = elle n'a pas tenu, vu à la table
reason-breach = { $why } : il faut reconstruire
breach-touches = { PIECE($piece) } touche { PIECE($other) } là où tout repose
breach-hangs = le bout du bas est à { ROUND($mm) } mm de la table : { PIECE($piece) }
breach-not-borne = { PIECE($piece) } ne repose pas sur { PIECE($other) }
breach-falls-again = remise en place, { PIECE($piece) } retombe à côté de ce qui est nouveau
breach-never-rests = { PIECE($piece) } ne se repose jamais à côté de ce qui est nouveau
reason-close-call = trop juste pour trancher : { $why }
close-call-meeting = croise-t-elle { PIECE($road) } ? { ROUND($mm) } mm en décident
close-call-side = passe-t-elle dessus ou dessous { PIECE($road) } ? { ROUND($mm) } mm en décident
close-call-taken = { PIECE($other) } occupe-t-elle ce côté de { PIECE($road) } ?
reason-between = trop juste pour trancher : { $least } ou { $most ->
    [one] { $most } voiture
   *[other] { $most } voitures
 } ; on en compte { $earned }

# Les croisements : `$side` est `over` (au-dessus) ou `under` (au-dessous).
reason-crossing = { $side ->
    [over] au-dessus
   *[under] au-dessous
 } de { $reason ->
    [own] sa propre route, { $road },
   *[other] { PIECE($road) }
 } en { POINT($at) }, espace de { ROUND($mm) } mm : { $why }
crossing-own = croiser sa propre autoroute ne rapporte rien
crossing-ramp = ne rapporte rien, c'est une rampe (ramps_count = false)
crossing-inactive = ne rapporte rien, { $owner } est éliminé ou a fini (inactive_roads_count = false)
crossing-voided = ne rapporte rien, la nouvelle route croise { LIST(PIECES($own)) } du même joueur (own_cross_voids)
crossing-voided-many = ne rapporte rien, la nouvelle route croise { $count } routes du même joueur (own_cross_voids)
crossing-taken = ne rapporte rien, { LIST($takers) }
side-taken-before = { $side ->
    [over] au-dessus
   *[under] au-dessous
 } de { PIECE($road) }, il y a déjà { LIST(PIECES($takers)) }
crossing-taken-many = ne rapporte rien, { PIECE($first) } et { $more ->
    [one] { $more } autre route
   *[other] { $more } autres routes
 } y passent déjà { $side ->
    [over] au-dessus
   *[under] au-dessous
 }
crossing-taker = { PIECE($road) } y passe déjà { $side ->
    [over] au-dessus
   *[under] au-dessous
 } en { POINT($at) }, espace de { ROUND($mm) } mm
crossing-free = rapporte une voiture ({ $roads ->
    [other] aucune autre route
    [opponents] aucune route adverse
    [other-active] aucune autre route d'un joueur en jeu
   *[opponents-active] aucune route d'un adversaire en jeu
 } { $memory ->
    [history] n'est passée
   *[state] ne passe
 } { $side ->
    [over] au-dessus
   *[under] au-dessous
 }{ within-mm }{ $memory ->
    [history] {" "}depuis qu'elle est construite
   *[state] {""}
 })
within-mm = { $within ->
    [none] {""}
   *[other] {" "}à moins de { ROUND($within) } mm
 }
reason-ends-under = { PIECE($road) } finit { ROUND($mm, $digits) } mm { $past ->
    [true] au-delà
   *[false] en deçà
 } du milieu de { PIECE($other) }
reason-no-crossing = ne croise aucune route
reason-exit-bonus = la sortie donne 1 voiture en bonus (FR 8, KR 8)
reason-exit-bonus-lost = le bonus de la sortie est perdu : la route croise sa propre autoroute (own_cross_voids)
reason-cars = { $seat } gagne { count-earned } et en pose { $placed }
reason-cars-why = { reason-cars } ({ LIST($why, join: " ; ") })
cars-stock = il n'en reste que { $stock } à { $seat }
cars-clean-win = la dernière est rendue, quelque chose est tombé pendant ce tour : clean_win
cars-fell = pas restées sur la route : { FIRST(PIECES($pieces)) }
cars-declined = { $seat } n'en pose pas d'autre
cars-steep = la route monte de { ROUND($degrees) } degrés, le frottement tient jusqu'à { ROUND($holds) }
cars-no-place = la route n'a plus de place
reason-put-back = { PIECE($piece) } { $why ->
    [fell] a glissé de { PIECE($road) }
    [touches] touchait une autre pièce sur { PIECE($road) }
   *[unknown] n'est pas restée sur { PIECE($road) }
 }{ $was ->
    [none] {""}
   *[other] {" "}à { ROUND($was, 2) }
 } et { $now ->
    [none] retourne dans la réserve de { $seat }
    [on-it] y est reposée
   *[other] est reposée à { ROUND($now, 2) }
 }
reason-put-pillar = { PIECE($piece) } se trouve maintenant en { POINT($at) }
reason-put-road = { PIECE($piece) } va maintenant de { POINT($at) } à { POINT($until) }
reason-put-car = { PIECE($piece) } est maintenant sur { PIECE($road) } à { ROUND($along, 2) }{ $turn ->
    [0] {""}
   *[other] , tournée de { ROUND($turn) } degrés
 }
reason-put-building = { PIECE($piece) } se trouve maintenant en { POINT($at) }{ $turn ->
    [0] {""}
   *[other] , tourné de { ROUND($turn, 0) } degrés
 }
reason-put-gone = { PIECE($piece) } a quitté la table pour de bon

# Chutes et pénalités
reason-fall = { PIECE($piece) } tombe : { $why }{ $own ->
    [true] {" "}(ses propres pièces ne coûtent rien)
   *[false] {""}
 }
fall-shifted = déplacement de { ROUND($measured, $digits) } mm, plus de la moitié du rayon ({ ROUND($allowed, $digits) } mm)
fall-sank = descente de { ROUND($measured, $digits) } mm, plus de la moitié de la hauteur ({ ROUND($allowed, $digits) } mm)
fall-tipped = inclinaison de { ROUND($measured, $digits) } degrés, plus de { ROUND($allowed, $digits) }
fall-moved = déplacement de { ROUND($measured, $digits) } mm, plus que fall_distance = { ROUND($allowed, $digits) } mm
fall-off-its-disc = une extrémité est { ROUND($measured, $digits) } mm sous le dessus de son pilier, plus que l'épaisseur d'une route ({ ROUND($allowed, $digits) } mm)
fall-far-off-its-disc = une extrémité est à { ROUND($measured, $digits) } mm de son pilier
fall-off-its-road = son milieu est à { ROUND($measured, $digits) } mm au-dessus de sa route, { ROUND($allowed, $digits) } mm au plus
fall-below-its-road = son milieu est à { ROUND($mm) } mm sous le dessus de sa route
fall-far-off-its-road = elle est à { ROUND($measured, $digits) } mm de sa route
fall-observed = vu à la table
reason-mended = tout ne tenait pas ou bougeait encore une fois remis en place : { FIRST(PIECES($pieces)) } { $count ->
    [one] a été redressée
   *[other] ont été redressées
 }
reason-close = c'est très juste : dans { $differs } essais égaux sur { $starts }, { $count ->
    [0] le verdict est différent
    [one] { FIRST(PIECES($pieces)) } { $fell ->
        [true] reste en place
        [false] tombe
       *[other] finit autrement
     }
   *[other] { FIRST(PIECES($pieces)) } finissent autrement
 }
reason-restless = { FIRST(PIECES($pieces)) } { $count ->
    [one] bougeait encore à la fin du temps : sa place n'est pas certaine
   *[other] bougeaient encore à la fin du temps : leur place n'est pas certaine
 }
reason-payment = pénalité : { $from } { $owed ->
    [0] ne doit rien à { $to }
    [one] doit à { $to } { $owed } disque pour { $owed } pièce tombée
   *[other] doit à { $to } { $owed } disques pour { $owed } pièces tombées
 }{ $unit ->
    [stack] {" "}(les pièces d'un même pilier comptent pour une)
   *[disc] {""}
 }, et donne { LIST($gifts) }{ $capped ->
    [true] {"\u00A0"}: plus de { $currency ->
        [any] piliers ni de routes
       *[discs] piliers
     }
   *[false] {""}
 }
gift-grey = { $count ->
    [one] { $count } pilier gris
   *[other] { $count } piliers gris
 }
gift-yellow = { $count ->
    [one] { $count } pilier jaune
   *[other] { $count } piliers jaunes
 }
gift-roads = { $count ->
    [one] { $count } route
   *[other] { $count } routes
 }
gift-nothing = rien

# Ce qui s'ensuit
reason-finished = { $seat } a placé toutes ses voitures et { $rank ->
    [1] gagne
   *[other] finit à la place { $rank }
 }
reason-out = { $seat } est éliminé : { $why }
out-resigned = a abandonné
out-no-room = aucun endroit où construire pendant deux de ses tours de suite
out-still-unable = ne peut toujours pas construire à son tour suivant, { $lack } (KR 10.2)
out-last-round = { $lack }, et tous les autres ont joué encore un tour sans pénalité (FR 10.2)
reason-over = la partie est finie ({ $reason ->
    [all-cars-placed] toutes les voitures sont placées
    [last-standing] les autres sont éliminés
    [resigned] abandon
   *[other] arrêtée
 }) : { $count ->
    [one] { $winner } gagne
   *[other] { LIST($winners) } gagnent
 }
reason-goes-on = { $seat } continue : aucune voiture n'est encore posée (turn_end = until_car)

# Ce qui fait douter qu'une construction tienne
reason-doubt-steep = { PIECE($piece) } est sur une pente de { ROUND($degrees) } degrés ; le frottement tient jusqu'à { ROUND($holds) } : elle peut glisser
reason-doubt-slips = hors d'équilibre par la statique : { PIECE($piece) } glisse{ on-other } et peut tomber
reason-doubt-tips = hors d'équilibre par la statique : { PIECE($piece) } bascule{ on-other } et peut tomber
reason-doubt-falls = hors d'équilibre par la statique : rien ne porte { PIECE($piece) }{ on-other }
on-other = { $other ->
    [none] {""}
   *[other] {" "}sur { PIECE($other) }
 }

# Ce que la statique et le risque d'une main disent d'un placement
statics-bears = supporte { ROUND($sideways, 2) } g de côté{ $push ->
    [none] {""}
   *[other] , une poussée de { ROUND($push, 0) } mN
 }{ $piece ->
    [none] {""}
   *[other] {"\u00A0"}; d'abord { PIECE($piece) } { statics-way }{ on-other }
 }
statics-unbalanced = hors d'équilibre{ $piece ->
    [none] {""}
   *[other] {"\u00A0"}: { PIECE($piece) } { statics-way }{ on-other }
 }
statics-way = { $way ->
    [slips] glisse
    [tips] bascule
   *[falls] tombe
 }
risk-told = main { $skill ->
    [expert] experte
    [clumsy] maladroite
   *[normal] normale
 }, { $samples } essais : tient { ROUND($stands, 0) } % ({ ROUND($low, 0) } à { ROUND($high, 0) } %), fait tomber d'autres pièces { ROUND($others, 0) } %, pénalité attendue { ROUND($penalty, 2) } piliers
# Pourquoi une construction ne tient pas, et en combien d'essais
statics-why = ne tient pas : { LIST($why, join: ", ") } ; { $said }
risk-why = { $said } ; { LIST($why, join: ", ") }
why-in-tries = { $why } ({ $count } essais sur { $tries })
why-fell = { PIECE($piece) } tombe
why-touches = { PIECE($piece) } touche { PIECE($other) }
why-hangs = le bout du bas de { PIECE($piece) } ne touche pas la table
why-not-borne = { breach-not-borne }
why-falls-again = { breach-falls-again }
why-never-rests = { breach-never-rests }
why-hand = la main touche { PIECE($piece) }

# Ce qu'une vérification a trouvé
reason-divergence = { PIECE($piece) } repose ailleurs, à { ROUND($mm, 2) } mm et { ROUND($degrees, 2) } degrés
reason-mismatch = { $what } : la partie dit { $said }, l'arbitre { $found }

# ---------------------------------------------------------------------------------------------------------------------
# Les côtés d'une route, une table et un verdict en bref
# ---------------------------------------------------------------------------------------------------------------------

slot = { PIECE($road) } : { $over }, { $under }
slot-nobody = { PIECE($road) } : { $why }
nobody-ramp = une rampe ne rapporte de voiture à personne (ramps_count = false)
nobody-inactive = { $owner } est éliminé ou a fini, elle ne rapporte de voiture à personne (inactive_roads_count = false)
side-free = { side-word } libre
side-taken = { side-word } pris par { LIST($takers) }
side-taken-free-for = { side-taken }, libre pour { LIST($free_for) }
side-near = { side-word } libre, sauf à moins de { ROUND($within) } mm de { LIST($takers) }
side-word = { $side ->
    [over] dessus
   *[under] dessous
 }
side-taker = { PIECE($road) } en { POINT($at) }

table-to-move = Tokyo Highway, { $phase ->
    [entrances] entrées
    [buildings] bâtiments
   *[play] jeu
 } : à { $player } de jouer
table-won = Tokyo Highway, partie finie ({ $reason }) : gagnée par { LIST($winners) }
table-drawn = Tokyo Highway, partie finie ({ $reason }) : personne ne gagne
table-stock = il reste à { $player } { $grey } piliers gris et { $yellow } jaunes, { $roads ->
    [one] { $roads } route
   *[other] { $roads } routes
 } et { $cars ->
    [one] { $cars } voiture
   *[other] { $cars } voitures
 }
table-pillar = { PIECE($piece) } : { count-discs } en { POINT($at) }{ $junction ->
    [true] , une jonction
   *[false] {""}
 }
table-building = { PIECE($piece) } : { $building } en { POINT($at) }{ $turn ->
    [0] {""}
   *[other] , tourné de { ROUND($turn, 0) } degrés
 }
table-car = { PIECE($piece) } : sur { PIECE($road) }, à { ROUND($along, 2) } de sa longueur{ $turn ->
    [0] {""}
   *[other] , tournée de { ROUND($turn, 0) } degrés
 }
verdict-nothing-to-build = permis, rien à construire
verdict-stands = permis, et cela tient
verdict-does-not-stand = permis, mais cela ne tient pas
verdict-cars = { $count ->
    [one] { $count } voiture posée
   *[other] { $count } voitures posées
 } ({ LIST($pieces) })
verdict-fell = tombé : { LIST(PIECES($pieces)) }
verdict-paid = { $count ->
    [one] { $count } pièce donnée
   *[other] { $count } pièces données
 } à { $player }

# ---------------------------------------------------------------------------------------------------------------------
# Les mots des pages
# ---------------------------------------------------------------------------------------------------------------------

skip = Aller au contenu
language = Langue
theme = Clair ou sombre
welcome = À quoi voulez-vous jouer ?
new_game = Nouvelle partie
begin = Commencer
cancel = Annuler
rooms = Salons
records = Parties enregistrées
saved = Vos parties
scenarios = Exemples : quand un croisement rapporte une voiture ({ $n })
upload = Apporter une partie
upload_about = Un fichier d'une ligne par coup, écrit par Shutoko ou noté à table. Il est lu comme donnée et vérifié.
upload_pick = Choisissez un fichier .jsonl
upload_refused = Fichier refusé : on lit des parties de { $mib } Mio au plus, nommées .jsonl, .json ou .txt.
over = terminée
ply_n = coup { $n }
not_found = Introuvable
no_page = Il n'y a pas de page à cette adresse. Le lien est peut-être incomplet.
went_wrong = Une erreur est survenue
went_wrong_here = Le serveur n'a pas pu faire cette page. Réessayez ; si cela se reproduit, prévenez la personne qui tient le serveur : son journal dit ce qui s'est passé.
server_stops = Le serveur redémarre ; cette partie reprendra d'elle-même.
turn_lost = Le serveur s'est arrêté avant que les pièces ne se posent. Refaites ce coup.
offline = Pas de connexion. La page réessaie d'elle-même ; aucun coup n'est perdu.
no_room = Ce salon n'existe pas. Le lien est peut-être incomplet.
no_seat = Cette invitation n'ouvre aucune place de ce salon. Redemandez le lien à l'hôte.
own_link = Un lien pour un ami
own_link_whose = Ce lien donne la place de { $name }. Envoyez-le à votre ami ; vous avez déjà une place.
own_link_back = Retour à la partie
own_link_sit = Jouer aussi pour { $name } ici
no_record = Cette partie n'existe pas.
to_lobby = Vers l'accueil

tokyo-highway = Tokyo Highway
tokyo-highway_about = Posez des routes sur des piliers de disques, au-dessus et au-dessous de celles des autres. La physique décide de ce qui tient. 2 à 4 joueurs.
tokyo-highway_about_players = combien de personnes jouent
tokyo-highway_about_ruleset = les règles en vigueur
tokyo-highway_about_components = la boîte : dimensions et frottement des pièces
thruway = Thruway
thruway_about = Pavez deux cases à la fois jusqu'à joindre vos deux bords par des dalles indestructibles. 2 joueurs.
thruway_about_size = le nombre de cases par côté du plateau
thruway_about_trade = le premier tour de l'asphalte peut commencer par un échange des couleurs
thruway_about_ko = les réponses à un échange de dalles qui sont interdites
thruway_about_repetition = si la troisième apparition d'une position termine la partie sans gagnant
thruway_how =
    Le béton joint l'ouest et l'est, l'asphalte le nord et le sud. Pointez entre deux cases pour y poser deux de vos dalles ; l'une peut porter une dalle adverse, qui est remplacée. Dans une dispute (pointillés) vous pouvez échanger deux dalles. Les dalles à rivets sont indestructibles : toutes leurs voisines sont pavées.
    Au clavier : les flèches vont de case en case, Entrée choisit la première, puis sa voisine. Ou tapez un coup : f5-g5 pave, e6/f6 échange.
meridians = Meridians
meridians_about = Posez des pierres en vue des vôtres. Un groupe qui n'en voit aucun autre de sa couleur meurt. 2 joueurs.
meridians_about_size = le nombre de points des longs côtés du plateau
meridians_about_pie = une personne pose une pierre de chaque couleur, puis l'autre choisit sa couleur
meridians_how =
    Posez une pierre là où, dans une des six directions, la première pierre rencontrée est à vous. Un groupe sans chemin droit et vide vers un autre groupe de sa couleur (marqué d'une croix) est retiré au début du tour adverse, s'il n'en trouve pas. Qui n'a plus de pierre a perdu.
    Au clavier : les flèches vont de point en point, Entrée joue. Ou tapez un point : d4.

players = Joueurs
name_n = Nom du joueur { $n }
player_n = Joueur { $n }
seat_me = à cet écran
seat_friend = un ami, par lien
seat_computer = l'ordinateur
no_computer = Aucun joueur automatique n'est installé pour ce jeu : jouez à plusieurs, à cet écran ou par lien.
more = Autres réglages
clock = Pendule
increment = Secondes par coup
friendly = On peut reprendre un coup
level = Niveau
own_player = Un autre joueur ordinateur, par son nom
computer_named = ordinateur, { $level }
level_first = première partie
level_beginner = débutant
level_easy = facile
level_medium = moyen
level_hard = difficile
level_full = pleine force
level_random = coups au hasard
size = Taille du plateau
pie = L'un pose deux pierres, l'autre choisit sa couleur
trade = On peut échanger les couleurs au début
ko = Échanger les dalles en retour
repetition = Trois fois la même position
hand = Votre main est-elle sûre ?
hand_of_it = Sa main est-elle sûre ?
hand_none = ne tremble jamais
hand_expert = très sûre
hand_normal = comme celle de la plupart
hand_clumsy = maladroite
hand_helped = la mienne, avec un peu d’aide
hand_own = la mienne, sans aide
sounds = Sons
hand_lower = Descendre
hand_left = Tourner à gauche
hand_right = Tourner à droite
hand_let_go = Lâcher
hand_put_back = Reposer
hand_ended = La table a changé ; la pièce que vous teniez est reposée.
hand_pillar = Menez-la au-dessus de sa place. Maintenez pour descendre, relâchez pour lâcher.
hand_road = Maintenant la route, aux deux bouts. Plus vous la tenez, plus elle tremble.
place_drawn = Poser pour moi
ruleset = Règles
components = Boîte
tokyo-highway_value_standard = les règles habituelles
tokyo-highway_value_fr = le livret français
tokyo-highway_value_kr = le livret coréen
tokyo-highway_value_en2 = la boîte anglaise à deux
tokyo-highway_value_rainbow = Rainbow City
tokyo-highway_value_estimate-2018 = la boîte de 2018
tokyo-highway_value_estimate-rubber = caoutchoutée, comme dans Rainbow City
thruway_value_undo = pas tout de suite
thruway_value_same = pas vers la même dispute
thruway_value_any = pas vers une dispute au même endroit
thruway_value_none = toujours permis
thruway_value_None = la partie continue
thruway_value_draw3 = partie nulle

you = vous
free_seat = on attend quelqu'un
seat_free = libre
other_holds = { $name } mène la pièce à sa place ...
held_elsewhere = Vous tenez la pièce dans une autre page ; la page qui la pose la première compte.
other_tried = C'est tombé. { $name } peut réessayer ou en rester là.
away = absent
undo = Reprendre
resign = Abandonner
resign_sure = Voulez-vous vraiment abandonner ?
resign_later = Vous quitterez la partie dès que ce sera votre tour.
hint = Conseil
hint_later = Ce n'est pas votre tour.
hinted = Conseil : { $move }
replay = Revoir
download = Télécharger
log = Ce qui s'est passé
log_empty = Rien encore. Chaque coup est raconté ici.
how_to = Comment jouer ici
how_board =
    Pointez le plateau : il montre ce qu'un coup y ferait. Cliquez pour jouer le coup ; au doigt, confirmez-le par le bouton. Si un coup a plusieurs cases, choisissez-les l'une après l'autre. Les coups qui n'ont pas de place sur le plateau ont des boutons.
    Au clavier : les flèches vont de case en case, Entrée choisit une case. Ou tapez un coup.
how_scene = Chaque coup qui peut être énuméré a un bouton. Ou tapez un coup. Glissez pour tourner la vue, tournez la molette pour zoomer.
invite = En attente de { $name } ... Envoyez ce lien ; c'est la clé de la place :
watch_link = Qui reçoit l'adresse de cette page peut regarder.
your_turn = À vous de jouer.
your_turn_build = À vous : choisissez une pièce, puis sa place.
your_turn_goal = À vous : croisez { $rivals ->
    [1] les routes de { $colour }
   *[other] les routes des autres
 }, chacune rapporte une voiture. Qui n’a plus de voiture gagne.
your_turn_buildings = À vous : posez un bâtiment là où les routes voudraient passer. Choisissez-le, puis sa place.
thruway_your_turn_1 = À vous : reliez l’ouest et l’est avec du béton. Pointez entre deux cases pour les paver.
thruway_your_turn_2 = À vous : reliez le nord et le sud avec de l’asphalte. Pointez entre deux cases pour les paver.
meridians_your_turn_1 = À vous : isolez les pierres sombres jusqu’à la dernière. Posez une pierre d’où elle voit une des vôtres.
meridians_your_turn_2 = À vous : isolez les pierres claires jusqu’à la dernière. Posez une pierre d’où elle voit une des vôtres.
turn_of = À { $name } de jouer.
thinks = { $name } réfléchit ...
player_gone = { $spec } n’existe plus : le joueur le plus fort continue
busy = Les pièces se posent ...
builds = { $name } construit ...
wins = { $name } gagne : { $reason }.
one_wins = { $name } gagne
you_win = Vous gagnez
nobody_wins = Égalité
watch_it = Revoir la partie
best_fall = { $n ->
    [one] Le plus beau moment : { $name } fait tomber une pièce au coup { $ply }
   *[other] Le plus beau moment : { $name } fait tomber { $n } pièces au coup { $ply }
}
best_cars = { $n ->
    [one] Le plus beau moment : { $name } gagne une voiture au coup { $ply }
   *[other] Le plus beau moment : { $name } gagne { $n } voitures au coup { $ply }
}
drawn = Personne ne gagne : { $reason }.
wishes_undo = { $name } voudrait reprendre { $tried ->
    [true] l'essai tombé
   *[false] le dernier coup
 }.
reason_all-cars-placed = toutes les voitures sont posées
reason_last-standing = les autres n'ont plus de matériel
reason_resigned = par abandon
reason_connected = les deux bords sont joints
reason_annihilated = l'adversaire n'a plus de pierre
reason_drawn = répétition, ou deux passes
reason_ply-cap = la partie a été arrêtée
time_over = n'a plus de temps
type_move = Tapez un coup
play_typed = Jouer ce qui est tapé
confirm = Jouer { $move }
picked = { $cell } est choisie. À présent l'autre case.
ask_trade = Vous pouvez échanger les couleurs avant votre premier tour :
ask_keep = Choisissez votre couleur :
move_trade = Échanger les couleurs
move_keep = Garder le noir
move_swap = Prendre le clair
move_pass = Passer (aucun autre coup)
move_resign = abandonne

empty = vide
thruway_1 = béton
thruway_2 = asphalte
meridians_1 = clair
meridians_2 = sombre
sign_solid = indestructible
sign_dispute = en dispute
sign_dead = sans chemin
sign_gone = retirée à l'instant
pave = paver { $a } et { $b }
replace = paver { $a } et { $b }, en remplaçant une dalle
swap_pair = échanger { $a } et { $b }
put = { $colour } en { $cell }

tokyo-highway_how =
    Choisissez une pièce, puis sa place : un pilier transparent et sa route vous suivent, verts où les règles le permettent, rouges sinon ; touchez la phrase du haut pour savoir pourquoi. + et − à côté du nombre changent la hauteur. Prenez-la en main, menez-la au-dessus de son anneau, maintenez pour descendre, et lâchez. Touchez un de vos piliers pour partir de lui. Précis, dans le menu, offre la même chose à qui préfère taper.
    On gagne une voiture par route adverse que l'on passe le premier, dessus ou dessous. Un pilier a un disque de plus ou de moins que le précédent ; un disque jaune fait une jonction de hauteur libre, d'où deux routes peuvent partir. Qui pose sa dernière voiture gagne. Ce que l'on fait tomber coûte un disque par pièce et est remis en place.
slots = Côtés libres
takes = Prendrait { $sides }
closes = Fermerait ses propres côtés : { $sides }
opens = Laisserait libre { $sides }
side_over = { $road } par le dessus
side_under = { $road } par le dessous
look_all = Toute la table
look_above = D'en haut
build = Pilier et route
exit = Sortie
junction = Jonction
nearest = le plus proche
base = Depuis
auto = auto
height = Disques
building = Bâtiment
building_tower = Tour
building_slab = Barre
building_cylinder = Cylindre
building_block = Bloc
buildings_left = Bâtiments restants
turn = Angle (degrés)
place_far = Au plus à { $mm } mm du milieu
place = Poser
adjust = Rectifier
no_room_left = Plus de place : passer
pass_turn = Passer son tour
risk_for = Risque pour une main
risk = Demander
statics = Statique : { $said }
point_table = Choisissez une place sur la table.
stock_cars = voitures
stock_grey = gris
stock_yellow = jaunes
stock_roads = routes
out = éliminé
in_place = { $n ->
    [1] 1re place
   *[other] { $n }e place
}

# Entre amis
link = Lien
copy = Copier le lien
copy_watch = Copier le lien pour regarder
copied = Copié
qr = Code QR du lien, pour l'appareil photo d'un téléphone
only_here = Ce lien ne marche que sur cet ordinateur. Pour jouer en réseau, lancez la table avec : shutoko serve --host 0.0.0.0
your_name = Votre nom
keep = Garder
chat = Discussion
chat_kept = Tout le monde à cette table peut lire. Les messages ne sont pas gardés avec la partie.
say_something = Dites quelque chose
send = Envoyer
mute = Muet
a_watcher = Un spectateur
watcher = { $name } (regarde)
emote_hello = Bonjour !
emote_bravo = Bien joué !
emote_wow = Oh là là !
emote_oops = Oups !
emote_wait = Un instant, s'il vous plaît.
emote_thanks = Merci !
yes = Oui
no = Non
back_asked = { wishes_undo } D'accord ?
back_declined = Rien ne change : tout le monde ne veut pas le reprendre.
time_up = { $name } n'a plus de temps. Vous pouvez réclamer la partie, ou simplement continuer.
own_time_up = Votre temps est écoulé. Tant que vous n'avez pas joué, les autres peuvent réclamer la partie.
claim = Réclamer la partie
bell = Prévenez-moi quand c'est à moi
clock_none = sans pendule
clock_of = { $minutes } min + { $seconds } s par coup
clock_own = autres temps
minutes = Minutes chacun
all_own_games = Toutes vos parties ({ $n })
no_own_games = Vous n'avez pas encore de parties. Chaque partie que vous commencez ou rejoignez est listée ici.
your_turn_now = à vous
won = gagnée
lost = perdue
draw = nulle

to_start = Au début
back = Un coup en arrière
play = Jouer ou arrêter
forward = Un coup en avant
to_end = À la fin
timeline = Fil du temps
speed = Vitesse
beginning = Le début
note = note
wrong = l'arbitre n'est pas d'accord
taken_back = repris
branch = Continuer d'ici
variations = Variantes ({ $n })
main_line = La partie elle-même
variation = { $n ->
    [0] dès le coup { $ply } : { $names }
    [one] dès le coup { $ply } : { $names }, { $n } coup
   *[other] dès le coup { $ply } : { $names }, { $n } coups
 }
branch_over = La partie est finie ici. Revenez à un coup d'avant, puis continuez de là.
branch_at = Continuer au coup { $ply }. Ce sera gardé comme variante de cette partie.
verify = Vérifier
verified = Tout est partagé : { $plies } coups jugés de nouveau.
not_verified = { $count ->
    [one] L'arbitre n'est pas d'accord sur { $count } point ; le coup est marqué.
   *[other] L'arbitre n'est pas d'accord sur { $count } points ; les coups sont marqués.
 }
share_it = Partager
share_jsonl = La partie elle-même
share_png = Une image de la fin
share_svg = Un dessin de la fin
share_gif = Toute la partie animée
share_html = Une page qui joue la partie sans réseau
share_glb = Un modèle animé en trois dimensions

best_moves = Meilleurs coups
was_played = joué
sure_win = gagne
sure_loss = perd
sure_draw = nulle
worth_cars = { $n ->
    [one] { $n } voiture
   *[other] { $n } voitures
 }
told_build = { $base } vers ({ $x }, { $y }), { $discs } de haut
told_junction = { $base } vers ({ $x }, { $y }), jonction, { $discs } de haut
told_exit = { $base } descend à ({ $x }, { $y })
told_entrance = entrée en ({ $x }, { $y })
told_building = { $building } en ({ $x }, { $y })
analysis = Analyse
think_time = Temps de réflexion
analysis_over = La partie est finie.
put_pair = clair en { $a }, sombre en { $b }
why_simulations = { $n } simulations jouées
why_depth = { $n } coups d'avance
why_end = en { $n } coups
why_even = l'ouverture la plus égale trouvée
why_colour = la meilleure couleur
why_entrance = l'entrée habituelle
why_entrance_other = une autre entrée que l'entrée habituelle
why_building = loin du milieu de la table
why_pass = rien d'autre n'a été trouvé
why_waits = attend que les autres construisent
why_declines = renonce à ses voitures
why_wins = pose la dernière voiture
why_earns = gagne { $n }
why_sets_up = en prépare { $n }
why_blocks = gêne { $colour }
why_spare = sûr, { $cm } cm de marge
why_lets = les autres pourraient gagner { $n }
why_spends = coûte { $grey } gris{ $yellow ->
    [0] { "" }
    [one] , { $yellow } jaune
   *[other] , { $yellow } jaunes
 }
as_here = Montrer le résultat calculé ici
as_recorded = Montrer seulement ce qui est noté
verifying = Coup { $done } sur { $plies } rejugé ...
watch_rest = Voir le reste
loses = { $count ->
    [one] { $colour } perd une pièce : { $cells }
   *[other] { $colour } perd { $count } pièces : { $cells }
 }
no_move_free = Aucun coup ne passe par { $cell } à présent.
no_move_taken = Aucun coup ne passe par { $cell } à présent.
meridians_no_move_free = { $cell } n'est pas en vue de vos pierres. Choisissez un point d'où, dans l'une des six directions, la première pierre rencontrée est à vous.
meridians_no_move_taken = Une pierre est déjà sur { $cell }. Choisissez un point libre.
meridians_picked = { $cell } est choisi. À présent le point de l'autre pierre.
computer_1 = Ren
computer_2 = Aoi
computer_3 = Midori
computer_4 = Sumire
colour_1 = Rouge
colour_2 = Bleu
colour_3 = Vert
colour_4 = Violet
you_name = Vous
in_short = { $who } : { $what }
why = Pourquoi ?
what_cars = +{ $n ->
    [one] { $n } voiture
   *[other] { $n } voitures
 }
what_no_car = aucune voiture
aim_no_car = Cela ne rapporte aucune voiture.
aim_remark = { $said } Trop juste pour dire si c’est permis : la mesure peut être fausse de { NUM($within) } mm.
what_over = au-dessus de { $owner }
what_under = sous { $owner }
what_exit = sortie
what_entrance = entrée
what_building = un immeuble
what_adjust = dernière construction rectifiée
what_pass = tour passé
what_resign = abandon
what_undone = cela ne tient pas, le tour est perdu
what_fell = { $n ->
    [one] { $n } pièce tombe
   *[other] { $n } pièces tombent
 }
what_close = c'est très juste : dans { $differs } essais égaux sur { $starts }, { $count ->
    [0] cela finit autrement
    [1] { $what ->
        [C] la voiture
        [R] la route
       *[P] le disque
     } { $fell ->
        [true] reste en place
        [false] tombe
       *[other] finit autrement
     }
   *[other] { $count } pièces finissent autrement
 }
what_pays = paiement à { $to } : { LIST($gifts) }
what_wins = victoire
what_illegal = contre les règles : { $why }
clip-fell = { $n ->
    [one] { $n } pièce tombée
   *[other] { $n } pièces tombées
 }{ $paid ->
    [0] {""}
   *[other] {" "}: { $who } en paie { $paid }
 }
what_let_stand = { $why } : illégal, laissé tel quel
what_claimed = { $n ->
    [one] { $n } voiture annoncée
   *[other] { $n } voitures annoncées
 }, { $counted ->
    [one] { $counted } comptée
   *[other] { $counted } comptées
 }
what_allowed = Permis ici.
colour_nobody = autre
advice = Pas ici : un peu à côté, ou une autre hauteur.
advice_reach = Plus près du pilier d'où part la route : elle n'arrive pas jusque-là.
advice_reach_itself = Pas sur le pilier lui-même : un peu plus loin.
advice_reach_down = De là, aucune route ne descend jusqu'à la table : partez d'un pilier plus bas.
advice_sticks-out = Un peu plus loin du pilier d'où part la route : elle dépasse.
advice_too-steep = Trop raide : plus loin, ou une autre hauteur.
advice_height = Une autre hauteur : un disque de plus ou de moins que le pilier précédent, ou une jonction.
advice_junction-height = Plus haut : une jonction a au moins un disque gris sous le jaune.
advice_stock-roads = Il ne reste pas assez de routes.
advice_stock-grey = Il reste trop peu de disques gris : construisez plus bas.
advice_stock-yellow = Il ne reste pas de disque jaune : construisez sans jonction.
advice_stock-cars = Il ne reste pas de voiture pour cela.
advice_touches-road = La route de { $colour } gêne : plus haut, plus bas ou un peu à côté.
advice_under-own-road = Elle reposerait sur votre propre route : de ce pilier, elle ne passe pas dessous.
advice_touches-car = La voiture de { $colour } gêne : plus haut ou un peu à côté.
advice_touches-pillar = Le pilier de { $colour } gêne : écartez un peu la route.
advice_touches-building = L'immeuble gêne : plus haut, ou contournez-le.
advice_over-building = Aucune route ne passe ici au-dessus d'un immeuble : contournez-le.
advice_over-pillar = La route couvrirait le pilier de { $colour } : un peu à côté.
advice_pillar-on-pillar = Un peu plus loin du pilier de { $colour }.
advice_pillar-on-building = Un peu plus loin de l'immeuble.
advice_building-overlap = Un peu plus loin de ce qui est déjà là.
advice_pillar-under-road = Aucun pilier sous une route : écartez-vous de la route de { $colour }.
advice_pillar-touches-road = Le pilier heurte la route de { $colour } : un peu à côté, ou plus bas.
advice_pillar-touches-car = Le pilier heurte la voiture de { $colour } : un peu à côté, ou plus bas.
advice_own-crossing = Vos propres routes ne se croisent pas ici.
advice_car-off-road = La voiture n'a pas de place sur la route : un peu plus long, ou ailleurs.
advice_car-on-car = Les voitures n'ont pas de place sur la route : ailleurs.
advice_car-touches = La voiture n'a pas de place : un peu à côté.
advice_exit-height = Une sortie part d'un pilier plus bas : descendez d'abord.
advice_entrance-far = Plus près du milieu de la table.
advice_base-used = Pas de ce pilier : choisissez un autre des vôtres.
advice_base-foreign = Pas de ce pilier : choisissez un des vôtres.
advice_base-unknown = Choisissez un de vos piliers d'où construire.
advice_has-room = Vous ne pouvez pas passer : il y a de la place.
advice_can-build = Vous ne pouvez pas passer : il y a un pilier d'où construire.
rematch = Rejouer
rematch_join = Vers la partie suivante
analyse = Analyser
graph_cars = Voitures posées, coup par coup
graph_pieces = Pièces sur le plateau, coup par coup
tally_turns = tours
tally_cars = voitures gagnées
tally_best = meilleur tour
tally_fallen = renversées
tally_paid = payées
own_games = Vos parties
play_friend = Jouer avec un ami
play_here = À deux sur cet écran
play_now = Jouer contre l'ordinateur
learn = Apprendre
show_me = Montrez-moi
lesson_skip = Passer le guide
lesson_n = Première partie : { $n } / { $of }
lesson_end = C'est tout ce qu'il faut savoir. La partie continue : amusez-vous bien.
lesson_tokyo-highway_1 = Les voitures font gagner : croisez une route de l'autre, et vous posez une voiture sur la vôtre. Qui n’en a plus gagne. Touchez l'endroit qui brille : votre entrée y sera.
lesson_tokyo-highway_2 = Prenez-la maintenant : le bouton rouge, ou touchez l'endroit encore une fois.
lesson_tokyo-highway_3 = Menez la pièce au-dessus de son anneau. Maintenez pour descendre, puis lâchez. Ensuite vient la route.
lesson_tokyo-highway_4 = Un pilier a un disque de plus ou de moins que le précédent. Touchez un endroit ; s'il y a le choix, + et − sont à côté de son nombre.
lesson_tokyo-highway_5 = Croisez une route de l'autre, dessus ou dessous : le croisement qui rapporte une voiture s'allume. Montrez-moi en allume.
lesson_tokyo-highway_6 = Maintenant, renversez quelque chose, exprès : construisez près d'une route ou d'un pilier, et lâchez trop tôt. Tout est remis en place, et vous voyez qui paie.
lesson_tokyo-highway_7 = Encore deux pièces. Un disque jaune a la hauteur qu'on veut, et deux routes en partent. Une sortie finit une route sur la table. Choisissez-en une.
lesson_meridians_1 = Votre première pierre va où vous voulez. Posez chacune des suivantes sur un point d'où, dans l'une des six directions, la première pierre rencontrée est à vous. Choisissez un point : des lignes montrent ce que la pierre verrait.
lesson_meridians_2 = Des pierres qui se touchent forment un groupe. Un groupe vit tant qu'il voit un autre groupe de sa couleur le long d'une ligne droite et vide. Bâtissez un second groupe en vue.
lesson_meridians_3 = Une croix marque un groupe qui n'en voit aucun autre : il meurt au début du tour adverse. Coupez les lignes entre les groupes de l'autre, et gardez les vôtres ouvertes.
lesson_thruway_1 = Choisissez la limite de deux cases : les deux sont pavées à votre couleur. Vos dalles doivent joindre deux côtés opposés du plateau.
lesson_thruway_2 = L'une des deux cases peut porter une dalle de l'autre : la vôtre la remplace. Mais seule une dalle dont tous les voisins sont pavés est sûre pour toujours : elle reçoit des rivets.
lesson_thruway_3 = Une dispute (en pointillé) est un carré de quatre dalles, deux de chaque couleur, en croix. Vous pouvez y échanger deux dalles au lieu de paver. Un chemin de dalles à rivets gagne.

# ---------------------------------------------------------------------------------------------------------------------
# Une table d'après une photo : ce qui semble faux, et ce qui lèverait un doute
# ---------------------------------------------------------------------------------------------------------------------

photo-suspect-discs = ses marques vont avec { $fits ->
    [one] { $fits } disque
   *[other] { $fits } disques
 }, pas avec { $marked } ; recomptez les disques
photo-suspect-swapped = ses bouts semblent échangés : la marque pour { $base ->
    [none] la table
   *[other] { $base }
 } est à l'autre bout ; échangez les deux marques
photo-suspect-tap = son bout { photo-foot } est marqué à { $off } pixels de là où les autres marques l'attendent ; touchez-le de nouveau, ou regardez si la route est vraiment posée ainsi
photo-suspect-picture = regardez de nouveau son bout { photo-foot } : la photo ne montre aucun bout de route là où il est marqué ; elle montre { $seen ->
    [end] un bout à { $off } pixels de là
   *[side] la route { $off } pixels à côté
 }
photo-foot = { $foot ->
    [none] sur la table
   *[other] sur { $foot }
 }
photo-suspect-rule-built = { count-discs } après { $before }, reliés par { $road } : un pilier gris a un disque de plus ou de moins que le précédent (règles 3c) ; recomptez les deux
photo-suspect-rule-ramp = { count-discs }, avec la rampe { $road } : une rampe mène à un pilier d'un disque (règles 2b et 6a) ; recomptez
photo-suspect-image = la photo ne montre que { $seen } des { $roads } routes là où elles sont marquées ; les marques sont peut-être celles d'une autre photo : donnez celle qui a été marquée
photo-suspect-car = elle n'est sur aucune route de son joueur ; marquez-la de nouveau, ou changez son joueur
photo-suspect-inside = la pièce entre de { ROUND($mm) } mm dans { $other }, ce qui est impossible ; regardez de nouveau les marques et les nombres de disques des deux
photo-settle-meeting = { $road } : regardez si elle croise { $other }, ou touchez de nouveau les bouts des deux
photo-settle-side = { $road } : regardez si elle passe dessus ou dessous { $other }, ou recomptez les disques sous les deux
photo-settle-taken = { $road } : regardez quelles routes croisent { $other }

# ---------------------------------------------------------------------------------------------------------------------
# Les pages d'une photo
# ---------------------------------------------------------------------------------------------------------------------

photo = Une photo
photo_title = Trancher une dispute avec une photo
photo_about = Une photo d'une vraie table de Tokyo Highway et deux touches par route : ce que chaque route croise, les voitures qu'elle a gagnées, et avec quelle certitude. Puis jouez la suite.
photo_since = La photo suivante de la même table, prise du même endroit ou d'un autre. Touchez ensuite les routes nouvelles.
photo_pick = Prendre ou choisir une photo
photo_private = La photo reste sur ce serveur, en mémoire seulement, et seul votre navigateur la voit. Ce qu'elle porte en plus de l'image est effacé. Elle est supprimée quand vous jouez la suite ou la supprimez, et une heure après votre dernier regard.
photo_too_large = Cette photo est refusée : { $mib } Mio au plus peuvent être lus.
photo_help_take = Regardez la table d'en haut, de 45 à 70 degrés. Mettez-la tout entière dans l'image, aussi grande que possible. Ne zoomez pas et ne recadrez pas ensuite.
photo_help_tap = Touchez les deux bouts de chaque route : le point extrême de sa face supérieure, au milieu. Commencez par la route construite la première.
photo_help_count = Comptez les disques sous chaque bout, y compris un jaune au sommet. Rien n'est à mesurer.
no_photo = Cette photo n'est pas ici. Elle a été supprimée, ou elle vient d'un autre navigateur.
photo_view = La photo. Une touche marque le bout d'une route. Les flèches déplacent d'un pixel la marque de la route regardée, avec Maj de dix ; plus et moins zooment.
photo_nearer = Agrandir
photo_further = Réduire
photo_whole = Toute la photo
photo_undo = Annuler
photo_mode_mark = Marquer
photo_mode_move = Déplacer
photo_mode_order = Ordre
photo_mode_sheet = Feuille
photo_sheet_a4 = A4, 297 x 210 mm
photo_sheet_letter = Lettre US, 279 x 216 mm
photo_sheet_card = Carte bancaire, 86 x 54 mm
photo_colour = À qui sont les routes marquées
photo_players = { $n } joueurs
photo_next_ramp = { $colour } : touchez la rampe d'entrée, d'abord son bout sur la table, puis celui sur le pilier.
photo_next_first = { $colour } : touchez un bout de la route suivante, dans l'ordre de construction.
photo_next_second = Touchez maintenant l'autre bout de cette route.
photo_next_move = Tirez une marque à sa place, ou touchez une route pour la regarder.
photo_next_found = Tirez une marque à sa place, touchez une route pour la regarder, ou touchez le milieu d'une route qui manque.
photo_next_since = Les anciennes routes ont les marques de la photo d'avant. Si elles sont justes, touchez un bout de la prochaine route de { $colour }. Si l'appareil a bougé, choisissez Déplacer et tirez les deux bouts de cinq anciennes routes là où ils sont maintenant.
photo_next_order = Touchez les routes dans l'ordre où elles furent construites : laquelle a le numéro { $n } ?
photo_next_sheet = { $n ->
    [4] La feuille est marquée. Touchez un coin pour recommencer.
   *[other] Touchez les coins de la feuille l'un après l'autre, en tournant, d'abord le long d'un grand côté : { $n } sur 4.
 }
photo_more_roads = { $n ->
    [0] Le fil de fer apparaît à partir de la quatrième route.
    [one] { $n } route est marquée. Le fil de fer apparaît à partir de la quatrième.
   *[other] { $n } routes sont marquées. Le fil de fer apparaît à partir de la quatrième.
 }
photo_found = L'appareil est trouvé, les touches sont justes à { $pixels } pixels près. Là où les fils verts ne suivent pas les pièces, un compte ou une touche est faux ; ce qui détonne est rouge.
photo_settle = Trancher
photo_marks_file = Marques
photo_delete = Supprimer la photo
photo_road = Route { $road }, construite en numéro { $n }
photo_remove = Retirer cette route
photo_count = { $n ->
    [0] Sur la table
    [one] Un disque
   *[other] { $n } disques
 }
photo_on_table = sur la table
photo_discs = { $n ->
    [one] disque dessous ({ $pillar })
   *[other] disques dessous ({ $pillar })
 }
photo_yellow = jaune
photo_chain = Une couleur vaut pour toute la chaîne : { $n } routes
photo_part = Ce bout est sur son propre pilier
photo_join = Ce bout est sur le pilier d'à côté
photo_look_again = { $n ->
    [one] Regardez encore { $n } chose.
   *[other] Regardez encore { $n } choses.
 }
photo_all_sure = Tout est sûr, rien ne semble faux.
photo_find = Trouver les routes
photo_looking = Recherche des routes : { $s } s. Dix sont habituelles, davantage sur un serveur occupé.
photo_stop = Arrêter
photo_stopped = Arrêté. Les marques sont comme avant.
photo_ask_road = Y a-t-il une route là où la photo est éclairée ?
photo_ask_discs = Combien de disques sous le bout éclairé { $end } ?
photo_ask_owner = À qui sont les routes éclairées ({ $n }) ?
photo_yes = Oui
photo_no = Non
photo_also = Cela a changé aussi : routes { $roads }, nombres de disques { $discs }, propriétaires { $owners }.
photo_side = Une photo d'un autre côté
photo_sides = { $sides ->
    [0] Seule cette photo montre la table.
    [1] Une photo d'un autre côté a aidé.
   *[other] { $sides } photos d'autres côtés ont aidé.
 }{ $out ->
    [0] {""}
    [1] { " " }Une n'a pas aidé : elle montre une autre table, trop peu des mêmes routes, ou le même côté.
   *[other] { " " }{ $out } n'ont pas aidé : elles montrent une autre table, trop peu des mêmes routes, ou le même côté.
 }
photo_proposed = { $n } routes trouvées. { $roads ->
    [one] { $roads } route
   *[other] { $roads } routes
 } et { $pillars ->
    [one] { $pillars } pilier
   *[other] { $pillars } piliers
 } se voyaient mal et sont en orange : déplacez ce qui est mal placé et recomptez leurs disques. Puis mettez les routes dans l'ordre de construction.
photo_to_noted = Retour à la partie notée
photo_compare = Comparer les touches avec l'image
photo_compared = { $n } touches sur { $taps } ont été ramenées aux bouts des routes dans l'image ; les autres restent où elles sont.
photo_how_sure = Les piliers sont connus à { $mm } mm près. Les routes en vert sont sûres, en orange douteuses ; ce qui est rouge semble faux.
photo_unchecked = Une touche qui glisse ne se verrait pas à { $roads } : rien d'autre n'est près de leurs bouts. Regardez si leurs croix sont justes.
photo_cars = { $n ->
    [0] { $road } : aucune voiture, sûr à { $share }
    [one] { $road } : { $n } voiture, sûr à { $share }
   *[other] { $road } : { $n } voitures, sûr à { $share }
 }
photo_crosses_nothing = Elle ne croise aucune autre route.
photo_to_marks = Retour aux marques
photo_who_plays = Qui joue la suite
photo_play_all = tous à cet écran
photo_play_computer = moi contre l'ordinateur
photo_play_on = Jouer la suite
photo_play_not = On ne peut pas continuer à jouer depuis cette table : { $why }. Si c'est un seul pilier, revenez aux marques, donnez une seule couleur à ses routes et joignez leurs bouts.
photo_play_about = La partie continue depuis cette table. La photo est alors supprimée.
photo_next_photo = Photo suivante de cette table
photo_play_bare = Rien ne tombe dans cette partie : selon la physique, { $pieces } ne tiendrait pas comme sur la photo.

# ---------------------------------------------------------------------------------------------------------------------
# Problèmes : ce que vaut une réponse, et les pages
# ---------------------------------------------------------------------------------------------------------------------

problem-right-win = { $n ->
    [1] Juste : ce coup gagne aussitôt.
   *[other] Juste : il gagne en { $n } coups, quoi que fasse l'adversaire.
 }
problem-right-now = Juste : c'était la dernière voiture. Vous gagnez.
problem-right-cars = { $n ->
    [one] Juste : { $n } voiture d'un coup.
   *[other] Juste : { $n } voitures d'un coup.
 }
problem-right-deny = Juste : l'adversaire ne peut plus gagner au prochain tour.
problem-illegal = Les règles ne le permettent pas : { $why }
problem-wrong-open = Cela ne gagne pas encore.
problem-wrong-lost = Cela laisse gagner l'adversaire.
problem-wrong-drawn = Cela finit la partie sans vainqueur.
problem-wrong-escape = { $n ->
    [one] L'adversaire répond { $move }, et aucun coup ne gagne alors aussitôt.
   *[other] L'adversaire répond { $move }, et vous ne pouvez alors plus forcer le gain en { $n } coups.
 }
problem-wrong-no-exit = Ce n'est pas une sortie. Cherchez une route qui descend sur la table.
problem-wrong-cars = { $n ->
    [0] Cela ne rapporte aucune voiture ; on peut en gagner { $most }.
    [one] Cela rapporte { $n } voiture ; on peut en gagner { $most }.
   *[other] Cela rapporte { $n } voitures ; on peut en gagner { $most }.
 }
problem-wrong-left = { $n ->
    [0] Cela ne rapporte aucune voiture ; il vous en reste { $left } à poser.
    [one] Cela rapporte { $n } voiture ; il vous en reste { $left } à poser.
   *[other] Cela rapporte { $n } voitures ; il vous en reste { $left } à poser.
 }
problem-wrong-deny = L'adversaire gagne encore au prochain tour : par la route montrée.

problems = Problèmes
problems_about = Trouvez le coup. Dans chacune de ces positions, une seule sorte de réponse est juste ; l'arbitre, ou une recherche de tous les coups, l'a prouvé.
problems_solved = Résolus : { $n } sur { $of }
problem_day = Problème du jour
problem_n = { $title }, problème { $n }
problem_solve = Résoudre
problem_all = Tous les problèmes
preview_won = { $name } a gagné.
preview_drawn = La partie est nulle.
preview_replay = Une partie à revoir, au coup { $n }.
notices = Être prévenu de son tour
notices_about = Vous êtes prévenu quand c'est à vous depuis un moment dans cette partie. Rien n'est envoyé sans votre demande, et tout s'arrête avec la partie.
notice_push = Sur cet appareil
notice_push_about = Le navigateur affiche un message, même quand cette page est fermée.
notice_push_ask = Prévenir cet appareil
notice_push_refused = Le navigateur n'accepte pas de messages : ils sont peut-être coupés, ou la page a besoin de https.
notice_kept = Vous serez prévenu.
notice_end = Arrêter
notice_back = Retour à la partie
notice_told_subject = C'est à vous de jouer
notice_told = { $name }, c'est à vous de jouer. Aussi à la table : { $others }.
challenge_day = Défi du jour
challenge_about = Une table, une pose de votre propre main, trois essais. La même pour tout le monde.
challenge_take = Relever le défi
challenge_rule = Une construction qui tient : { $stands } points, et { $car } par voiture gagnée ; { $fallen } de moins par pièce tombée. Le meilleur de { $tries } essais compte.
challenge_left = { $n ->
    [one] Encore { $n } essai.
   *[other] Encore { $n } essais.
 }
challenge_stood = Ça tient : { $earned ->
    [one] { $earned } voiture
   *[other] { $earned } voitures
 }, { $fallen } tombées. { $points } points.
challenge_fell = Ça ne tient pas, { $fallen } tombées. { $points } points.
challenge_best = Votre meilleur essai : { $points } points.
challenge_over = Plus d'essai. Chaque jour apporte une autre table.
challenge_again = Essai suivant
challenge_none = Pas de défi pour « { $day } » : nommez un jour de 2020 à aujourd'hui, comme 2026-11-29.
challenge_refused = La main n'était pas comme la page le dit. Reprenez les pièces.
problem_next = Problème suivant
problem_again = Réessayer
problem_give = Répondre
problem_show = Montrer la réponse
problem_shown = La réponse : { $move }.
problem_line = La partie pourrait continuer : { $moves }.
no_problem = Ce problème n'existe pas.
problem_done = résolu
problem_you = Vous jouez { $colour }.
problem_level_1 = Facile
problem_level_2 = Moyen
problem_level_3 = Difficile
problem_missed = { $percent ->
    [0] Des joueurs artificiels plus faibles le trouvent aussi.
   *[other] { $percent } % des joueurs artificiels plus faibles le manquent.
}
problem_goal_win = { $n ->
    [1] Gagnez par ce coup.
   *[other] Gagnez en { $n } coups, quoi que fasse l'adversaire. Quel est le premier ?
 }
problem_goal_last = { $n ->
    [one] Il vous reste { $n } voiture. Gagnez à ce tour.
   *[other] Il vous reste { $n } voitures. Gagnez à ce tour.
 }
problem_goal_exit = { $n ->
    [one] Il vous reste { $n } voiture. Gagnez par une sortie.
   *[other] Il vous reste { $n } voitures. Gagnez par une sortie.
 }
problem_goal_cars = Gagnez { $n } voitures à ce tour.
problem_goal_deny = L'adversaire pourrait gagner au prochain tour. Empêchez-le.
problem_goal_save = L'adversaire pourrait gagner au prochain tour. Empêchez-le par une sortie.

# Les moments qui ont décidé une partie ; $had et $kept sont les chances de gagner avec le meilleur coup et avec celui qui fut joué.
moment-missed = coup { $ply } : { $who } a joué { $played } et manqué le gain ; { $better } gagnait presque à coup sûr ({ $had }, puis { $kept })
moment-turned = coup { $ply } : ici la partie a basculé. { $who } a joué { $played }, et la chance de gagner est tombée de { $had } à { $kept } ; { $better } était meilleur
moment-slipped = coup { $ply } : { $who } a joué { $played } et laissé filer des chances, de { $had } à { $kept } ; { $better } était meilleur
moments = Ce qui a décidé la partie
moments_ask = Qu'est-ce qui a décidé ?
moments_at = Coup { $done } sur { $plies } examiné ...
moments_none = Aucun coup n'a décidé seul cette partie : personne n'a perdu beaucoup d'un coup.

# Une vraie partie notée au terminal : `shutoko record`
note-begin = Nouvelle partie, gardée dans { $file }. Répondez aux questions ; tapez aide pour tout le reste.
note-go-on = La partie de { $file } reprend après { $plies ->
    [one] 1 coup
   *[other] { $plies } coups
 }. Tapez annuler pour reprendre le dernier, aide pour tout le reste.
note-players = Qui joue ? Les noms à partir de qui commence, dans le sens horaire, avec des virgules
note-players-wrong = il faut deux à quatre noms différents, comme Aiko, Ben
note-ruleset = Quelles règles ? Entrée : standard ; ou { LIST($known) }
note-ruleset-wrong = il n'y a pas de règles { $text }
note-tolerance = De combien de mm votre règle peut-elle se tromper ? Entrée : 3
note-tolerance-wrong = c'est un nombre de mm de 0 à 20, pas { $text }
note-entrance = Où est l'entrée de { $player } ? Entrée : la place habituelle { POINT($at) }
note-direction = { $text } n'est pas une direction : donnez celle d'une horloge, comme 6 heures, ou des degrés, comme 270 degrés
note-toward = Dans quelle direction descend la rampe de { $player } ? Comme 6 heures
note-building = Quel bâtiment pose { $player }, et où ? { LIST($sizes, join: " ; ") }{ $only ->
    [none] . Comme block 20 cm à 3 heures de A-P0 tourné 30
   *[other] . Entrée : { $only } ; ou sa place, comme 20 cm à 3 heures de A-P0 tourné 30
 }
note-building-box = { $kind }, { NUM($a) } x { NUM($b) } mm, { NUM($high) } mm de haut
note-building-round = { $kind }, rond, { NUM($across) } mm de diamètre, { NUM($high) } mm de haut
note-building-kind = { $text } n'est pas parmi ceux qui restent : { LIST($left) }
note-building-at = Où est le bâtiment { $building } ? Comme 15 cm à 2 heures de A-P0, ou x,y en mm depuis le milieu de la table ; tourné 30 à la fin le tourne d'autant de degrés
note-move = Coup { $ply } : qu'a fait { $player } ? pilier, jonction, sortie, passer, bloqué, abandonner{ $built ->
    [none] {""}
   *[other] {" "}; ou ajuster, si { PIECE($built) } a d'abord été rectifié
 }
note-move-unknown = { $text } n'est pas un coup ; tapez pilier, jonction, sortie, passer, bloqué, ajuster ou abandonner, ou aide
note-from = De quel pilier de { $player } ? { LIST($known, join: " ou ") }
note-from-pillar = { $text } n'est pas un pilier ; un pilier s'appelle comme A-P1
note-discs = Combien de disques a le nouveau pilier ? { $pillar } en a { $has }, donc { LIST($usual, join: " / ") }
note-discs-enter = Combien de disques a le nouveau pilier ? { $pillar } en a { $has }. Entrée : { $count }
note-discs-junction = Combien de disques a le nouveau pilier, le jaune compris ? { $pillar } en a { $has }
note-discs-number = { $text } n'est pas un nombre de disques
note-at = Où est-il par rapport au milieu de { $pillar } ? Comme 11 cm à 2 heures ; ou x,y en mm depuis le milieu de la table
note-exit-to = Dans quelle direction la sortie descend-elle de { $pillar } ? Comme 4 heures ; ou x,y de son bout inférieur, en mm depuis le milieu de la table
note-adjust = Où est maintenant { $piece }, depuis { $pillar } ? Comme 11 cm à 2 heures ; ou x,y en mm depuis le milieu de la table
note-adjust-nothing = aucune construction ne peut plus être ajustée
note-refused = Entrée : le redire ; accepter : la table l'a laissé ; repris : il a été défait
note-refused-what = { $text } ? Appuyez sur Entrée, ou tapez accepter ou repris
note-refused-line = Entrée : ne pas le noter ; accepter : la table l'a laissé
note-refused-line-what = { $text } ? Appuyez sur Entrée, ou tapez accepter
note-cannot-stand = Ce coup est impossible même si tous sont d'accord ; redites-le.
note-cars = Combien de voitures { $player } a-t-il posées ? Entrée : { $count }, selon l'arbitre
note-more-close = { $n } autres croisements sont trop justes ; pourquoi les nomme une fois le coup gardé
note-cars-number = { $text } n'est pas un nombre de voitures
note-else-ask = Quelque chose est tombé, a bougé, a été touché ?
note-else = { note-else-ask } Entrée : rien de plus ; comme tombé B-C1, ou B-P3 en 30,-12
note-else-known = { $text } : c'est déjà noté
note-lies-badly = { $why } ; sinon, relisez la place.
note-fell-back = Compté comme remis à sa place : { FIRST($pieces) }. Sinon, dites où il se trouve, ou perdu { $piece }{ $car ->
    [none] {""}
   *[other] , ou retirée { $car } si elle est revenue dans la réserve
 }.
note-fell-with = Compté comme tombé avec : { FIRST($pieces) }. Sinon, dites resté { $every }.
note-kept = Le coup { $ply } est gardé dans { $file }.
note-kept-back = Le coup { $ply } est gardé dans { $file } comme repris : rien ne change sur la table.
note-noted = La note est gardée.
note-undone = Le coup { $ply } est repris.
note-undo-one = annuler reprend un coup à la fois, pas { $text } : tapez annuler seul, et encore pour un de plus
note-nothing = rien n'est encore noté
note-enter = Entrée seule n'est pas une réponse ici
note-command = Si vous voulez dire { $command }, tapez ce mot seul.
note-from-the-start = Depuis le début de ce coup :
note-over = La partie est finie. Entrée pour quitter ; annuler reprend le dernier coup
note-over-only = La partie est finie : appuyez sur Entrée, ou tapez annuler ou dessin.
note-end = { $plies ->
    [one] 1 coup est
   *[other] { $plies } coups sont
 } dans { $file }{ $back ->
    [0] {""}
    [one] , et { $back } qui a été repris
   *[other] , et { $back } qui ont été repris
 } ; reprenez avec shutoko record { $file }, les raisons avec shutoko replay { $file }
note-end-over = La partie de { $plies } coups est dans { $file }{ $back ->
    [0] {""}
    [one] , et { $back } qui a été repris
   *[other] , et { $back } qui ont été repris
 } ; les raisons avec shutoko replay { $file }
note-drawing = La table de { LIST($players) }
note-drawn = La table est dessinée dans { $file }.
note-draw-svg = { $file } : le dessin est un SVG ; nommez un fichier en .svg, ou tapez dessin seul
note-place-direction = { $text } ne nomme aucune place : donnez une distance et une direction, comme 11 cm à 2 heures de A-P1 (12 s'éloigne de qui commence, 3 est à sa droite), ou x,y en mm depuis le milieu de la table, comme 30,-12
note-place-clockless = { $text } : { $number } seul n'est pas une direction : ajoutez heures ou degrés après, comme 11 cm à 2 heures
note-place-distance = { $text } n'a pas de distance : ajoutez-la en mm ou cm, comme 11 cm à 2 heures
note-place-length = { $text } : une distance est plus longue que 0
note-place-rest = { $text } : que veut dire { $rest } ? Une place est une distance et une direction, comme 11 cm à 2 heures de A-P1, ou x,y en mm
note-place-clock = { $text } n'est pas une heure : de 1 à 12 heures, ou 2:30
note-place-two = { $text } : deux distances demandent deux piliers, comme 11 cm de A-P1 et 8 cm de B-P2 à 2 heures
note-place-misses = aucune place n'est à ces distances de { $first } et de { $second }, qui sont à { ROUND($mm, 0) } mm l'un de l'autre ; mesurez encore
note-place-side = deux places sont à ces distances de { $first } et { $second } ; ajoutez une direction approximative depuis { $first }, comme à 2 heures
note-place-from = { $text } : depuis quel pilier ? Comme 11 cm à 2 heures de A-P1
note-place-far = { POINT($at) } est à plus de deux mètres : est-ce bien en millimètres ?
note-no-pillar = le pilier { $pillar } n'existe pas ; il y a { FIRST($known, shown: 8, join: ", ") }
note-no-piece = il n'y a pas de pièce { $text } sur la table (tapez pièces pour les voir toutes){ $near }
note-happening-what = { $word } quoi ? { $kind ->
    [touched] Nommez le bâtiment, comme { $word } X0
    [under] Nommez la route plus ancienne, comme { $word } A-R3
    [paid] Dites à qui et combien de disques, gris puis jaunes, comme { $word } B 2 1
    [note] Dites ce qui s'est dit, comme { $word } Ben insiste
   *[other] Nommez les pièces, comme { $word } B-C1
 }
note-happening-unknown = { $text } n'est pas compris{ $near } (par exemple tombé B-C1 B-P3.2, resté B-R2, retirée B-C1, B-P3 en 30,-12, B-C1 sur B-R2 à 0.4 tournée 180, X0 en 90,40 tourné 30, perdu B-C1, touché X0, sous A-R3, payé B 1, note ...)
note-off = { $piece } n'est pas une voiture de ce coup ; seule une nouvelle voiture tombée revient dans la réserve
note-put-road = il faut les deux bouts de { $piece } : { $piece } de 0,-55 à 30,40
note-put-car = dites sur quelle route est la voiture, de 0 au début à 1 : { $piece } sur A-R1 à 0.4
note-put-along = { $piece } : une place le long d'une route va de 0 à 1, pas { $text }
note-touched = { $piece } n'est pas un bâtiment ; les bâtiments sont X0, X1 et ainsi de suite
note-under = seule la route d'une construction ou d'une sortie se glisse sous une autre
note-paid = { $text } : dites à qui et combien de disques, gris puis jaunes : payé B 2 1
note-photo-shows = La photo montre { $seen } routes sur { $roads } ; ses places sont justes à { ROUND($mm, 1) } mm près.
note-moved = { $piece } : de { ROUND($mm, 0) } mm, de { POINT($at) } à { POINT($until) }
note-unseen = { LIST($roads) } : pas sur la photo, la place notée reste
note-extra = { LIST($roads) } dans les marques : pas dans cette partie ; notez son coup si elle a été construite
note-miscounted = { $piece } : { $noted ->
    [one] { $noted } disque
   *[other] { $noted } disques
 } dans la partie, { $marked } dans les marques ; recomptez
note-doubt = regardez { $piece } sur la photo : { $why }
note-finer = Désormais les places comptent comme justes à { NUM($now) } mm, et non { NUM($was) }.
note-as-fine = Les places comptent toujours comme justes à { NUM($mm) } mm : la photo ne montre pas { FIRST($pieces) }.
note-before = { $piece } était ailleurs du coup { $since } au coup { $ply }, ce qu'aucune photo ne montre : cette place suit, et ne vaut que ce qui était noté.
note-changed = Coup { $ply }, { $player } : { $now }, et non { $was }
note-changed-put = Coup { $ply }, { $player } : { $now }, et non { $was } ; { $put ->
    [one] { $put } voiture a été posée
   *[other] { $put } voitures ont été posées
 }
note-unchanged = Aucun verdict ne change.
note-verdict-cars = { $cars ->
    [one] { $cars } voiture
   *[other] { $cars } voitures
 }
note-verdict-close = { $least } à { $most } voitures, trop juste pour le dire
note-verdict-refused = contre les règles ({ $why })
note-verdict-allowed = selon les règles
note-take = Prendre ces places ? Entrée : oui ; non : tout reste comme avant
note-take-what = { $text } ? Appuyez sur Entrée, ou tapez non
note-corrected = Les places sont corrigées dans { $file }. annuler rend celles qui étaient notées ; pourquoi 9 explique le coup 9.
note-as-it-was = Tout reste comme avant.
note-uncorrected = Les places sont de nouveau celles qui étaient notées.
note-photo-what = quelle photo ? Nommez une image ou un fichier de marques, comme photo table.jpg
note-reading = lecture de la photo
note-why-ply = Coup { $ply }, { $player }{ $was ->
    [telling] , tel qu'il est dit maintenant
    [back] , repris
    [accepted] , accepté par la table
   *[kept] {""}
 } :
note-why-what = coup { $text } ? Il y a les coups 0 à { $last } ; pourquoi 3 explique le coup 3
note-help = Réponses : Entrée prend ce que la question propose. Un coup peut en dire plus : pilier 2 11 cm à 2 heures, jonction 3 40,-12, sortie 4 heures de B-P2.
    { "  " }places : 11 cm à 2 heures de A-P1 (12 s'éloigne de qui commence), 110 mm à 30 degrés, 11 cm de A-P1 et 8 cm de B-P2 à 2 heures (le plus exact), ou x,y en mm depuis le milieu de la table
    { "  " }le reste : tombé B-C1 B-P3.2 (B-P3 : tous ses disques ; ce qui était dessus aussi) ; resté B-R2 ; retirée B-C1 (une nouvelle voiture qui n'est pas remise) ; B-P3 en 30,-12 ; B-R2 de 0,-55 à 30,40 ;
    { "  " }    B-C1 sur B-R2 à 0.4 tournée 180 ; X0 en 90,40 tourné 30 ; perdu B-C1 ; touché X0 ; sous A-R3 ; payé B 1 ; note ce qui s'est dit
    { "  " }photo table.jpg, ou photo MARQUES.json, corrige toutes les places d'après une photo de la table, ou ajoute les coups que les marques montrent en plus
    { "  " }pourquoi 9 explique le coup 9 ; note TEXTE garde une note ; ajuster déplace la dernière construction
    { "  " }dessin montre la table, dessin FICHIER.svg la dessine ; pièces nomme toutes les pièces
    { "  " }retour reprend ce coup au début ; annuler aussi, et à sa première question reprend le dernier coup ; quitter, tout coup gardé est dans le fichier
# La table comme page
menu = Menu
close = Fermer
exact = Précis : touches et nombres
pieces = Que voulez-vous construire ?
piece_pillar = Pilier
piece_yellow = Disque jaune
piece_yellow_left = Jaune : encore { $n }
piece_exit = Sortie
pick_up = Prendre
choose_again = Choisir à nouveau
always_for_me = Toujours poser pour moi
height_ends = Aucune autre hauteur n'est possible depuis ce pilier.
tremble = À quel point votre main tremble
hand_yours = Votre main
ring_safe = sûr
ring_shaky = fragile
ring_falls = va tomber
again_slowly = Revoir
clip = Partager la séquence
cars_left = { $n ->
    [0] plus de voiture
    [one] encore { $n } voiture
   *[other] encore { $n } voitures
 }
short_build = Un pilier de { $discs }
short_junction = Un disque jaune, hauteur { $discs }
what_tries = { $n ->
    [one] 1 essai manqué avant
   *[other] { $n } essais manqués avant
 }
hint_none = Il n'y a pas de tel coup maintenant. Construisez ce que vous voulez, et regardez encore au prochain tour.
lesson_next = Suivant
try_again = Réessayer
let_it_be = En rester là
say_tried = C’est tombé. Réessayez vous-même, ou laissez.
try_failed = Cela ne tient pas
tries_left = { $n ->
    [one] encore { $n } essai
   *[other] encore { $n } essais
 }
say_entrance = Prenez votre entrée, ou touchez un endroit pour elle.
# Une vraie partie notée sur les pages
note_table = La table telle que notée
note_by_photo = Corriger toutes les places par une photo
photo_of_noted = Photographiez toute la table de 45 à 70 degrés et touchez les deux bouts de chaque route. Toutes les places de la partie notée sont alors corrigées, et chaque tour est jugé de nouveau.
photo_plan_first = { $colour }, route { $road } : touchez son bout { $where }.
photo_plan_second = Maintenant son autre bout, { $where }.
photo_plan = sur le pilier de { $n ->
    [one] { $n } disque
   *[other] { $n } disques
 }
photo_plan_table = sur la table
photo_hidden = On ne la voit pas
photo_compare_noted = Comparer à la partie notée
photo_take_asked = Voici ce que la photo change. Rien n'est encore gardé.
photo_take = Prendre ces places
photo_places = De combien { $n ->
    [one] { $n } place change
   *[other] { $n } places changent
 }
note_game = Noter une partie
note_title = Noter une partie en la jouant
note_about = Vous jouez à une vraie table. Posez ici chaque pièce là où elle se trouve, dites combien de voitures ont été posées, touchez ce qui est tombé. L'arbitre dit ce qu'il pense de chaque tour, et vous gardez une partie à revoir et à partager.
note_exact = Quelle est la précision des places ?
note_by_eye = à vue d'œil, à { $mm } mm près
note_by_ruler = à la règle, à { $mm } mm près
note_two_names = Il faut de deux à quatre noms différents.
note_all = Parties notées
note_kept_where = Chaque tour est gardé aussitôt. Qui connaît l'adresse de cette page peut continuer.
no_noted = Il n'y a pas de telle partie notée.
note_where = { $player } : touchez l'endroit où se trouve la nouvelle pièce.
note_where_building = { $player } : quel bâtiment, et où est-il ? Touchez la table.
note_entrance = { $player } : votre entrée est-elle ici ? Sinon touchez sa place.
note_stands_there = C'est là
note_let_stand = Nous l'acceptons
note_taken_back = Le coup a été repris
note_cars_down = Combien de voitures { $player } a-t-il posées ?
note_so_many = Autant que cela
note_fewer = Une voiture de moins
note_more = Une voiture de plus
note_what_else = { note-else-ask } Touchez-le.
note_nothing = Rien n'est tombé
note_that_was_it = C'est tout
note_fell = Tombé
note_put = Se trouve ailleurs
note_off = Pas remise sur la route
note_else = Autre chose ...
note_turned = Retournée
note_gone = Perdu pour de bon
note_touched = Touché par une main
note_under = La nouvelle route a été glissée dessous
note_none = Il ne lui est rien arrivé
note_tap_place = Touchez l'endroit où cela se trouve maintenant.
note_tap_end = Touchez l'endroit où se trouve maintenant son bout le plus proche.
note_piece = Qu'est-il arrivé à quelle pièce ?
note_piece_pillar = { $colour } : pilier
note_piece_road = { $colour } : route
note_piece_car = { $colour } : voiture
note_piece_building = Bâtiment
note_first_finish = Finissez d'abord ce tour, ou revenez avec la flèche.
note_line = En mots, comme B-P3 à 30,-12
note_line_where = Où, en mots : 15 cm à 2 heures de A-P0
note_said = Note : { $said }
