"""Tables and pieces as models: for viewers and simulators."""
