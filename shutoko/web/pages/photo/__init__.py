"""The pages that settle an argument from a photo."""
