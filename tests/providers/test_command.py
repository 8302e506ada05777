"""Programs of this computer as judges: what they get, what is made of what they print, and that none outlives its call."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from judge_core.providers.kinds import subprocesses
from judge_core.providers.kinds.command import COMMANDS, LONGEST_ARGUMENT, MOST_OUTPUT, CommandJudge, kept, read_command
from judge_core.providers.kinds.subprocesses import LAST_WORDS_S
from judge_core.providers.protocol import Access, UncertainCallError
from judge_core.providers.registry import check_judge, judge_spec, open_provider
from judge_core.records.errors import CallError, InputError, JudgeUnusableError
from judge_core.records.prompt import Completion, Message, Prompt
from judge_core.records.spec import JudgeSpec
from tests.providers.scripted_server import a_prompt

TELL = (
    "import json, os, sys; print(json.dumps("
    "{'arguments': sys.argv[1:], 'input': sys.stdin.read(), 'environment': dict(os.environ), 'folder': os.listdir()}))"
)


def program(folder: Path, code: str, name: str = "judge") -> Path:
    """A Python program that can be started by its path."""
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{code}\n", "utf-8")
    path.chmod(0o755)
    return path


def ask(judge: JudgeSpec, prompt: Prompt | None = None) -> Completion:
    return asyncio.run(open_provider(judge, Access()).complete(prompt or a_prompt()))


def run(folder: Path, code: str, arguments: str = "", **settings: float) -> Completion:
    return ask(judge_spec(f"cli:{program(folder, code)} {arguments}", **settings))


def test_the_prompt_goes_to_the_input_and_the_output_is_the_reply(tmp_path: Path) -> None:
    completion = run(tmp_path, "import sys; print('read', sys.stdin.read(), end='')")
    assert completion.text == "read Be fair.\n\nCompare: An essay."
    assert (completion.finish_reason, completion.model) == (None, str(tmp_path / "judge"))
    assert completion.temperature_sent is None and completion.calls == 1 and completion.seconds > 0
    assert [notice.code for notice in completion.notices] == ["usage_missing"]


def test_a_program_is_run_from_any_thread(tmp_path: Path) -> None:
    judge = judge_spec(f"cli:{program(tmp_path, 'print(1)')}")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(ask, judge).result(20).text == "1\n"


def test_arguments_are_passed_without_a_shell(tmp_path: Path) -> None:
    told = json.loads(run(tmp_path, TELL, "--x '$HOME; ls' {system} {model} #big model").text)
    assert told["arguments"] == ["--x", "$HOME; ls", "Be fair.", "big model"]
    assert told["input"] == "Compare: An essay."


def test_a_repair_shows_who_said_what(tmp_path: Path) -> None:
    turns = [("system", "S"), ("user", "Q"), ("assistant", "bad"), ("user", "again")]
    messages = tuple(Message(role=role, content=text) for role, text in turns)  # type: ignore[arg-type]
    prompt = a_prompt().model_copy(update={"messages": messages})
    told = json.loads(ask(judge_spec(f"cli:{program(tmp_path, TELL)} {{system}}"), prompt).text)
    assert told["input"] == "[user]\nQ\n\n[assistant]\nbad\n\n[user]\nagain"


def test_instructions_too_long_for_an_argument_stand_at_the_head_of_the_input(tmp_path: Path) -> None:
    long = "x" * (LONGEST_ARGUMENT + 1)
    prompt = a_prompt().model_copy(
        update={"messages": (Message(role="system", content=long), Message(role="user", content="Q"))}
    )
    told = json.loads(ask(judge_spec(f"cli:{program(tmp_path, TELL)} {{system}}"), prompt).text)
    assert told["arguments"] == [""] and told["input"] == f"{long}\n\nQ"


def test_claude_is_started_without_tools_and_leaves_no_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, TELL, "claude")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("OPENAI_API_KEY", "k-other")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k-own")
    safe = ["--tools", "", "--strict-mcp-config", "--no-session-persistence"]
    plain, named = (ask(judge_spec(name)) for name in ("cli:claude", "cli:claude:opus"))
    told = json.loads(named.text)
    assert json.loads(plain.text)["arguments"] == ["--print", "--system-prompt", "Be fair.", *safe]
    assert told["arguments"] == ["--print", "--model", "opus", "--system-prompt", "Be fair.", *safe]
    assert (told["input"], told["folder"]) == ("Compare: An essay.", [])
    assert told["environment"]["CLAUDE_NO_TIP"] == "1" and told["environment"]["ANTHROPIC_API_KEY"] == "k-own"
    assert "OPENAI_API_KEY" not in told["environment"]
    assert (plain.model, named.model) == ("claude", "opus")


def test_of_the_environment_a_program_gets_only_what_is_known_to_be_harmless() -> None:
    secret = dict.fromkeys(
        ("OPENAI_API_KEY", "GITHUB_PAT", "PGPASS", "DATABASE_URL", "LLM_JUDGE_API_BASE", "PODIUM_API_TOKEN", "PODIUM_HOME",
         "PODIUM_DATABASE_URL", "GITHUB_TOKEN", "SSH_AUTH_SOCK", "PYTHONPATH", "PATHS", "XDG", "LCD"), "x",
    )  # fmt: skip
    own = dict.fromkeys(("AWS_SECRET_ACCESS_KEY", "ANTHROPIC_API_KEY", "CLAUDE_CONFIG_DIR"), "x")
    harmless = dict.fromkeys(
        ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "XDG_CONFIG_HOME", "https_proxy", "NO_PROXY", "SSL_CERT_FILE"), "x"
    )
    assert kept({**secret, **own, **harmless}) == harmless
    assert kept({**secret, **own, **harmless}, COMMANDS["claude"].keeps) == {**own, **harmless}


def test_a_secret_of_any_name_does_not_reach_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_PAT", "PGPASS", "DATABASE_URL", "OPENAI_API_KEY", "PODIUM_HOME", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "k-secret")
    told = json.loads(run(tmp_path, TELL).text)["environment"]
    assert "k-secret" not in told.values() and told["PATH"] == os.environ["PATH"]


def test_a_missing_program_makes_the_judge_unusable_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(JudgeUnusableError, match="npm install"):
        ask(judge_spec("cli:claude"))
    with pytest.raises(JudgeUnusableError, match="no program 'no-such-judge'"):
        ask(judge_spec("cli:no-such-judge"))


def test_a_file_that_is_no_program_makes_the_judge_unusable(tmp_path: Path) -> None:
    path = tmp_path / "judge"
    path.write_bytes(b"\x7fELF nonsense")
    path.chmod(0o755)
    with pytest.raises(JudgeUnusableError, match="cannot be started"):
        ask(judge_spec(f"cli:{path}"))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys; sys.stderr.write('not logged in\\n\\x1b[31m'); sys.exit(3)", "status 3. It says: not logged in"),
        ("import sys; sys.exit(1)", "status 1."),
        ("import sys; print(sys.stdin.read(), file=sys.stderr); sys.exit(1)", "status 1."),
        ("import os; os.kill(os.getpid(), 9)", "signal 9"),
        ("print('  ')", "printed nothing"),
        ("import sys; sys.stderr.write('key sk-abcdef123456 refused'); sys.exit(1)", "[key] refused"),
        ("import sys; sys.stderr.write('x' * 3_000_000); sys.exit(1)", "status 1. It says: xxx"),
    ],
)
def test_a_program_that_fails_is_a_failed_call_with_its_own_words(tmp_path: Path, code: str, words: str) -> None:
    essay = "A passage of an essay that is long enough to be told from any other words, and to be kept out of messages."
    with pytest.raises(CallError) as caught:
        ask(judge_spec(f"cli:{program(tmp_path, code)}"), a_prompt(essay))
    assert type(caught.value) is CallError and words in str(caught.value)
    assert "passage of an essay" not in str(caught.value) and "sk-abc" not in str(caught.value)
    assert len(str(caught.value)) < 600 and "\x1b" not in str(caught.value)


def test_a_program_that_reads_nothing_may_still_answer(tmp_path: Path) -> None:
    judge = judge_spec(f"cli:{program(tmp_path, 'print(1)')}")
    assert ask(judge, a_prompt("long " * 200_000)).text == "1\n"


def test_what_a_program_prints_is_bounded(tmp_path: Path) -> None:
    with pytest.raises(CallError, match="more than 8 MB"):
        run(
            tmp_path,
            f"import sys\nsys.stdout.write('x' * {MOST_OUTPUT + 1})\nsys.stdout.flush()\nimport time; time.sleep(60)",
        )


CHILDREN = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
with open(sys.argv[1], "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.replace(sys.argv[1], sys.argv[1] + ".done")
%s
"""


