// The page: takes the log as it arrives, and ties the parts together.

import { showBanner, showHead, showLogs, showQuick } from "./banner.mjs";
import { part } from "./dom.mjs";
import { Filter, toggledQuery } from "./filter.mjs";
import { HistoryView } from "./historyview.mjs";
import { askForAction, isTyping, showKeys } from "./keys.mjs";
import { ListView } from "./listview.mjs";
import { Feed } from "./live.mjs";
import { Flag } from "./log.mjs";
import { Model } from "./model.mjs";
import { pointerText, pointerTokens } from "./pointer.mjs";
import { StepView } from "./stepview.mjs";
import { Timeline } from "./timeline.mjs";
import { TreeView } from "./treeview.mjs";

/** So long the page works before it lets the browser draw, in milliseconds. */
const slice = 12;
const playInterval = 450;
const mostPrinted = 5000;

class Page {
  constructor() {
    this.model = new Model(part("about").textContent ?? "{}", new URLSearchParams(location.hash.slice(1)).get("l"));
    const select = (/** @type {number} */ step) => this.select(step);
    const toggle = (/** @type {string} */ word) => this.setQuery(toggledQuery(this.query, word));
    const history = (/** @type {string[]} */ path) => this.showHistory(path);
    this.toggle = toggle;
    this.list = new ListView(this.model, { select, toggle });
    this.timeline = new Timeline(this.model, { select });
    this.stepView = new StepView(this.model, { select, history, toggle });
    this.treeView = new TreeView(this.model, { history });
    this.historyView = new HistoryView(this.model, { select, toggle, closed: () => this.writePlace() });
    this.filter = new Filter("", this.model);
    this.query = "";
    this.selected = -1;
    this.taken = { log: 0, other: 0 };
    this.player = 0;
    this.isComplete = false;
    /**
     * What was so before lines came.
     * @type {{ from: number, wasAtEnd: boolean, wasDown: boolean, outlook: string } | undefined}
     */
    this.growth = undefined;
    /** The start of a walk through what an action led to. */
    this.walk = { from: -1, index: 0 };
    this.listen();
    this.load();
  }

  // Loading

  /** Takes the blocks of the log that are there, and indexes them in slices. */
  load() {
    const isRead = document.readyState !== "loading";
    this.take("log", this.model.log, isRead);
    this.take("other", this.model.other, isRead);
    const end = performance.now() + slice;
    const isDue = () => performance.now() > end;
    this.model.log.index(isDue);
    if (this.model.log.isIndexed) this.model.other.index(isDue);
    const isDone = isRead && this.model.log.isIndexed && this.model.other.isIndexed;
    if (this.model.log.stepCount > 0 && (this.selected < 0 || isDone)) this.refresh();
    if (isDone) this.complete();
    else setTimeout(() => this.load());
  }

  /**
   * @param {"log" | "other"} name
   * @param {import("./log.mjs").Log} log
   * @param {boolean} isRead
   */
  take(name, log, isRead) {
    const blocks = document.querySelectorAll(`script[type="application/x-tca-replay-${name}"]${this.model.blocks}`);
    // The last one may still be coming.
    const whole = isRead ? blocks.length : blocks.length - 1;
    for (; this.taken[name] < whole; this.taken[name] += 1) {
      const block = blocks[this.taken[name]];
      log.append(block.textContent ?? "");
    }
  }

  /** Shows what is there so far. */
  refresh() {
    showHead(this.model);
    this.list.show(this.filter);
    this.timeline.measure();
    if (this.model.log.stepCount === 0) this.treeView.draw();
    else if (this.selected < 0) this.select(0, false);
  }

  complete() {
    this.isComplete = true;
    this.model.markDifferences();
    showLogs(this.model, (index) => this.chooseLog(index));
    const place = new URLSearchParams(location.hash.slice(1));
    this.query = place.get("q") ?? "";
    part("query").value = this.query;
    this.filter = new Filter(this.query, this.model);
    showBanner(this.model, (step) => this.select(step));
    this.refresh();
    this.runFilter();
    this.followPlace(place);
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
    this.listenToNews();
  }

