"""Exact values of small boards."""
