"""A real game noted ply by ply: what people say becomes a record. No terminal and no page is in
here, so both can use it.
"""
