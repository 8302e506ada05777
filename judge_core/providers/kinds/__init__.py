"""The kinds of judges beyond the embedded one and servers, what names say, and where further kinds come from."""
