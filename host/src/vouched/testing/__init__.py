"""What tests of plugins need: a local server that answers, and misbehaves, as the remote services do.

Importing this package imports nothing heavy; the server's libraries come when an emulator starts.
"""
