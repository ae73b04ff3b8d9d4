"""Training a policy of Tokyo Highway from games against itself; `shutoko learn` runs it."""
