"""One format a module: bytes to a document (one text) or a table (a text a row). Broken input raises InputError."""
