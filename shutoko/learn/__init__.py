"""Training a net of Meridians from games that it plays against itself, as AlphaZero does; `shutoko
learn` runs it.

`selfplay` plays and keeps positions, `training` fits the net to them (it needs torch), `course`
does one after the other.
"""
