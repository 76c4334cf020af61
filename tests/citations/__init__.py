"""Citations across packages: real records from PubMed's reader, written by citeformat, read back by other programs."""
