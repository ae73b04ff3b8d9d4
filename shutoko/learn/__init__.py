"""Training players from games against themselves; `shutoko learn` runs it.

A net of Meridians, as AlphaZero does: `selfplay` plays and keeps positions, `training` fits the net
to them (it needs torch), `course` does one after the other. A linear policy of Tokyo Highway:
`evolution`.
"""
