"""The table in the browser: `shutoko serve`.

`room`, `rooms`, `seats`, `plies`, `library`, `site` and `work` know no web framework. Only the pages and `serve` do.

Nothing is imported here, so that the command line can ask about the command without loading the web stack.
"""
