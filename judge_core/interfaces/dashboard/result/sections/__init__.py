"""The sections of the result page. Each is one function of the shown run; only the open one is built."""
