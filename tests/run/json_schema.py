"""json_schema.py NSDS FOLDER: the JSON schema of 'nsds check --schema' is JSON, every reference in it leads somewhere, and,
where the modules jsonschema and yaml are there, it takes the model files of the folder and refuses misspelt ones."""
import glob
import json
import subprocess
import sys

nsds, folder = sys.argv[1:3]
schema = json.loads(subprocess.run([nsds, "check", "--schema"], check=True, capture_output=True, text=True).stdout)


def references(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


for reference in references(schema):
    assert reference.startswith("#/$defs/") and reference[8:] in schema["$defs"], reference
try:
    import jsonschema
    import yaml
except ImportError:
    print("the modules jsonschema and yaml are not here; the schema was read alone")
    sys.exit(0)
files = sorted(glob.glob(folder + "/*.yaml"))
assert len(files) > 30, files
for path in files:
    with open(path, encoding="utf-8") as file:
        model = yaml.safe_load(file)
    jsonschema.validate(model, schema)
    model["simulatoin"] = model.pop("simulation")
    try:
        jsonschema.validate(model, schema)
    except jsonschema.ValidationError:
        continue
    sys.exit(path + ": a misspelt key passes")
