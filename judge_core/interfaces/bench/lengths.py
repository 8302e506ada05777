"""Texts that a vendor refuses for their length alone, whatever context its model has."""

from __future__ import annotations

from judge_core.providers.registry import preset_of
from judge_core.records.errors import InputError
from judge_core.records.spec import AnySpec, ItemSpec, RefineSpec, Spec


def check_lengths(spec: AnySpec) -> None:
    """Refuses a text that a judge's vendor would refuse: InputError naming text, vendor and limit.

    The vendor counts bytes; a text has at least as many of them as characters, which are what is known here.
    """
    match spec:
        case Spec():
            sizes = [(text.characters, text.id) for text in spec.texts]
        case ItemSpec():
            sizes = [(part.characters, item.id) for item in spec.items for part in item.parts]
        case RefineSpec():
            sizes = [(spec.text.characters, spec.text.id)]
    longest, id = max(sizes, default=(0, ""))
    for judge in (*spec.judges, *spec.fallbacks):
        preset = preset_of(judge)
        if preset is not None and preset.longest_text is not None and longest > preset.longest_text:
            raise InputError(
                f"{preset.title} refuses texts of more than {preset.longest_text:,} bytes, and {id!r} has {longest:,} "
                "characters. Leave it out, shorten it, or choose another judge.",
                field="texts",
            )
