"""rawdev-fuzz: where Scripts/fuzz builds it, and what it runs under."""
import os

from fuzzing.parsers import ROOT

PROGRAM = ROOT / ".build/fuzz/release/rawdev-fuzz"


def environment(*options):
    """The variables of a run; `options` are more of the address sanitizer's."""
    # What the libraries of the system keep until the end is no leak of ours.
    known = ("detect_leaks=0", "allocator_may_return_null=1", *options)
    # Swift's own report of a trap takes the place of libFuzzer's, and can wait for ever.
    return os.environ | {"ASAN_OPTIONS": ":".join(known), "SWIFT_BACKTRACE": "enable=no"}
