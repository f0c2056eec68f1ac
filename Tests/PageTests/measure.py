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
  const times = [];
  for (let index = 0; index < 200; index += 1) {
    const seq = 1 + Math.floor(Math.random() * count);
    const start = performance.now();
    location.hash = `#a=${seq}`;
    // The browser tells the page of its new address, which then shows the action; a frame later it is seen.
    while (!document.querySelector("#step h3").textContent.startsWith(`${seq} `)) await new Promise((done) => { const channel = new MessageChannel(); channel.port1.onmessage = done; channel.port2.postMessage(0); });
    times.push(performance.now() - start);
    await new Promise(requestAnimationFrame);
  }
  times.sort((a, b) => a - b);
  return { median: times[100], most: times[199], p95: times[190] };
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
        results = {"actions": actions, "log MB": round(log.stat().st_size / 1e6, 1)}
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
