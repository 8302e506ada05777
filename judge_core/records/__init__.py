"""The nouns: frozen records without any I/O. Everything else imports these; they import nothing of ours."""