  // A page that is still written

  listenToNews() {
    const { news, isLive } = this.model;
    if (news === undefined) return;
    const mark = part("live");
    mark.hidden = false;
    if (isLive) mark.addEventListener("click", () => this.select(this.lastStep));
    else this.markReloading();
    this.showLive();
    const feed = new Feed(news, {
      lines: (text) => this.grow(text),
      settled: () => this.settle(),
      replaced: () => location.reload(),
      silent: () => this.stopNews("no longer followed", "the command that writes the page gives no sign: it was stopped, or killed"),
      resumed: () => this.resumeNews(),
      ended: () => this.stopNews("no longer live", "the command that wrote the page has ended"),
    });
    feed.start();
  }

  /**
   * Takes lines that have come. What is selected and where the list stands stay, unless that is the end.
   * @param {string} text
   */
  grow(text) {
    const { log } = this.model;
    this.growth ??= { from: Math.max(log.owner, 0), wasAtEnd: this.isAtEnd, wasDown: this.list.isDown, outlook: this.model.outlook(this.selected) };
    log.append(text);
    log.index(() => false);
    this.model.forget(this.growth.from);
  }

  /** Shows what has come. */
  settle() {
    const { growth, model } = this;
    if (growth === undefined) return;
    this.growth = undefined;
    this.filter.forget(growth.from);
    this.filter.run(() => false);
    this.list.forget(growth.from);
    showHead(model);
    showBanner(model, (step) => this.select(step));
    showQuick(model, this.toggle, this.query);
    this.showHits();
    this.list.measure();
    this.list.draw();
    this.timeline.measure();
    if (growth.wasAtEnd) this.select(this.lastStep);
    else if (this.selected >= growth.from) this.select(this.selected, false);
    else if (model.outlook(this.selected) !== growth.outlook) this.stepView.show(this.selected, true);
    if (growth.wasDown && !growth.wasAtEnd) this.list.top = this.filter.count;
    if (this.historyView.isOpen) this.historyView.refresh(this.selected);
    this.showLive();
  }

  /**
   * Says that nothing comes.
   * @param {string} text
   * @param {string} title Why.
   */
  stopNews(text, title) {
    this.setLive(false);
    const mark = part("live");
    mark.textContent = text;
    mark.title = title;
    mark.className = "ended";
    mark.disabled = true;
  }

  resumeNews() {
    const mark = part("live");
    mark.textContent = "live";
    mark.disabled = false;
    this.setLive(this.model.news?.get("grows") === true);
    if (!this.model.isLive) this.markReloading();
  }

  /**
   * Shows the last action, which may be in progress, and what is said of the whole log.
   * @param {boolean} isLive
   */
  setLive(isLive) {
    this.model.isLive = isLive;
    const last = this.model.log.owner;
    this.model.forget(last);
    this.filter.forget(last);
    this.filter.run(() => false);
    this.list.forget(last);
    showHead(this.model);
    showBanner(this.model, (step) => this.select(step));
    showQuick(this.model, this.toggle, this.query);
    this.timeline.measure();
    this.select(this.selected);
  }

  /** Says of a page that does not grow what its mark means. */
  markReloading() {
    const mark = part("live");
    mark.className = "";
    mark.title = "the page loads itself again when the log was replayed again";
  }

  /** Says whether the page goes along with the log. */
  showLive() {
    if (!this.model.isLive) return;
    const mark = part("live");
    mark.className = this.isAtEnd ? "along" : "";
    mark.title = this.isAtEnd ? "new actions are selected as they come" : "go to the end, and along with it";
  }

  /** The last step of those that the filter finds. */
  get lastStep() {
    return this.filter.count === 0 ? this.model.log.stepCount - 1 : this.filter.step(this.filter.count - 1);
  }

  get isAtEnd() {
    return this.model.isLive && this.selected >= 0 && this.selected === this.lastStep;
  }

