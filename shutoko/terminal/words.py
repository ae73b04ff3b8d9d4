"""The words that `shutoko record` understands, in the languages of the catalogues."""

MOVES = {
    "build": ("build", "b", "pillar", "pilier", "construire", "기둥"),
    "junction": ("junction", "j", "jonction", "갈림길"),
    "exit": ("exit", "e", "sortie", "출구"),
    "pass": ("pass", "p", "passer", "passe", "패스"),
    "no room": ("no", "room", "bloqué", "자리없음"),
    "adjust": ("adjust", "a", "ajuster", "조정"),
    "resign": ("resign", "abandonner", "기권"),
}
"""What a player may have done, with the words for it in the languages of the catalogues."""

COMMANDS = {
    "help": ("help", "?", "aide", "도움말"),
    "draw": ("draw", "dessin", "dessine", "그림"),
    "pieces": ("pieces", "pièces", "말"),
    "why": ("why", "pourquoi", "이유"),
    "back": ("back", "retour", "뒤로"),
    "undo": ("undo", "annuler", "취소"),
    "quit": ("quit", "q", "quitter", "나가기"),
}
"""What may be typed instead of an answer."""

PHOTO = ("photo", "사진")
NO = ("no", "n", "non", "아니오", "아니요")
YES = ("", "yes", "y", "oui", "o", "예", "네")

CHOICES = {
    "again": ("again", "encore", "다시", ""),
    "accept": ("accept", "accepted", "accepter", "accepté", "인정"),
    "taken back": ("taken", "took", "repris", "되돌림"),
}
"""What the table made of a refused ply."""
