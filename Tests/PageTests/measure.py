"""Measures a page of a large log in Chromium: measure.py [ACTIONS]. Prints what Documentation/Performance.md says of the page."""
import os
import pathlib
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

import big_log

root = pathlib.Path(__file__).resolve().parent.parent.parent
tool = os.environ.get("TCA_REPLAY", str(root / ".build" / "debug" / "tca-replay"))

seeks = """async (count) => {
  let start = 0;
  let worked = 0;
  // The first listener, and the last one: between them the page shows the action.
  addEventListener("hashchange", () => { start = performance.now(); }, true);
  addEventListener("hashchange", () => {
    document.getElementById("tree").lastElementChild.getBoundingClientRect();
    worked = performance.now() - start;
  });
  const work = [];
  const seen = [];
  for (let index = 0; index < 200; index += 1) {
    const seq = 1 + Math.floor(Math.random() * count);
    worked = 0;
    location.hash = `#a=${seq}`;
    while (worked === 0) await new Promise((done) => setTimeout(done));
    // The frame after this one begins when this one is drawn.
    await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done));
    if (!document.querySelector("#step h3").textContent.startsWith(`${seq} `)) throw new Error(`not at ${seq}`);
    work.push(worked);
    seen.push(performance.now() - start);
  }
  const sorted = (times) => times.sort((a, b) => a - b);
  sorted(work);
  sorted(seen);
  return { median: work[100], p95: work[190], most: work[199], "median drawn": seen[100] };
}"""

# What does not depend on how busy the machine is: the elements that the page makes for a seek, and for a scrolled frame.
elements = """async (count) => {
  const create = Document.prototype.createElement;
  let made = 0;
  Document.prototype.createElement = function (name) {
    made += 1;
    return create.call(this, name);
  };
  const list = document.getElementById("list");
  const [seeks, frames] = [[], []];
  for (let index = 0; index < 100; index += 1) {
    made = 0;
    location.hash = `#a=${1 + Math.floor(Math.random() * count)}`;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    seeks.push(made);
  }
  for (let index = 0; index < 100; index += 1) {
    made = 0;
    list.scrollTop += 130;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    frames.push(made);
  }
  Document.prototype.createElement = create;
  for (const counts of [seeks, frames]) counts.sort((a, b) => a - b);
  return { "a seek, median": seeks[50], "most": seeks[99], "a scrolled frame, median": frames[50], "the most": frames[99] };
}"""

frames = """async () => {
  const list = document.getElementById("list");
  const work = [];
  for (let index = 0; index < 300; index += 1) {
    await new Promise(requestAnimationFrame);
    list.scrollTop += index % 60 === 59 ? list.scrollHeight / 7 : 130;
    const start = performance.now();
    list.dispatchEvent(new Event("scroll"));
    // Makes the browser lay the new rows out at once.
    document.getElementById("rows").lastElementChild.getBoundingClientRect();
    work.push(performance.now() - start);
  }
  work.sort((a, b) => a - b);
  return { median: work[150], p95: work[285], most: work[299] };
}"""

filtering = """async (query) => {
  const input = document.getElementById("query");
  const start = performance.now();
  input.value = query;
  input.dispatchEvent(new Event("input"));
  const hits = document.getElementById("hits");
  while (hits.textContent.includes("…")) await new Promise((done) => setTimeout(done));
  return [performance.now() - start, hits.textContent];
}"""


def memory(session):
    session.send("HeapProfiler.enable")
    session.send("HeapProfiler.collectGarbage")
    usage = session.send("Runtime.getHeapUsage")
    return usage["usedSize"], usage.get("embedderHeapUsedSize", 0), usage.get("backingStorageSize", 0)


def resident(browser_pid):
    """The memory of the largest renderer, as the system counts it."""
    rows = subprocess.run(["ps", "-eo", "pid,rss,args"], capture_output=True, text=True).stdout.splitlines()
    return max((int(row.split()[1]) for row in rows if "type=renderer" in row and browser_pid in row), default=0) * 1024


def main():
    actions = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        log = pathlib.Path(folder) / "big.jsonl"
        size = big_log.write(log, actions)
        page = pathlib.Path(folder) / "big.html"
        subprocess.run([tool, "view", str(log), "-o", str(page)], check=True)
        mark = f"--user-agent=measure-{os.getpid()}"
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox", mark])
        results = {"load of the machine": ", ".join(f"{load:.1f}" for load in os.getloadavg()), "actions": actions, "log MB": round(log.stat().st_size / 1e6, 1)}
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        tab = context.new_page()
        session = context.new_cdp_session(tab)
        tab.goto("about:blank")
        empty, empty_resident = sum(memory(session)), resident(mark)
        tab.goto(page.as_uri(), wait_until="commit")
        tab.wait_for_selector("html[data-ready]", state="attached", timeout=300_000)
        results["first paint ms"] = tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        results["whole log indexed ms"] = tab.evaluate("Number(document.documentElement.dataset.ready)")
        results["seek ms"] = tab.evaluate(seeks, actions)
        results["scroll frame ms"] = tab.evaluate(frames)
        results["elements made"] = tab.evaluate(elements, actions)
        for query in ("is:failed", "path:total", "refused"):
            results[f"filter {query} ms"] = tab.evaluate(filtering, query)
        results["script heap MB over an empty page"] = round((sum(memory(session)) - empty) / 1e6, 1)
        results["renderer MB over an empty page"] = round((resident(mark) - empty_resident) / 1e6, 1)
        browser.close()
    for name, value in results.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {number:.1f}" for key, number in value.items())
        print(f"{name}: {value if not isinstance(value, float) else round(value, 1)}")
    return results, size


if __name__ == "__main__":
    main()
