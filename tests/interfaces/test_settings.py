"""Where settings come from, what is said when one is wrong, and that keys never show."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from judge_core.interfaces.settings import KEY_FIELDS, VARIABLES, Settings, prepare_home
from judge_core.providers.wrappers.limits import Quota
from judge_core.records.errors import InputError

KEY = "sk-very-secret-0123456789"


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and none of our variables set."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_without_any_setting_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = Settings.load()
    assert settings.home == tmp_path / ".podium"
    assert (settings.concurrency, settings.log_level) == (8, "INFO")
    assert (settings.cache_entries, settings.cache_bytes) == (1_000_000, 2_000_000_000)
    assert (settings.database_url, settings.allowed_hosts, settings.api_token, settings.dask) == (
        None,
        None,
        None,
        None,
    )
    assert (settings.fallback_judges, settings.quotas, settings.allow_commands) == ((), {}, False)
    assert settings.environ() == {}
    assert settings.remarks == ()


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("PODIUM_DATABASE_URL", "postgresql://host/podium", "database_url", "postgresql://host/podium"),
        (
            "PODIUM_ALLOWED_HOSTS",
            " API.openai.com, localhost:11434 ,",
            "allowed_hosts",
            ("api.openai.com", "localhost:11434"),
        ),
        ("PODIUM_DASK", "tcp://scheduler:8786", "dask", "tcp://scheduler:8786"),
        ("PODIUM_CONCURRENCY", "16", "concurrency", 16),
        ("PODIUM_LOG_LEVEL", "debug", "log_level", "DEBUG"),
        ("PODIUM_CACHE_BYTES", "500MB", "cache_bytes", 500_000_000),
        ("PODIUM_CACHE_BYTES", "1000", "cache_bytes", 1000),
        ("JUDGE_CACHE_SIZE", "512", "cache_entries", 512),
        (
            "JUDGE_FALLBACK_PROVIDERS",
            "groq:m, openai:n\thttps://h/v1#q ,groq:m",
            "fallback_judges",
            ("groq:m", "openai:n", "https://h/v1#q"),
        ),
        ("PODIUM_QUOTAS", "groq=30rpm,500tpd", "quotas", {"groq": Quota(requests_per_minute=30, tokens_per_day=500)}),
        ("PODIUM_ALLOW_COMMANDS", "true", "allow_commands", True),
        ("OLLAMA_HOST", "127.0.0.1:11434", "ollama_host", "127.0.0.1:11434"),
    ],
)
@pytest.mark.parametrize("source", ["environment", ".env", "secrets"])
def test_each_source_gives_each_setting(
    source: str, name: str, text: str, field: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    if source == "environment":
        monkeypatch.setenv(name, text)
    if source == ".env":
        Path(".env").write_text(f"{name}={text}\n", "utf-8")
    assert getattr(Settings.load({name: text} if source == "secrets" else None), field) == value


def test_the_environment_goes_before_the_secrets_and_these_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("PODIUM_CONCURRENCY=1\n", "utf-8")
    assert Settings.load().concurrency == 1
    assert Settings.load({"PODIUM_CONCURRENCY": 2}).concurrency == 2
    monkeypatch.setenv("PODIUM_CONCURRENCY", "3")
    assert Settings.load({"PODIUM_CONCURRENCY": 2}).concurrency == 3


def test_an_empty_value_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_CONCURRENCY", "")
    assert Settings.load({"PODIUM_CONCURRENCY": 5, "PODIUM_DASK": ""}).concurrency == 5
    monkeypatch.setenv("PODIUM_ALLOWED_HOSTS", " ")
    assert Settings.load().allowed_hosts is None


def test_secrets_may_list_hosts_and_hold_other_peoples_sections() -> None:
    secrets: Mapping[str, object] = {"PODIUM_ALLOWED_HOSTS": ["a.example", "b.example"], "auth": {"client": "x"}}
    assert Settings.load(secrets).allowed_hosts == ("a.example", "b.example")


def test_a_variable_of_ours_that_is_a_section_is_refused() -> None:
    with pytest.raises(InputError, match="PODIUM_HOME is a section"):
        Settings.load({"PODIUM_HOME": {"path": "x"}})


def test_other_variables_and_plain_field_names_are_not_taken_for_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("concurrency", "CONCURRENCY", "dask", "HOMEPAGE", "home"):
        monkeypatch.setenv(name, "99")
    Path(".env").write_text("concurrency=99\nOTHER=1\nexport PODIUM_DASK='tcp://x'\n", "utf-8")
    settings = Settings.load()
    assert (settings.concurrency, settings.dask) == (8, "tcp://x")
    assert settings.home.name == ".podium"


def test_the_home_is_made_absolute(working_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_HOME", "data")
    assert Settings.load().home == working_folder / "data"
    assert Settings(home=Path("other")).home == working_folder / "other"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PODIUM_CONCURRENCY", "many"),
        ("PODIUM_CONCURRENCY", "0"),
        ("PODIUM_CONCURRENCY", "2.5"),
        ("PODIUM_LOG_LEVEL", "loud"),
        ("PODIUM_CACHE_BYTES", "two"),
        ("PODIUM_CACHE_BYTES", "-1"),
        ("JUDGE_CACHE_SIZE", "-1"),
        ("PODIUM_ALLOWED_HOSTS", "https://api.openai.com/v1"),
        ("PODIUM_ALLOW_COMMANDS", "perhaps"),
    ],
)
@pytest.mark.parametrize("source", ["environment", "secrets"])
def test_a_wrong_value_is_refused_with_variable_value_and_remedy(
    source: str, name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if source == "environment":
        monkeypatch.setenv(name, text)
    with pytest.raises(InputError) as caught:
        Settings.load({name: text} if source == "secrets" else None)
    assert caught.value.field == name
    assert name in str(caught.value) and text in str(caught.value).lower()
    assert "Give " in str(caught.value) or "Allowed are" in str(caught.value)


def test_a_quota_that_cannot_be_read_is_refused_with_its_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_QUOTAS", "groq=many")
    with pytest.raises(
        InputError, match="PODIUM_QUOTAS: 'groq=many' holds 'many', which is no limit. Write "
    ) as caught:
        Settings.load()
    assert caught.value.field == "PODIUM_QUOTAS"


@pytest.mark.parametrize("text", [" ", ",", " , ,"])
def test_a_list_without_a_judge_lets_nobody_stand_in(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_FALLBACK_PROVIDERS", text)
    settings = Settings.load()
    assert (settings.fallback_judges, settings.remarks) == ((), ())


def test_a_stand_in_that_is_no_judge_is_left_out_with_a_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_FALLBACK_PROVIDERS", "grok:m groq:m openai")
    settings = Settings.load()
    assert settings.fallback_judges == ("groq:m",)
    unknown, incomplete = settings.remarks
    assert "There is no judge 'grok:m'. Did you mean groq?" in unknown and "will not stand in" in unknown
    assert "Write openai:MODEL" in incomplete


def test_a_quota_that_counts_for_no_judge_is_remarked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "PODIUM_QUOTAS", "grok=1rpm;groq=1rpm;offline=1rpm;local=1rpm;localhost=1rpm;h.example=1rpm;groq:x=1rpm"
    )
    assert Settings.load().remarks == ("PODIUM_QUOTAS: 'grok' is the short name of no judge. Did you mean groq?",)


def test_all_wrong_values_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_CONCURRENCY", "many")
    monkeypatch.setenv("PODIUM_LOG_LEVEL", "loud")
    with pytest.raises(InputError, match="(?s)PODIUM_CONCURRENCY.*PODIUM_LOG_LEVEL"):
        Settings.load()


@pytest.mark.parametrize("content", [b"PODIUM_DASK=\xff\xfe\n", b"PODIUM_DASK=\xe9\n"])
def test_a_file_that_is_no_utf8_is_refused_by_name(content: bytes) -> None:
    Path(".env").write_bytes(content)
    with pytest.raises(InputError, match=r"\.env"):
        Settings.load()


def test_a_file_with_a_byte_order_mark_is_read() -> None:
    Path(".env").write_bytes("PODIUM_DASK=tcp://x\n".encode("utf-8-sig"))
    assert Settings.load().dask == "tcp://x"


def test_a_misspelt_variable_is_remarked_on_and_a_foreign_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_CONCURENCY", "4")
    monkeypatch.setenv("PODIUM_SERVICE_PORT", "4")
    Path(".env").write_text("PODIUM_ALLOWED_HOST=a\n", "utf-8")
    assert Settings.load().remarks == (
        "PODIUM_ALLOWED_HOST is not a setting. Did you mean PODIUM_ALLOWED_HOSTS?",
        "PODIUM_CONCURENCY is not a setting. Did you mean PODIUM_CONCURRENCY?",
    )


def test_environ_holds_the_keys_that_are_set_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", f" {KEY} ")
    monkeypatch.setenv("MINIMAX_API_KEY", "  ")
    monkeypatch.setenv("PODIUM_API_TOKEN", "token")
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:11434")
    Path(".env").write_text("LLM_JUDGE_API_KEY=k\nLLM_JUDGE_API_BASE=http://127.0.0.1:8080/v1\n", "utf-8")
    assert Settings.load({"OPENAI_API_KEY": "o"}).environ() == {
        "GROQ_API_KEY": KEY,
        "OPENAI_API_KEY": "o",
        "LLM_JUDGE_API_KEY": "k",
        "LLM_JUDGE_API_BASE": "http://127.0.0.1:8080/v1",
        "OLLAMA_HOST": "127.0.0.1:11434",
    }


def test_every_variable_that_holds_a_secret_is_hidden_in_every_spelling_of_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    secret = [name for name in VARIABLES if name.endswith(("_KEY", "_TOKEN", "_BASE"))]
    assert len(secret) == len(KEY_FIELDS) + 1
    for name in secret:
        monkeypatch.setenv(name, f"https://user:{KEY}@host/v1")
    monkeypatch.setenv("PODIUM_DATABASE_URL", f"postgresql://user:{KEY}@host/podium")
    settings = Settings.load()
    assert KEY not in repr(settings) and KEY not in str(settings)
    monkeypatch.setenv("PODIUM_CONCURRENCY", "many")
    with pytest.raises(InputError) as caught:
        Settings.load()
    assert KEY not in str(caught.value)
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_settings_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings.load().concurrency = 9  # type: ignore[misc]


# The data folder


def test_the_data_folder_is_made_for_this_account_alone(tmp_path: Path) -> None:
    home = prepare_home(Settings(home=tmp_path / "new" / "podium"))
    for folder in (home.root, home.cache):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert home.database.parent == home.prices.parent == home.root
    assert (home.database.exists(), home.prices.name) == (False, "prices.json")
    assert sorted(path.name for path in home.root.iterdir()) == ["cache"]


def test_a_folder_that_is_there_is_used_as_it_is(tmp_path: Path) -> None:
    root = tmp_path / "podium"
    root.mkdir(mode=0o755)
    root.chmod(0o755)
    (root / "prices.json").write_text("{}")
    settings = Settings(home=root)
    assert prepare_home(settings) == prepare_home(settings)
    assert stat.S_IMODE(root.stat().st_mode) == 0o755
    assert (root / "prices.json").read_text() == "{}"


@pytest.mark.parametrize("below", ["file", "file/podium", "nul\0"])
def test_a_data_folder_that_cannot_be_written_is_refused_with_the_remedy(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="Set PODIUM_HOME to a folder") as caught:
        prepare_home(Settings(home=tmp_path / below))
    assert caught.value.field == "PODIUM_HOME"
