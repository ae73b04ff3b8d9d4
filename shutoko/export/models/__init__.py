"""Tables and pieces as models: for viewers, simulators and printers."""
