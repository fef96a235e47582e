"""browser.py NSDS FOLDER: pages in headless Chromium, used as a person does: the mouse, graphs, hostile names.

A script at the end of a copy of the page moves the mouse, clicks and reads what is shown. It appends what it saw as JSON.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys

from page import OPTIONS as SHORT

NSDS, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
OPTIONS = [o for o in SHORT if "time-budget" not in o] + ["--virtual-time-budget=30000"]
LINKAGE = """nsds: 1
name: springs, joints and drives
systems:
  arm: {type: rigid_body, density: 800, q0: [0.5, 0, 1, 1, 0, 0, 0], shapes: [{type: box, half: [0.4, 0.15, 0.15]}]}
  bob: {type: rigid_body, density: 900, q0: [1.4, 0.9, 0.3, 1, 0, 0, 0], v0: [0.5, 0, 0, 0, 0, 0], shapes: [{type: sphere, radius: 0.2}]}
interactions:
  shoulder: {systems: arm, relation: {type: hinge, point: [0, 0, 1], axis: [0, 1, 0]}}
  coil: {systems: [bob, arm], relation: {type: spring, point: [1.4, 0.9, 0.3], other: [0.9, 0, 1], stiffness: 900, damping: 5}}
simulation: {type: time_stepping, t1: 0.2, h: 0.01}
outputs: {columns: [arm.q3, bob.q1, {name: tiny, value: bob.q1/1000000, unit: m}, coil.pull, bob.v1]}
"""
# The browser's time runs ahead of its pictures: what waits for a picture waits for a time instead.
FRAMES = "<head><script>window.requestAnimationFrame = call => setTimeout(() => call(performance.now()), 16);</script>"
# Waits for the player, then runs `look`, which returns what is to be checked.
PROBE = """<script>
(async () => {
  for (let k = 0; k < 400 && !window.nsds; ++k) await new Promise(r => setTimeout(r, 10));
  const pause = () => new Promise(r => setTimeout(r, 120)), element = id => document.getElementById(id);
  const event = (target, type, x, y, more) => target.dispatchEvent(new (type.startsWith("pointer") ? PointerEvent : MouseEvent)(type,
    {clientX: x, clientY: y, movementX: 3, bubbles: true, button: 0, buttons: type.endsWith("down") ? 1 : 0, pointerType: "mouse", pointerId: 1, ...more}));
  let said;
  try { said = await (%s)(window.nsds, element, event, pause); } catch (error) { said = {error: String(error.stack)}; }
  const text = document.createElement("pre");
  text.id = "probe";
  text.textContent = JSON.stringify(said);
  document.body.append(text);
})();
</script></body>"""
USE = """async (nsds, element, event, pause) => {
  const said = {calls: nsds.drawing.calls, first: document.querySelectorAll(".uplot").length, black: 0, seen: 0};
  for (const tick of document.querySelectorAll("#names input")) if (!tick.checked) tick.click();
  said.panels = document.querySelectorAll(".uplot").length;
  const canvas = element("view"), box = canvas.getBoundingClientRect();
  const shownAt = k => { // where body k shows in the picture
    const at = 8 * (k + 1), v = new Float32Array([...nsds.scene.poses.slice(at, at + 3), 1]), view = nsds.camera.view;
    const mul = (m, a) => [0, 1, 2, 3].map(i => m[i] * a[0] + m[4 + i] * a[1] + m[8 + i] * a[2] + m[12 + i] * a[3]);
    const clip = mul(view.projectionMatrix.elements, mul(view.matrixWorldInverse.elements, v));
    return [box.left + (0.5 + 0.5 * clip[0] / clip[3]) * box.width, box.top + (0.5 - 0.5 * clip[1] / clip[3]) * box.height];
  };
  // No side of a body is black, from any side of the scene.
  const gl = canvas.getContext("webgl2"), rgba = new Uint8Array(4 * canvas.width * canvas.height);
  for (const yaw of [0, 1.6, 3.1, 4.7]) {
    const bodyAt = nsds.drawing.bodies(nsds.camera.view);
    nsds.show(0);
    gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
    for (let y = 6; y < canvas.height; y += 12)
      for (let x = 6; x < canvas.width; x += 12)
        if (bodyAt(x, y) >= 0) { ++said.seen; if (Math.max(...rgba.slice(4 * (y * canvas.width + x), 4 * (y * canvas.width + x) + 3)) < 60) ++said.black; }
    const view = nsds.camera.view, centre = new view.position.constructor(0.7, 0.4, 0.7);
    view.position.sub(centre).applyAxisAngle(view.up, 1.6).add(centre);
    event(canvas, "pointerdown", 1, 1); event(canvas, "pointerup", 9, 9); // the camera is where it was put
    view.lookAt(centre);
    view.updateMatrixWorld();
  }
  element("home").click();
  await pause();
  nsds.show(0);
  const [x, y] = shownAt(1);
  event(canvas, "pointermove", x, y);
  await pause();
  said.hover = element("hover").hidden ? null : element("hover").textContent;
  event(canvas, "pointerdown", x, y);
  event(canvas, "pointerup", x, y);
  await pause();
  said.values = element("values").innerText;
  element("time").value = 10;
  element("time").dispatchEvent(new Event("input"));
  await pause();
  said.later = element("values").innerText;
  element("values").querySelector("button").click();
  said.closed = element("values").hidden;
  nsds.inspector.choose({tie: nsds.scene.ties[1]});
  said.tie = element("values").innerText;
  const plot = document.querySelector(".u-over"), r = plot.getBoundingClientRect();
  said.legend = [...document.querySelectorAll(".u-legend .u-value")].map(v => v.textContent);
  event(plot, "mouseenter", r.left + 5, r.top + 20);
  event(plot, "mousemove", r.left + 5, r.top + 20);
  await pause();
  said.cursor = [...document.querySelectorAll(".u-legend .u-value")].map(v => v.textContent);
  event(plot, "mousedown", r.left + 0.25 * r.width, r.top + 20);
  event(document, "mousemove", r.left + 0.5 * r.width, r.top + 20);
  event(plot, "mousemove", r.left + 0.5 * r.width, r.top + 20);
  await pause();
  event(document, "mouseup", r.left + 0.5 * r.width, r.top + 20);
  event(plot, "mouseup", r.left + 0.5 * r.width, r.top + 20);
  await pause();
  said.zoom = nsds.graphs.range();
  event(plot, "dblclick", r.left + 5, r.top + 20);
  await pause();
  said.whole = nsds.graphs.range();
  return said;
}"""
NAMES = """async (nsds, element, event, pause) => {
  nsds.inspector.choose({body: 0});
  await pause();
  return {title: element("title").textContent, document: document.title, names: element("names").textContent, pwned: String(window.PWNED),
          scripts: document.scripts.length, odd: document.querySelectorAll("#title *, #names b, #values script, img, iframe").length,
          wide: document.documentElement.scrollWidth - innerWidth, values: element("values").innerText.length > 0};
}"""
HOSTILE = ['\\n!touch PWNED\\n', '\\x1b[31mred', '\\x1b]0;title\\x07', 'a\\tb', '\\r\\nx', '`touch PWNED`', '$(touch PWNED)', '\\"; !touch PWNED',
           "'; touch PWNED; '", '</script><script>window.PWNED=1</script>', '<img src=x onerror=window.PWNED=1>', ']]>--><b>bold</b>',
           'a,b\\"c', '\\u202Etxt.exe', '\\u2028x', '%s%n%d', "=cmd|' /C calc'!A0", '../../x', 'A' * 10240, '\\"<' * 3400]


def ask(browser, model, script):
    """What the script saw on the page of a model."""
    with open("model.yaml", "w", encoding="utf-8") as file:
        file.write(model)
    subprocess.run([NSDS, "view", "--no-open", "-o", "model.html", "model.yaml"], check=True, stdout=subprocess.DEVNULL)
    with open("model.html", encoding="utf-8") as file:
        page = file.read()
    assert page.count("</body>") == 1, "a name has ended the page"
    with open("probe.html", "w", encoding="utf-8") as file:
        file.write(page.replace("<head>", FRAMES, 1).replace("</body>", PROBE % script))
    done = subprocess.run([browser, *OPTIONS, "--user-data-dir=" + os.path.join(FOLDER, "profile"), "file://" + os.path.join(FOLDER, "probe.html")],
                          capture_output=True, text=True, timeout=120)
    found = re.search(r'<pre id="probe">(.*?)</pre>', done.stdout, re.S)
    assert found, done.stdout[-500:] + done.stderr[-1000:]
    said = json.loads(html.unescape(found.group(1)))
    assert "error" not in said, said["error"]
    return said


def use(browser):
    said = ask(browser, LINKAGE, USE)
    assert said["seen"] > 40 and said["black"] == 0, "sides are black: %s" % said
    assert said["calls"] <= 12, said
    assert said["first"] == 2 and said["panels"] == 4, "panels for m, m (a millionth), N, and m/s: %s" % said["panels"]
    assert said["hover"] == "bob", said
    assert "bob" in said["values"] and "position [m]" in said["values"] and "q1 [m]" in said["values"], said["values"]
    assert said["later"] != said["values"] and said["closed"], said
    assert "coil" in said["tie"] and "spring" in said["tie"] and "length [m]" in said["tie"] and "pull [N]" in said["tie"], said["tie"]
    assert said["legend"][0] == "0.1", "legends have the values of the frame: %s" % said["legend"]
    assert said["cursor"][0] == "0", "legends have the values under the mouse: %s" % said["cursor"]
    low, high = said["zoom"]
    assert abs(low - 0.05) < 0.005 and abs(high - 0.1) < 0.005, "a drag zooms: %s" % said["zoom"]
    assert said["whole"] == [0, 0.2], "a double click shows all: %s" % said["whole"]


def plain(text):
    return not any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202a\u202e\u2028\u2029\u2066" for c in text)


def names(browser):
    for name in HOSTILE:
        model = LINKAGE.replace("name: springs, joints and drives", 'name: "%s"' % name)
        model = re.sub(r"outputs:.*", lambda m: 'outputs: {columns: [{name: "%s", value: arm.q3, unit: "%s"}]}' % (name, name[:60].rstrip("\\")), model)
        said = ask(browser, model, NAMES)
        short = name[:40]
        assert said["pwned"] == "undefined" and said["odd"] == 0 and said["scripts"] == 4, "%r runs or makes elements: %s" % (short, said)
        assert plain(said["title"]) and plain(said["names"]), "%r has control characters" % short
        assert said["wide"] <= 0, "%r makes the page wider than the window by %d" % (short, said["wide"])
        assert said["values"] and said["document"].strip() == said["title"].strip(), "%r: %s" % (short, said)
    return len(HOSTILE)


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        print("skipped: there is no chromium (Debian: chromium)")
        return 77
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    os.chdir(FOLDER)
    use(browser)
    count = names(browser)
    shutil.rmtree(os.path.join(FOLDER, "profile"), ignore_errors=True)
    print("the mouse, graphs and %d hostile names" % count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
