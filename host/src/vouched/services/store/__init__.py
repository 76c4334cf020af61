"""The insides of the SQLite session store; `vouched.services.session` is its face."""
