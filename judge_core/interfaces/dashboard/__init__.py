"""What the pages share: safe text, the process's workbench, widgets."""