def gone(note: Path) -> bool:
    """Whether both processes of the note are ended and, where they are ours, waited for."""
    first, second = (Path(f"/proc/{pid}/stat") for pid in note.read_text().split())
    for _ in range(100):
        child_over = not second.exists() or second.read_text().rpartition(")")[2].split()[0] == "Z"
        if child_over and not first.exists():
            return True
        time.sleep(0.02)
    return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes through /proc")
def test_a_program_that_takes_too_long_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    with pytest.raises(UncertainCallError, match="timed out after 1 seconds"):
        run(tmp_path, CHILDREN % "time.sleep(60)", str(tmp_path / "note"), timeout_s=1.0)
    assert gone(tmp_path / "note.done")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes through /proc")
@pytest.mark.parametrize("timeout_s", [1.0, 60.0])
def test_a_reply_counts_though_a_child_holds_the_output_open(tmp_path: Path, timeout_s: float) -> None:
    """The program has ended well; what it left behind is ended, soon, and at the latest with the time limit."""
    completion = run(tmp_path, CHILDREN % "print('done')", str(tmp_path / "note"), timeout_s=timeout_s)
    assert completion.text == "done\n" and completion.seconds < LAST_WORDS_S + 3
    assert gone(tmp_path / "note.done")


def test_a_program_that_leaves_a_child_is_judged_by_its_own_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocesses, "LAST_WORDS_S", 0.1)
    script = tmp_path / "judge"
    script.write_text("#!/bin/sh\nsleep 60 &\necho reply\nexit $1\n", "utf-8")
    script.chmod(0o755)
    assert ask(judge_spec(f"cli:{script} 0")).text == "reply\n"
    with pytest.raises(CallError, match="status 3"):
        ask(judge_spec(f"cli:{script} 3"))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes through /proc")