  /** @param {number} index */
  chooseLog(index) {
    // What is selected and filtered belongs to the other log.
    history.replaceState(null, "", `#l=${index}`);
    location.reload();
  }

  // The place in the fragment

  /** @param {URLSearchParams} place */
  followPlace(place) {
    if (place.has("l") && place.get("l") !== String(this.model.index)) return location.reload();
    const at = place.get("a") ?? (this.model.isLive ? "end" : "");
    const step = at === "0" ? 0 : at === "end" ? this.lastStep : at === "" ? -1 : this.model.log.stepOfSeq(Number(at));
    this.select(step >= 0 ? step : this.model.firstOfInterest(), false);
    if (place.has("h")) this.showHistory(pointerTokens(place.get("h") ?? ""), false);
    return undefined;
  }

  writePlace() {
    if (!this.isComplete) return;
    const place = new URLSearchParams();
    if (this.model.names.length > 1) place.set("l", String(this.model.index));
    if (this.selected >= 0) place.set("a", this.isAtEnd ? "end" : String(this.model.log.stepSeqs.values[this.selected]));
    if (this.query !== "") place.set("q", this.query);
    if (this.historyView.path !== undefined) place.set("h", pointerText(this.historyView.path));
    const hash = `#${place}`;
    if (hash !== location.hash) history.replaceState(null, "", hash);
  }

  // Selecting

  /**
   * @param {number} step
   * @param {boolean} [isWritten]
   */
  select(step, isWritten = true) {
    const { log } = this.model;
    step = Math.min(Math.max(step, 0), log.stepCount - 1);
    if (step < 0) return;
    this.selected = step;
    this.list.select(step);
    this.timeline.select(step);
    this.stepView.show(step);
    this.treeView.show(step);
    if (this.historyView.isOpen) this.historyView.mark(step);
    this.showLive();
    if (isWritten) this.writePlace();
  }

  /** @param {number} by */
  move(by) {
    const { filter } = this;
    if (filter.count === 0) return;
    const row = filter.row(this.selected);
    const isOn = row >= 0 && filter.step(row) === this.selected;
    const next = Math.min(Math.max(isOn || by < 0 ? row + by + (isOn || by >= 0 ? 0 : 1) : row + 1, 0), filter.count - 1);
    this.select(filter.step(next));
  }

  goToCause() {
    const cause = this.model.log.causeOf(this.selected);
    if (cause >= 0) this.select(cause);
  }

  /** To the first action that this one led to; from there, again, to the next of them. */
  goToLedTo() {
    const { log } = this.model;
    const own = log.ledTo(this.selected, 1)[0];
    if (own !== undefined) {
      this.walk = { from: this.selected, index: 0 };
      this.select(own);
      return;
    }
    const siblings = this.walk.from >= 0 ? log.ledTo(this.walk.from, this.walk.index + 2) : [];
    if (siblings[this.walk.index] !== this.selected || siblings[this.walk.index + 1] === undefined) return;
    this.walk.index += 1;
    this.select(siblings[this.walk.index]);
  }

  /** To the next difference, or failure when nothing is compared; after the last, the first. */
  goToNext() {
    const { log } = this.model;
    const isCompared = this.model.differences.size > 0;
    for (let offset = 1; offset <= log.stepCount; offset += 1) {
      const step = (this.selected + offset) % log.stepCount;
      if (isCompared ? log.hasFlag(step, Flag.differs) : this.model.hasFailed(step)) return this.select(step);
    }
    return undefined;
  }

  // History

  /**
   * @param {string[]} path
   * @param {boolean} [isWritten]
   */
  showHistory(path, isWritten = true) {
    this.historyView.show(this.selected, path);
    if (isWritten) this.writePlace();
  }

  /** Shows who set a value; again, goes there. */
  blame() {
    const path = this.treeView.focusedPath;
    if (this.historyView.isOpen) {
      const step = this.historyView.mark(this.selected);
      if (step >= 0 && step !== this.selected) return this.select(step);
      const earlier = this.historyView.steps.filter((found) => found < this.selected).pop();
      if (earlier !== undefined) return this.select(earlier);
    }
    if (path !== undefined) this.showHistory(path);
    return undefined;
  }

