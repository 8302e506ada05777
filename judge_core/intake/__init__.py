"""From files to artifacts and rubrics: bytes in, records or named problems out."""