def test_a_cancelled_call_ends_its_program(tmp_path: Path) -> None:
    judge = judge_spec(f"cli:{program(tmp_path, CHILDREN % 'time.sleep(60)')} {tmp_path / 'note'}")

    async def cancel() -> None:
        task = asyncio.create_task(open_provider(judge, Access()).complete(a_prompt()))
        for _ in range(500):
            if (tmp_path / "note.done").exists():
                break
            await asyncio.sleep(0.02)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())
    assert gone(tmp_path / "note.done")


def test_programs_are_refused_where_they_are_not_allowed() -> None:
    with pytest.raises(InputError, match="PODIUM_ALLOW_COMMANDS"):
        open_provider(judge_spec("cli:claude"), Access(commands_allowed=False))
    health = asyncio.run(check_judge(judge_spec("cli:claude"), Access(commands_allowed=False)))
    assert health.ok is False and "PODIUM_ALLOW_COMMANDS" in health.message


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cli:", "names no model"),
        ("cli:claude:", "fixed"),
        ("cli:claude --dangerously-skip-permissions", "fixed"),
        ("cli:judge 'open", "quotes"),
        ("cli:judge {model}", "#MODEL"),
        ("cli:judge --system={system}", "whole argument"),
    ],
)
def test_a_command_that_cannot_be_read_is_refused_with_the_remedy(name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        judge_spec(name)


def test_a_command_takes_no_temperature_and_has_five_minutes() -> None:
    judge = judge_spec("cli:claude", temperature=0.0)
    assert judge.temperature is None and judge.timeout_s == 300.0 and judge.price is None
    assert judge_spec("cli:claude", timeout_s=9.0).timeout_s == 9.0


def test_the_health_check_looks_for_the_program_and_starts_nothing(tmp_path: Path) -> None:
    path = program(tmp_path, f"open({str(tmp_path / 'started')!r}, 'w')")
    assert asyncio.run(check_judge(judge_spec(f"cli:{path}"), Access())).ok
    missing = asyncio.run(check_judge(judge_spec("cli:no-such-judge"), Access()))
    assert missing.ok is False and "no-such-judge" in missing.message
    assert not (tmp_path / "started").exists()


def test_a_program_by_a_relative_path_is_found_though_it_runs_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "print('here')")
    monkeypatch.chdir(tmp_path)
    assert ask(judge_spec("cli:./judge")).text == "here\n"
    assert isinstance(open_provider(judge_spec("cli:./judge"), Access()), CommandJudge)
    assert read_command("./judge a b")[0].arguments == (("a",), ("b",))
