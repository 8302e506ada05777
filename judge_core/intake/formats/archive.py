"""Zip archives: what may be unpacked, entry by entry, in memory only. No name of an entry ever becomes a path."""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator

from judge_core.intake.naming import shown
from judge_core.intake.options import MEGABYTE, ReadOptions
from judge_core.records.errors import InputError
from judge_core.records.record import Record

MAX_RATIO = 200
"""Unpacked to packed size. Real texts stay below 20; only entries above `RATIO_FLOOR` are measured."""
RATIO_FLOOR = MEGABYTE
SYSTEM_FILES = ("thumbs.db", "desktop.ini", "[content_types].xml")
DTD = re.compile(rb"<!(?:DOCTYPE|ENTITY)")


class Entry(Record):
    """A file of an archive that may be read, or the reason why not."""

    path: str
    """The path inside the archive as a label, fit to be shown."""
    data: bytes = b""
    refusal: str = ""


def open_zip(data: bytes) -> zipfile.ZipFile:
    """The archive of the bytes. Raises InputError where they are none, or a broken one."""
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # zipfile raises many kinds on hostile bytes
        raise InputError("The file is broken: it cannot be unpacked. Save or zip it again.") from error


def check_package(package: zipfile.ZipFile, options: ReadOptions) -> None:
    """Refuses a Word file or workbook that would unpack to too much. Raises InputError."""
    infos = package.infolist()
    if len(infos) > options.max_entries or sum(info.file_size for info in infos) > options.max_unzipped_bytes:
        raise InputError(f"The file unpacks to more than {_size(options.max_unzipped_bytes)} or too many parts.")
    if any(_packed_too_tight(info) for info in infos):
        raise InputError(
            "The file is packed tighter than any real text (a zip bomb?). Save it again, or as plain text."
        )


def read_part(package: zipfile.ZipFile, name: str) -> bytes:
    """An XML part of a checked package. Raises InputError where it is missing, broken or declares entities."""
    try:
        data = package.read(name)
    except Exception as error:
        raise InputError("The file is broken: a part of it cannot be unpacked. Save it again.") from error
    if DTD.search(data.replace(b"\0", b"")):
        raise InputError("The file declares XML entities, which no word processor writes. Save it again.")
    return data


def entries(data: bytes, options: ReadOptions) -> Iterator[Entry]:
    """The entries of an archive in order; bad ones with the reason, dropped system files as one entry at the end.

    Raises InputError where the whole archive cannot be read.
    """
    archive = open_zip(data)
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if len(infos) > options.max_entries:
        raise InputError(f"The archive has {len(infos)} files; at most {options.max_entries} are read. Split it.")
    left = options.max_unzipped_bytes
    skipped = 0
    for info in infos:
        if _is_system_file(info.filename):
            skipped += 1
            continue
        entry = _entry(archive, info, options, left)
        left -= len(entry.data)
        yield entry
    if skipped:
        message = f"{skipped} hidden or system file{'s' if skipped > 1 else ''} of the archive skipped."
        yield Entry(path="", refusal=message)


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, options: ReadOptions, left: int) -> Entry:
    path = shown(_decoded_name(info))
    refusal = _refusal(info, options, left)
    if refusal:
        return Entry(path=path, refusal=refusal)
    try:
        with archive.open(info) as stream:
            return Entry(path=path, data=stream.read(info.file_size + 1))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        return Entry(path=path, refusal="The entry is broken or packed in an unknown way. Zip it again.")


def _refusal(info: zipfile.ZipInfo, options: ReadOptions, left: int) -> str:
    name = info.filename.replace("\\", "/")
    mode = info.external_attr >> 16
    reasons = (
        (name.startswith("/") or re.match(r"[A-Za-z]:", name), "Refused: its name is an absolute path."),
        (".." in name.split("/"), "Refused: its name climbs out of the archive's folder."),
        (mode and not stat.S_ISREG(mode) and stat.S_IFMT(mode), "Refused: it is a link or device, not a file."),
        (info.flag_bits & 1, "It is locked with a password. Zip it again without one."),
        (info.file_size > options.max_file_bytes, f"It is larger than {_size(options.max_file_bytes)}."),
        (_packed_too_tight(info), "Refused: it is packed tighter than any real text (a zip bomb?)."),
        (info.file_size > left, f"Left out: the archive holds more than {_size(options.max_unzipped_bytes)}."),
    )
    return next((message for applies, message in reasons if applies), "")


def _packed_too_tight(info: zipfile.ZipInfo) -> bool:
    return info.file_size > RATIO_FLOOR and info.file_size > MAX_RATIO * max(info.compress_size, 1)


def _is_system_file(name: str) -> bool:
    parts = [part for part in re.split(r"[\\/]", name) if part not in ("", ".", "..")]
    return any(part.startswith(".") or part == "__MACOSX" for part in parts) or bool(
        parts and parts[-1].lower() in SYSTEM_FILES
    )


def _decoded_name(info: zipfile.ZipInfo) -> str:
    """Some systems write UTF-8 names without saying so; zipfile then takes them for cp437."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _size(count: int) -> str:
    return f"{count / MEGABYTE:.0f} MB" if count >= MEGABYTE else f"{count} bytes"
