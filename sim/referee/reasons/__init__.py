"""Why: verdicts and faults as reasons, put into words when somebody reads them."""