  // Filtering

  /** @param {string} query */
  setQuery(query) {
    this.query = query;
    if (part("query").value !== query) part("query").value = query;
    this.filter = new Filter(query, this.model);
    this.list.show(this.filter);
    this.runFilter();
    this.writePlace();
  }

  showHits() {
    const { filter } = this;
    const count = (/** @type {number} */ number) => number.toLocaleString("en-US");
    part("hits").textContent = filter.isActive ? `${count(filter.count)}${filter.isDone ? "" : " …"} of ${count(this.model.log.stepCount - 1)}` : "";
  }

  runFilter() {
    const { filter } = this;
    showQuick(this.model, this.toggle, this.query);
    const isSelected = () => filter.row(this.selected) >= 0 && filter.step(filter.row(this.selected)) === this.selected;
    const work = () => {
      if (filter !== this.filter) return;
      const end = performance.now() + slice;
      filter.run(() => performance.now() > end);
      this.showHits();
      this.list.measure();
      this.list.draw();
      if (!filter.isDone) setTimeout(work);
      else if (filter.isActive && filter.count > 0 && !isSelected()) this.list.top = Math.max(filter.row(this.selected), 0);
    };
    work();
  }

  // Playing

  play() {
    const button = part("play");
    if (this.player !== 0) {
      clearInterval(this.player);
      this.player = 0;
    } else {
      this.player = setInterval(() => {
        const before = this.selected;
        this.move(1);
        if (this.selected === before) this.play();
      }, playInterval);
    }
    button.textContent = this.player === 0 ? "Play" : "Stop";
    button.setAttribute("aria-pressed", String(this.player !== 0));
  }

  // Input

  listen() {
    const query = part("query");
    query.addEventListener("input", () => this.setQuery(query.value));
    query.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") {
        this.setQuery("");
        part("list").focus();
      } else if (event.key === "Enter" || event.key === "ArrowDown") {
        part("list").focus();
        if (this.filter.isActive) this.move(1);
        event.preventDefault();
      }
    });
    part("play").addEventListener("click", () => this.play());
    part("help").addEventListener("click", () => showKeys());
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => {
      if (this.isComplete) this.followPlace(new URLSearchParams(location.hash.slice(1)));
    });
    addEventListener("beforeprint", () => this.list.drawAll(mostPrinted));
    addEventListener("afterprint", () => this.list.draw());
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const onButton = event.target instanceof HTMLButtonElement;
    switch (event.key) {
      case "ArrowUp": case "k": case "ArrowLeft": this.move(-1); break;
      case "ArrowDown": case "j": case "ArrowRight": this.move(1); break;
      case "PageUp": this.move(-this.list.visibleCount + 1); break;
      case "PageDown": this.move(this.list.visibleCount - 1); break;
      case "Home": this.select(this.filter.step(0)); break;
      case "End": this.select(this.filter.step(this.filter.count - 1)); break;
      case "[": this.goToCause(); break;
      case "]": this.goToLedTo(); break;
      case "/": part("query").select(); break;
      case "g":
        askForAction((seq) => {
          const step = seq === 0 ? 0 : this.model.log.stepOfSeq(seq);
          if (step < 0) return `there is no action ${seq}; the last one is ${this.model.log.stepSeqs.values[this.model.log.stepCount - 1]}`;
          this.select(step);
          return undefined;
        });
        break;
      case "b": this.blame(); break;
      case "d": this.goToNext(); break;
      case "e": this.treeView.toggleAll(); break;
      case " ":
        if (onButton) return;
        this.play();
        break;
      case "Escape":
        if (this.historyView.isOpen) this.historyView.close();
        else this.setQuery("");
        break;
      case "?": showKeys(); break;
      default: return;
    }
    event.preventDefault();
  }
}

new Page();
