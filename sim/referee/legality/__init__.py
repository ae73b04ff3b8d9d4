"""What may be built: the checks of one placement, the same for thousands of builds, and the search
for legal ones.
"""
