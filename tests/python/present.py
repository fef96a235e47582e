"""Prints what the Python package misses here; nothing where all is there."""
import importlib.util
import os
import sysconfig

missing = [m for m in ("cffi", "numpy", "setuptools") if importlib.util.find_spec(m) is None]
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
if missing:
    print("Python has no " + ", ".join(missing))
elif not os.path.exists(header):
    print("there is no " + header)
