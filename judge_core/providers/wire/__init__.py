"""What all judges over HTTP share (connections, the quirks of servers, one call), and Ollama, which has a format of its own."""
