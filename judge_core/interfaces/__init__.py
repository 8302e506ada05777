"""The doors: settings, workbench, library, command line, API, dashboard."""
