from setuptools import setup

setup(cffi_modules=["build_nsds.py:ffibuilder"])
