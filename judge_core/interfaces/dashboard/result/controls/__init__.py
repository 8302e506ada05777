"""What a person can do with a run: pause, cancel, resume, raise the cap, ask again, go on, add texts, withdraw one."""

from judge_core.interfaces.dashboard.result.controls.buttons import show_controls as show_controls
