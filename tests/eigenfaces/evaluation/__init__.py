"""Tests of honest evaluation."""
