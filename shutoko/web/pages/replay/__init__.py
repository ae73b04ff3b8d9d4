"""The page that shows a record again."""
