"""One file a command: its options, one call to the service, its words."""
