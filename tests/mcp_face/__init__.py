"""Tests of the MCP face: both eras, in memory, over stdio and over HTTP."""
