"""Progress of long calls: a function of yours, tqdm where it is installed, or a line on a terminal."""
import sys
import time

from ._core import answered

PERIOD = 0.1  # s between two reports


class Line:
    """The share on the last line of a terminal; nothing where the errors go to a file."""

    def __init__(self, what):
        self.what, self.start = what, time.monotonic()
        self.shows = sys.stderr is not None and sys.stderr.isatty()

    def show(self, done, total):
        if not self.shows:
            return
        share = done / total if total > 0 else 0.0
        left = (time.monotonic() - self.start) * (1.0 - share) / share if share > 0 else float("nan")
        sys.stderr.write("\r%s: %5.1f %%, %.0f s left \x1b[K" % (self.what, 100.0 * share, left))
        sys.stderr.flush()

    def close(self):
        if self.shows:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class Bar:
    """A bar of tqdm."""

    def __init__(self, tqdm, what):
        self.bar = tqdm.tqdm(total=100.0, desc=what, unit="%", bar_format="{l_bar}{bar}| {elapsed} < {remaining}")

    def show(self, done, total):
        self.bar.n = round(min(100.0 * done / total, 100.0), 1) if total > 0 else 0.0
        self.bar.refresh()

    def close(self):
        self.bar.close()


def shown(what):
    try:
        from tqdm import auto
    except ImportError:
        return Line(what)
    return Bar(auto, what)


class Report:
    """What a call reports: `progress` is None, True, or a function of (done, total). A true answer ends the call."""

    def __init__(self, progress, what):
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise TypeError("%s(): progress must be True or a function of (done, total), not %s"
                            % (what, type(progress).__name__))
        self.function = progress if callable(progress) else None
        self.display = shown(what) if progress is True else None
        self.next = 0.0
        self.last = None

    def __bool__(self):
        return self.function is not None or self.display is not None

    def __call__(self, done, total, always=False):
        """Reports, at most ten times a second. True: the call is to end."""
        now = time.monotonic()
        if not self or now < self.next and not always or always and self.last == (done, total):
            return False
        self.next, self.last = now + PERIOD, (done, total)
        if self.display is not None:
            self.display.show(done, total)
            return False
        return bool(answered(self.function(done, total), "progress"))

    def close(self):
        if self.display is not None:
            self.display.close()
