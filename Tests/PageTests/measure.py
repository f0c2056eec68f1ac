"""Measures a page of a large log in Chromium: measure.py [ACTIONS [PICTURES]]. Prints what Documentation/Measurements.md says of the page; for its
sentence on a million actions, measure.py 1000000; for the one on pictures, measure.py 10000 2000."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

import big_log

root = pathlib.Path(__file__).resolve().parent.parent.parent
tool = os.environ.get("TCA_REPLAY", str(root / ".build" / "debug" / "tca-replay"))

# Goes to an action, and waits until it is drawn.
seek = """async (seq) => {
  location.hash = `#a=${seq}`;
  await new Promise((done) => addEventListener("hashchange", done, { once: true }));
  // The frame after this one begins when this one is drawn.
  await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done));
  if (!document.querySelector("#step h3").textContent.startsWith(`${seq} `)) throw new Error(`not at ${seq}`);
}"""

# Scrolls the list, now and then to another place, and waits for the frame.
scroll = """async (far) => {
  const list = document.getElementById("list");
  list.scrollTop += far ? list.scrollHeight / 7 : 130;
  if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) list.scrollTop = 0;
  await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done));
}"""


# What does not depend on how busy the machine is: the elements that the page makes for a seek, and for a scrolled frame, and the lines of the
# log that it reads. It looks in each line for U+0001 (PageWriter.escape).
counts = """async (count) => {
  const create = Document.prototype.createElement;
  const { includes } = String.prototype;
  let [made, lines, characters] = [[], 0, 0];
  Document.prototype.createElement = function (name) {
    const element = create.call(this, name);
    made.push(element);
    return element;
  };
  String.prototype.includes = function (text, ...rest) {
    if (text === "\\u0001") {
      lines += 1;
      characters += this.length;
    }
    return includes.call(this, text, ...rest);
  };
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const list = document.getElementById("list");
  const tree = document.getElementById("tree");
  const found = { seek: [], list: [], state: [], lines: [], characters: [], frame: [] };
  for (let index = 0; index < 200; index += 1) {
    [made, lines, characters] = [[], 0, 0];
    location.hash = `#a=${1 + Math.floor(Math.random() * count)}`;
    await frame();
    found.seek.push(made.length);
    found.list.push(made.filter((element) => list.contains(element)).length);
    found.state.push(made.filter((element) => tree.contains(element)).length);
    found.lines.push(lines);
    found.characters.push(characters);
  }
  list.scrollTop = 0;
  await frame();
  for (let index = 0; index < 200; index += 1) {
    made = [];
    list.scrollTop += 130;
    await frame();
    found.frame.push(made.length);
  }
  Document.prototype.createElement = create;
  String.prototype.includes = includes;
  const result = {};
  for (const [name, values] of Object.entries(found)) {
    values.sort((a, b) => a - b);
    result[name] = { median: values[100], most: values[199] };
  }
  return result;
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


def metric(session, name):
    return next(metric["value"] for metric in session.send("Performance.getMetrics")["metrics"] if metric["name"] == name)


def main_thread(session, work):
    """Milliseconds of processor time of the main thread, in order: script, style, layout and paint, without what other processes take."""
    before = metric(session, "TaskDuration")
    work()
    return (metric(session, "TaskDuration") - before) * 1000


def spread(times):
    times.sort()
    return {"median": times[len(times) // 2], "p95": times[len(times) * 95 // 100], "most": times[-1]}


def resident(browser_pid):
    """The memory of the largest renderer, as the system counts it."""
    rows = subprocess.run(["ps", "-eo", "pid,rss,args"], capture_output=True, text=True).stdout.splitlines()
    return max((int(row.split()[1]) for row in rows if "type=renderer" in row and browser_pid in row), default=0) * 1024


def draw(folder, actions, count):
    """Writes pictures of 10 kB each, at equal distances in the log."""
    folder.mkdir()
    for number in range(count):
        shapes = "".join(f'<rect x="{index % 19 * 20}" y="{index * 7 % 800}" width="18" height="5" fill="#{(index * number) % 4096:03x}"/>' for index in range(170))
        text = f'<svg xmlns="http://www.w3.org/2000/svg" width="390" height="844" viewBox="0 0 390 844">{shapes}</svg>'
        (folder / f"{number * actions // count}.svg").write_text(text)


def main():
    actions = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    pictures = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        log = pathlib.Path(folder) / "big.jsonl"
        size = big_log.write(log, actions)
        page = pathlib.Path(folder) / "big.html"
        shown = []
        if pictures > 0:
            draw(pathlib.Path(folder) / "pictures", actions, pictures)
            shown = ["--pictures-from", str(pathlib.Path(folder) / "pictures")]
        subprocess.run([tool, "view", str(log), "-o", str(page), *shown], check=True)
        mark = f"--user-agent=measure-{os.getpid()}"
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox", mark])
        results = {"load of the machine": ", ".join(f"{load:.1f}" for load in os.getloadavg()), "actions": actions, "pictures": pictures, "log MB": round(log.stat().st_size / 1e6, 1)}
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        tab = context.new_page()
        session = context.new_cdp_session(tab)
        tab.goto("about:blank")
        empty, empty_resident = sum(memory(session)), resident(mark)
        tab.goto(page.as_uri(), wait_until="commit")
        tab.wait_for_selector("html[data-ready]", state="attached", timeout=300_000)
        results["first paint ms"] = tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        results["whole log indexed ms"] = tab.evaluate("Number(document.documentElement.dataset.ready)")
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        chosen = random.Random(1)
        idle = spread([main_thread(session, lambda: tab.evaluate("() => new Promise((done) => setTimeout(done))")) for _ in range(50)])["median"]
        before = metric(session, "LayoutCount")
        results["seek, main thread ms"] = spread([main_thread(session, lambda: tab.evaluate(seek, chosen.randrange(1, actions + 1))) - idle for _ in range(200)])
        results["layouts by a seek"] = (metric(session, "LayoutCount") - before) / 200
        tab.evaluate("document.getElementById('list').scrollTop = 0")
        results["scrolled frame, main thread ms"] = spread([main_thread(session, lambda: tab.evaluate(scroll, index % 60 == 59)) - idle for index in range(300)])
        found = tab.evaluate(counts, actions)
        for name, title in [
            ("seek", "elements made by a seek"), ("list", "those of the list"), ("state", "those of the state"), ("lines", "lines read by a seek"),
            ("characters", "characters of these lines"), ("frame", "elements made by a scrolled frame"),
        ]:
            results[title] = found[name]
        for query in ("is:failed", ".saved", ".rows[].titleChanged", "path:total", "path:rows[*].title", "refused"):
            time, hits = tab.evaluate(filtering, query)
            results[f"filter {query} ms, {hits}"] = time
        results["script heap MB over an empty page"] = round((sum(memory(session)) - empty) / 1e6, 1)
        results["the same, times the log"] = results["script heap MB over an empty page"] * 1e6 / size
        results["renderer MB over an empty page"] = round((resident(mark) - empty_resident) / 1e6, 1)
        results["renderer, times the log"] = results["renderer MB over an empty page"] * 1e6 / size
        browser.close()
    for name, value in results.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {number:.1f}" for key, number in value.items())
        print(f"{name}: {value if not isinstance(value, float) else round(value, 1)}")
    return results, size


if __name__ == "__main__":
    main()
