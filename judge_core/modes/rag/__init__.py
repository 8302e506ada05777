"""Retrieval answers: claims and passages are labelled first, figures are computed from the labels."""
