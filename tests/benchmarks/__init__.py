"""Figures side by side in one run: absolute ones are reported, only ratios can fail."""
