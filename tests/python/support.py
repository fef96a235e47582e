"""What the tests of the Python package share: a list of checks, each with a name."""
import base64
import json
import re
import sys
import traceback
import zlib

failures = []


def check(name, condition, detail=""):
    if not condition:
        failures.append(name)
        print("FAILED %s %s" % (name, detail))


def raises(name, kind, call, *words):
    """The call raises this kind of exception, with these words in its message."""
    try:
        call()
    except kind as error:
        text = str(error)
        for word in words:
            check(name, word in text, "the message %r does not contain %r" % (text, word))
        return error
    except BaseException as error:
        check(name, False, "raised %r instead of %s" % (error, kind.__name__))
        traceback.print_exc()
        return error
    check(name, False, "raised nothing instead of %s" % kind.__name__)


def page_data(page):
    """What a page of a scene is made of: names of bodies, shapes, ties, the number of frames."""
    raw = zlib.decompress(base64.b64decode(re.search(r'id="scene">(.*?)</script>', page, re.S).group(1)))
    return json.loads(raw[:raw.index(b"\n")])


def close(a, b, tolerance):
    return abs(a - b) <= tolerance * max(1.0, abs(b))


def finish():
    print("%d failed" % len(failures) if failures else "passed")
    sys.exit(1 if failures else 0)
