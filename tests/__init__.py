"""Tests that cross the packages, and what they share."""
