"""What people need to play with each other: links, names, messages, questions, whose turn it is, their games."""
