"""Every kind of object has a scene whose steps are looked at for allocations: allocations_complete.py SOURCE

Constructors of the public headers that make systems, relations, laws, contact sets, circuits and simulations,
functions that make schemes, and enumerators of kinds must occur in the sources of the scenes.
"""
import glob
import os
import re
import sys

root = sys.argv[1]
SOURCES = ["tests/kernel/golden/golden_*.c", "tests/kernel/worlds*.c", "tests/kernel/calls/allocations*.c", "tests/kernel/any_joint.h", "tests/kernel/acting_arm.h",
           "tests/kernel/static_schemes.h", "tests/run/allocations.c", "examples/scenes/*.c"]
MADE = "nsds_ds|nsds_relation|nsds_law|nsds_contact_set|nsds_simulation|nsds_network"
KINDS = "nsds_joint_kind|nsds_joint_coordinate_kind|nsds_shape_kind|nsds_scheme_kind|nsds_projection_kind|nsds_rest"
# Names that scenes write in another way.
OTHERWISE = {"NSDS_SCHEME_UNSAID": "the default", "NSDS_PROJECTION_NONE": "the default", "NSDS_REST_PRESENT": "the default"}
for kind in ("first_order", "second_order", "relation", "law", "contact_set"):
    OTHERWISE["nsds_custom_" + kind] = "the types of the library are made like those of programs"

text = "".join(open(path).read() for pattern in SOURCES for path in glob.glob(os.path.join(root, pattern)))
names = set()
for path in glob.glob(os.path.join(root, "include", "nsds", "*.h")):
    header = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    names.update(re.findall(r"NSDS_API\s+(?:%s)\s*\*\s*(nsds_\w+)\(\s*nsds_model\s*\*" % MADE, header))
    names.update(re.findall(r"NSDS_API\s+nsds_discretisation\s+(nsds_\w+)\(", header))
    for body in re.findall(r"typedef enum (?:%s) \{(.*?)\}" % KINDS, header, flags=re.S):
        names.update(re.findall(r"\b(NSDS_\w+)\b", body))


def occurs(name):
    """Tables of static storage have the bit of an option in place of the function that sets it."""
    other = name.replace("nsds_with_", "NSDS_OPTION_").upper()
    return any(re.search(r"\b%s\b" % word, text) for word in (name, other))


missing = sorted(name for name in names if name not in OTHERWISE and not occurs(name))
for name in missing:
    print(name, "is in no scene whose steps are looked at for allocations")
print("%d constructors and kinds, %d without a scene" % (len(names), len(missing)))
sys.exit(1 if missing or len(names) < 60 else 0)
