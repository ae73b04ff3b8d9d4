"""The table in the browser: `shutoko serve`. `rooms`, `play`, `library` and `work` know no web framework; the pages do.

Nothing is imported here, so that the command line can ask about the command without loading the web stack.
"""
