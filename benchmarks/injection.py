"""What the scanner for steering texts finds and what it flags wrongly; its speed, also on hostile texts.

`python injection.py [--before FILE]`: FILE is another version of the scanner (one module), whose speed is compared.
Misses are listed with `--misses`, of the development part only: whoever reads those of the rest has no hold-out left.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from judge_core.records.record import Notice  # noqa: E402
from judge_core.scoring.signals import scan_text  # noqa: E402
from tests.scoring.injection_corpus import DEVELOPMENT, HOSTILE, REAL, Attempt, attempts, hostile, real_texts  # noqa: E402

DATA = Path(os.environ.get("PODIUM_TEST_DATA", ROOT.parent / "shared" / "data"))
Scan = Callable[[str], Sequence[Notice]]
REPEATS = 5


def recall(scan: Scan, part: str) -> list[tuple[Attempt, bool]]:
    return [(attempt, bool(scan(attempt.text))) for attempt in attempts() if attempt.part == part]


def tell_recall(scan: Scan, part: str, misses: bool) -> None:
    tried = recall(scan, part)
    found = sum(hit for _, hit in tried)
    print(f"{part}: {found} of {len(tried)} = {found / len(tried):.1%}")
    of, hits = Counter(a.family for a, _ in tried), Counter(a.family for a, hit in tried if hit)
    for family, count in of.items():
        print(f"  {family:<10} {hits[family]:>4} of {count:>3} = {hits[family] / count:.0%}")
    for attempt, hit in tried:
        if misses and not hit and part == DEVELOPMENT:
            print(f"  missed {attempt.pattern}: {attempt.text[:400]!r}")


def tell_false_alarms(scan: Scan) -> None:
    for name in REAL:
        if (DATA / name).is_dir():
            texts = real_texts(DATA / name)
            codes = [{notice.code for notice in scan(text)} for text in texts]
            counts = Counter(code for found in codes for code in found)
            flagged = sum(map(bool, codes))
            print(f"{name:<12} {flagged:>4} of {len(texts):>5} = {flagged / len(texts):.2%}  {dict(counts)}")


def seconds(scan: Scan, texts: Sequence[str]) -> float:
    """Processor seconds, which a busy machine does not stretch much."""
    start = time.process_time()
    for text in texts:
        scan(text)
    return time.process_time() - start


def tell_speed(before: Scan | None) -> None:
    texts = [text for name in REAL if (DATA / name).is_dir() for text in real_texts(DATA / name)[:800]]
    size = sum(map(len, texts)) / 1e6
    times = [(seconds(scan_text, texts), seconds(before, texts) if before else 0.0) for _ in range(REPEATS)]
    now = min(mine for mine, _ in times)
    print(f"ordinary texts: {size:.1f} million characters, {size / now:.2f} million a second")
    if before:
        print(f"  time against the other version: {now / min(theirs for _, theirs in times):.2f}")
    slow = {name: seconds(scan_text, [hostile(seed)]) for name, seed in HOSTILE.items()}
    worst = sorted(slow.items(), key=lambda item: -item[1])[:5]
    print("hostile texts of 1,000,000 characters, slowest:", ", ".join(f"{n} {s:.2f} s" for n, s in worst))


def scan_of(path: Path) -> Scan:
    """`scan_text` of another version of the scanner's module."""
    spec = importlib.util.spec_from_file_location("signals_before", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no Python module.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    scan: Scan = module.scan_text
    return scan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="another version of the scanner, to compare the speed")
    parser.add_argument("--parts", nargs="*", default=["development", "hold_out"])
    parser.add_argument("--misses", action="store_true", help="list the development attempts that are not found")
    asked = parser.parse_args()
    for part in asked.parts:
        tell_recall(scan_text, part, asked.misses)
    tell_false_alarms(scan_text)
    tell_speed(scan_of(asked.before) if asked.before else None)


if __name__ == "__main__":
    main()
