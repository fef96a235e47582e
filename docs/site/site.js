// The search. Its index is a script, search_data.js, so that it works from a folder without a server. The box is shown by
// this script alone: a page without scripts offers no search. The index is loaded when the box is first used.
(() => {
  const root = document.currentScript.dataset.root, box = document.querySelector(".search");
  const field = box.querySelector("input"), list = box.querySelector("ol");
  const here = location.pathname.split("/").slice(-2).join("/");
  for (const link of document.querySelectorAll(".bar nav a"))
    if (link.pathname.split("/").slice(-2).join("/") === here) link.className = "here";
  box.hidden = false;

  let entries = null, loading = null;
  const load = () => loading = loading || new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = root + "search_data.js";
    script.onload = () => { entries = window.nsdsSearch.map(([url, page, title, text]) => ({url, page, title, text, all: `${page} ${title} ${text}`.toLowerCase()})); done(); };
    script.onerror = failed;
    document.head.append(script);
  });

  // All words have to occur; those in titles count more, whole titles most.
  const find = asked => {
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean), found = [];
    if (!words.length) return [];
    for (const entry of entries) {
      if (!words.every(w => entry.all.includes(w))) continue;
      const title = entry.title.toLowerCase();
      let score = title === asked.toLowerCase().trim() ? 100 : 0;
      for (const w of words) score += title.startsWith(w) ? 12 : title.includes(w) ? 8 : entry.page.toLowerCase().includes(w) ? 3 : 1;
      found.push([score - title.length / 200, entry]);
    }
    return found.sort((a, b) => b[0] - a[0]).slice(0, 25).map(([, entry]) => entry);
  };
  const around = (text, asked) => {
    const at = text.toLowerCase().indexOf(asked.toLowerCase().split(/\s+/).find(w => w && text.toLowerCase().includes(w)) || "");
    const from = Math.max(0, at - 50);
    return (from > 0 ? "… " : "") + text.slice(from, from + 150) + (from + 150 < text.length ? " …" : "");
  };
  const show = () => {
    const asked = field.value, found = find(asked);
    list.replaceChildren(...found.map(entry => {
      const item = document.createElement("li"), link = document.createElement("a"), title = document.createElement("b"), text = document.createElement("small");
      link.href = root + entry.url;
      title.textContent = entry.title;
      text.textContent = (entry.page === entry.title ? "" : entry.page + ": ") + around(entry.text, asked);
      link.append(title, text);
      item.append(link);
      return item;
    }));
    if (!found.length) {
      const none = document.createElement("li");
      none.className = "none";
      none.textContent = "Nothing is found.";
      list.append(none);
    }
    list.hidden = !asked.trim();
  };
  field.addEventListener("focus", () => load());
  field.addEventListener("input", () => load().then(show, () => { box.hidden = true; }));
  field.addEventListener("keydown", e => {
    if (e.key === "Escape") list.hidden = true;
    if (e.key === "Enter" && list.querySelector("a")) location.href = list.querySelector("a").href;
  });
  document.addEventListener("click", e => { if (!box.contains(e.target)) list.hidden = true; });
  window.nsdsFind = asked => load().then(() => find(asked)); // for tests
})();
