"""The texts of a draft: uploads in, texts as they will be judged out.

An upload is read once, when it comes or its columns are chosen. What follows from all uploads together (ids, copies,
class list, masking, what was taken out) is worked out anew after each change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

from judge_core.intake import (
    ReadOptions,
    attach_roster,
    mask_names,
    names_in,
    read_files,
    read_paste,
    read_roster,
    table_columns,
)
from judge_core.intake.artifacts import settle
from judge_core.intake.naming import brief
from judge_core.intake.reading import left_over
from judge_core.interfaces.drafts.records import Draft, DraftText, RosterFile, Upload
from judge_core.records.artifact import Artifact, FileProblem, Reading
from judge_core.records.errors import InputError
from judge_core.store.archive import Archive

CLASS_LIST = "Class list "
"""Stands before the file name in what is to be said of the class list, so that no uploaded text is meant."""
MOST_COUNTS = 20_000
"""Names times texts above which it is not counted where each name stands."""


def add_files(archive: Archive, draft: Draft, files: Iterable[tuple[str, bytes]]) -> Draft:
    """The draft with further files, their bytes and texts stored; a file that is there already is passed over."""
    for name, data in files:
        draft = _added(archive, draft, Upload(name=name, sha256=sha256(data).hexdigest(), size=len(data)), data)
    return settled(archive, draft)


def add_paste(archive: Archive, draft: Draft, text: str, title: str = "") -> Draft:
    """The draft with pasted text: one text, or several between lines of three hyphens."""
    data = text.encode("utf-8", "surrogatepass")
    upload = Upload(name=title.strip() or "Pasted text", sha256=sha256(data).hexdigest(), size=len(data), pasted=True)
    return settled(archive, _added(archive, draft, upload, data))


def choose_columns(archive: Archive, draft: Draft, key: str, columns: dict[str, str | None]) -> Draft:
    """The draft with one table read again by other columns: `text_column`, `id_column`, `title_column` by name."""
    uploads = []
    for upload in draft.uploads:
        if upload.key == key:
            chosen = Upload.model_validate({**dict(upload), **columns})
            upload = _read(archive, chosen, archive.read(upload.sha256))
        uploads.append(upload)
    return settled(archive, draft.model_copy(update={"uploads": tuple(uploads)}))


def remove_upload(archive: Archive, draft: Draft, key: str) -> Draft:
    """The draft without one upload; what was taken out of it is forgotten, so that it may come again."""
    uploads = tuple(upload for upload in draft.uploads if upload.key != key)
    left_out = tuple(text for text in draft.left_out if text.rpartition("#")[0] != key)
    return settled(archive, draft.model_copy(update={"uploads": uploads, "left_out": left_out}))


def leave_out(archive: Archive, draft: Draft, keys: Sequence[str]) -> Draft:
    """The draft without some texts of its uploads."""
    return settled(archive, draft.model_copy(update={"left_out": tuple(dict.fromkeys((*draft.left_out, *keys)))}))


def take_back(archive: Archive, draft: Draft) -> Draft:
    """The draft with all that was left out."""
    return settled(archive, draft.model_copy(update={"left_out": ()}))


def add_roster(archive: Archive, draft: Draft, name: str, data: bytes) -> Draft:
    """The draft with a class list. InputError where it is no table."""
    read_roster(name, data)
    digest = sha256(data).hexdigest()
    archive.keep({digest: data})
    return settled(archive, draft.model_copy(update={"roster": RosterFile(name=name, sha256=digest)}))


def class_list_problems(draft: Draft) -> tuple[FileProblem, ...]:
    """What is to be said of the class list and of the rows and texts without a partner."""
    return tuple(problem for problem in draft.reading_problems if _of_class_list(draft, problem))


def file_problems(draft: Draft) -> tuple[FileProblem, ...]:
    """What is to be said of the uploaded texts."""
    return tuple(problem for problem in draft.reading_problems if not _of_class_list(draft, problem))


def _of_class_list(draft: Draft, problem: FileProblem) -> bool:
    return draft.roster is not None and problem.file == f"{CLASS_LIST}{draft.roster.name}"


def settled(archive: Archive, draft: Draft) -> Draft:
    """The draft with its texts worked out anew, and the words of each stored."""
    kept = [(key, artifact) for key, artifact in _read_texts(draft) if key not in draft.left_out]
    most = ReadOptions().max_texts
    surplus = [FileProblem(file=a.source, message=brief(a.id)) for _, a in kept[most:]]
    kept = kept[:most]
    full = [_with_text(archive, artifact) for _, artifact in kept]
    problems = [problem for upload in draft.uploads for problem in upload.problems]
    reading = settle(full, [*problems, *left_over(surplus, most)])
    reading = _joined(archive, draft, reading)
    found = _names_found(reading.artifacts)
    judged = reading.artifacts
    if draft.mask:
        judged = mask_names(judged, tuple(found) if draft.mask_names is None else draft.mask_names)
    archive.keep({artifact.sha256: artifact.text.encode("utf-8", "surrogatepass") for artifact in judged})
    texts = (DraftText(key=key, artifact=_bare(artifact)) for (key, _), artifact in zip(kept, judged, strict=True))
    return draft.model_copy(
        update={
            "texts": tuple(texts),
            "reading_problems": tuple(dict.fromkeys(reading.problems)),
            "names_found": found,
            "run": None,
        }
    )


def _added(archive: Archive, draft: Draft, upload: Upload, data: bytes) -> Draft:
    if any(one.key == upload.key for one in draft.uploads):
        return draft
    archive.keep({upload.sha256: data})
    table = None if upload.pasted else table_columns(upload.name, data)
    if table is not None:
        upload = upload.model_copy(update={"columns": table.columns})
    return draft.model_copy(update={"uploads": (*draft.uploads, _read(archive, upload, data))})


def _read(archive: Archive, upload: Upload, data: bytes) -> Upload:
    """The upload with what is read out of it; the texts go into the archive."""
    if upload.pasted:
        title = "" if upload.name == "Pasted text" else upload.name
        reading = read_paste(data.decode("utf-8", "surrogatepass"), title)
    else:
        options = ReadOptions(
            text_column=upload.text_column, id_column=upload.id_column, title_column=upload.title_column
        )
        reading = read_files([(upload.name, data)], options)
    archive.keep({a.sha256: a.text.encode("utf-8", "surrogatepass") for a in reading.artifacts})
    artifacts = tuple(_bare(_without_copies(artifact)) for artifact in reading.artifacts)
    return upload.model_copy(update={"artifacts": artifacts, "problems": reading.problems})


def _bare(artifact: Artifact) -> Artifact:
    return artifact.model_copy(update={"text": ""})


def _without_copies(artifact: Artifact) -> Artifact:
    """Without the remark on copies, which is made of all uploads together."""
    warnings = tuple(notice for notice in artifact.warnings if notice.code != "duplicate_text")
    return artifact.model_copy(update={"warnings": warnings})


def _with_text(archive: Archive, artifact: Artifact) -> Artifact:
    return artifact.model_copy(update={"text": archive.text(artifact.sha256)})


def _read_texts(draft: Draft) -> list[tuple[str, Artifact]]:
    return [
        (f"{upload.key}#{number}", artifact)
        for upload in draft.uploads
        for number, artifact in enumerate(upload.artifacts, start=1)
    ]


def _joined(archive: Archive, draft: Draft, reading: Reading) -> Reading:
    if draft.roster is None:
        return reading
    try:
        joined = attach_roster(reading.artifacts, read_roster(draft.roster.name, archive.read(draft.roster.sha256)))
    except InputError as error:
        joined = reading.model_copy(update={"problems": (FileProblem(file="", message=str(error)),)})
    label = f"{CLASS_LIST}{draft.roster.name}"
    told = (problem.model_copy(update={"file": label}) for problem in joined.problems)
    return Reading(artifacts=joined.artifacts, problems=(*reading.problems, *told))


def _names_found(artifacts: Sequence[Artifact]) -> dict[str, int]:
    """Candidate names with the number of texts that hold them; those in no text are left out where it was counted."""
    names = names_in(artifacts)
    if len(names) * len(artifacts) > MOST_COUNTS:
        return dict.fromkeys(names, 0)
    counts = {name: _texts_with(artifacts, name) for name in names}
    return {name: count for name, count in counts.items() if count}


def _texts_with(artifacts: Sequence[Artifact], name: str) -> int:
    masked = mask_names(artifacts, (name,))
    return sum(before.sha256 != after.sha256 for before, after in zip(artifacts, masked, strict=True))
