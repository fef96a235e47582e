"""site_look.py SITE: every page of the site in headless Chromium, from its folder and without a server, at two widths.

No page is wider than the window, no code is cut, no text is tiny, the first row names Python, code has colors, and the
search finds what it should.
"""
import glob
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SITE = os.path.abspath(sys.argv[1])
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--allow-file-access-from-files", "--virtual-time-budget=120000", "--dump-dom"]
PROBE = """<body><script>
const pages = %s, said = {faults: [], found: {}, seen: 0};
const look = (page, width) => new Promise(done => {
  const frame = document.createElement("iframe");
  Object.assign(frame.style, {width: width + "px", height: "900px", border: 0});
  frame.onload = async () => {
    const fault = text => said.faults.push(page + " at " + width + ": " + text), doc = frame.contentDocument, view = frame.contentWindow;
    ++said.seen;
    if (doc.documentElement.scrollWidth > width) fault("is " + doc.documentElement.scrollWidth + " wide");
    if (![...doc.querySelectorAll(".bar nav a")].some(a => a.textContent === "Python")) fault("Python is not in the first row");
    for (const code of doc.querySelectorAll("pre, .fragment")) {
      if (code.scrollWidth > code.clientWidth + 1) { fault("code is cut: " + code.textContent.slice(0, 60)); break; }
    }
    const small = [...doc.querySelectorAll("p, li, td, pre, dd, div.line")].find(e => e.textContent.trim() && e.offsetParent && parseFloat(view.getComputedStyle(e).fontSize) < 11.5);
    if (small) fault("tiny text: " + small.textContent.slice(0, 40));
    const programs = [...doc.querySelectorAll("main pre")].filter(p => /#include|import nsds/.test(p.textContent));
    if (programs.some(p => !p.querySelector("span[class]"))) fault("a program has no colors");
    const broken = [...doc.images].find(i => i.complete && !i.naturalWidth);
    if (broken) fault("no picture " + broken.src);
    if (page === "index.html" || page === "reference/joint_8h.html") {
      const box = doc.querySelector(".search");
      if (box.hidden) fault("the search is not offered");
      for (const words of ["rope", "nsds_joint_read", "bouncing ball", "qqqqq"]) {
        const field = box.querySelector("input");
        field.value = words;
        field.dispatchEvent(new view.Event("input"));
        await view.nsdsFind(words);
        await new Promise(r => setTimeout(r, 20));
        said.found[page + " " + words] = [...box.querySelectorAll("li")].map(li => (li.querySelector("a") || {}).href + " " + li.textContent.trim());
      }
    }
    frame.remove();
    done();
  };
  frame.src = "%s/" + page;
  document.body.append(frame);
});
(async () => {
  for (const page of pages) for (const width of [1280, 390]) await look(page, width);
  const text = document.createElement("pre");
  text.id = "said";
  text.textContent = JSON.stringify(said);
  document.body.append(text);
})();
</script></body>"""


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        print("there is no chromium, so pages are not looked at")
        return 0
    pages = sorted(os.path.basename(p) for p in glob.glob(SITE + "/*.html"))
    reference = sorted("reference/" + os.path.basename(p) for p in glob.glob(SITE + "/reference/*.html"))
    pages += [p for p in reference if p.endswith("_8h.html")] + reference[::12]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "probe.html"), "w", encoding="utf-8") as file:
            file.write(PROBE % (json.dumps(pages), "file://" + SITE))
        done = subprocess.run([browser, *OPTIONS, "--window-size=1400,1000", "--user-data-dir=" + os.path.join(folder, "profile"),
                               "file://" + os.path.join(folder, "probe.html")], capture_output=True, text=True, timeout=500)
    found = re.search(r'<pre id="said">(.*?)</pre>', done.stdout, re.S)
    if not found:
        print("the browser says nothing\n" + done.stderr[-1500:])
        return 1
    said = json.loads(html.unescape(found.group(1)))
    faults = said["faults"]
    for key, lines in said["found"].items():
        expected = {"rope": "joint", "nsds_joint_read": "joint_8h.html", "bouncing ball": "model_files.html", "qqqqq": "Nothing is found"}
        wanted = next(v for k, v in expected.items() if key.endswith(k))
        if not any(wanted in line for line in lines):
            faults.append("search %s: %s" % (key, lines[:5]))
    if reference and not any("nsds_joint_read" in line for line in said["found"]["index.html nsds_joint_read"][:1]):
        faults.append("a function is not the first that is found by its name")
    print("\n".join(faults) or "%d looks at %d pages" % (said["seen"], len(pages)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
