"""page.py NSDS ARCH.yaml FOLDER: opens the page of the arch in headless Chromium, with WebGL in software.

Bodies must be where the table of the same run says they are, and must be drawn there: seen from two sides, each wedge
shows at the point of the picture to which its center projects.
"""
import csv
import html
import os
import re
import shutil
import subprocess
import sys

WEDGES = 26
FRAMES = 0, 300
SIDES = 0.1, 3.2416  # angles of the camera [rad]
OPTIONS = ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
           "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
           "--disable-sync", "--virtual-time-budget=4000", "--window-size=1000,800", "--dump-dom"]


def run(nsds, model, folder):
    """The page and the table of positions of the arch."""
    with open(model, encoding="utf-8") as file:
        text = file.read()
    columns = ", ".join(f"wedge{k}.q{i}" for k in range(WEDGES) for i in (1, 2, 3))
    text = re.sub(r"^outputs:.*", f"outputs:\n  columns: [{columns}]\n", text, flags=re.S | re.M)
    with open(os.path.join(folder, "arch.yaml"), "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([nsds, "run", "arch.yaml", "-o", "arch.csv", "--html", "arch.html"], cwd=folder, check=True)
    with open(os.path.join(folder, "arch.csv"), encoding="utf-8") as file:
        return [[float(x) for x in row] for row in list(csv.reader(file))[2:]]


def report(browser, folder, frame, side):
    """The lines that the page says of a frame."""
    page = "file://" + os.path.join(folder, "arch.html") + f"#report={frame}&yaw={side}&pitch=0.1"
    done = subprocess.run([browser, *OPTIONS, "--user-data-dir=" + os.path.join(folder, "profile"), page],
                          capture_output=True, text=True, timeout=120)
    found = re.search(r'<pre id="report">(.*?)</pre>', done.stdout, re.S)
    if not found:
        trouble = re.search(r'id="trouble"[^>]*>([^<]*)<', done.stdout)
        sys.exit(f"the page says nothing of frame {frame}: {trouble and trouble.group(1)}\n{done.stderr[-2000:]}")
    return html.unescape(found.group(1)).splitlines()


def project(matrix, x, width, height):
    clip = [sum(matrix[4 * j + i] * c for j, c in enumerate([*x, 1.0])) for i in range(4)]
    return (0.5 + 0.5 * clip[0] / clip[3]) * width, (0.5 + 0.5 * clip[1] / clip[3]) * height


def check(lines, row, frame, seen):
    """Compares a frame with a row of the table; adds the bodies that show to `seen`."""
    head, place = lines[0].split(), lines[1].split()
    assert int(head[1]) <= 10, f"{head[1]} draw calls"
    assert int(head[5]) == WEDGES and float(place[6]) == row[0], lines[:2]
    width, height, quantum = float(place[1]), float(place[2]), float(place[8])
    matrix = [float(x) for x in lines[2].split()[1:]]
    for k, line in enumerate(lines[3:]):
        words = line.split()
        x, pixel, shows = [float(w) for w in words[3:6]], [float(w) for w in words[7:9]], int(words[10])
        expected = row[1 + 3 * k:4 + 3 * k]
        for found, value in zip(x, expected):
            assert abs(found - value) <= 0.51 * quantum + 1e-6, f"frame {frame}, body {k}: {x}, recorded {expected}"
        px, py = project(matrix, expected, width, height)
        assert abs(px - pixel[0]) < 0.1 and abs(py - pixel[1]) < 0.1, f"frame {frame}, body {k}: {pixel}, expected {px, py}"
        assert 0 < px < width and 0 < py < height, f"frame {frame}, body {k} is outside"
        assert shows >= 0, f"frame {frame}: nothing is drawn at body {k}"
        if shows == k:
            seen.add(k)


def main():
    nsds, model, folder = sys.argv[1:]
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        print("skipped: there is no chromium (Debian: chromium)")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    table = run(os.path.abspath(nsds), model, folder)
    for frame in FRAMES:
        seen = set()
        for side in SIDES:
            check(report(browser, folder, frame, side), table[frame], frame, seen)
        hidden = set(range(WEDGES)) - seen
        assert len(hidden) <= (0 if frame == 0 else 2), f"frame {frame}: bodies {hidden} show nowhere"
        print(f"frame {frame}: {len(seen)} of {WEDGES} wedges show where they are")
    shutil.rmtree(os.path.join(folder, "profile"), ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
