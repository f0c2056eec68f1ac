// The page: takes the log as it arrives, and ties the parts together.

import { showBanner, showHead, showLogs, showQuick } from "./banner.mjs";
import { part } from "./dom.mjs";
import { Film } from "./film.mjs";
import { Filter, queryWithRange, toggledQuery } from "./filter.mjs";
import { HistoryView } from "./historyview.mjs";
import { askForAction, isTyping, showKeys } from "./keys.mjs";
import { ListView, otherName } from "./listview.mjs";
import { Feed } from "./live.mjs";
import { Flag, Kind } from "./log.mjs";
import { Model } from "./model.mjs";
import { Panes } from "./panes.mjs";
import { pointerText, pointerTokens } from "./pointer.mjs";
import { QueryField } from "./queryfield.mjs";
import { StepView } from "./stepview.mjs";
import { Timeline } from "./timeline.mjs";
import { Trail } from "./trail.mjs";
import { TreeView } from "./treeview.mjs";
import { visible } from "./visible.mjs";
import { addressOf } from "./whatif.mjs";

/** So long the page works before it lets the browser draw, in milliseconds. */
const slice = 12;
const playInterval = 450;
const mostPrinted = 5000;

/**
 * The origin of a selection: a jump, which "back" undoes; a move to a neighbor; or the address itself, which needs no update.
 * @typedef {"jump" | "move" | "shown"} Way
 */

class Page {
  constructor() {
    this.model = new Model(part("about").textContent ?? "{}", new URLSearchParams(location.hash.slice(1)).get("l"));
    const select = (/** @type {number} */ step) => this.select(step);
    const toggle = (/** @type {string} */ word) => this.setQuery(toggledQuery(this.query, word));
    const history = (/** @type {string[]} */ path) => this.showHistory(path);
    this.toggle = toggle;
    this.list = new ListView(this.model, { select, toggle });
    this.panes = new Panes({ changed: () => this.writePlace() });
    this.timeline = new Timeline(this.model, {
      select: (step, isMove) => this.select(step, isMove === true ? "move" : "jump"),
      window: (first, last) => this.setWindow(first, last), fold: () => this.panes.toggle("effects"),
    });
    this.film = new Film(this.model, { select });
    this.stepView = new StepView(this.model, { select, history, toggle, bookmark: () => this.bookmark(), pin: () => this.pin(), whatIf: (edits) => this.goToWhatIf(edits) });
    this.treeView = new TreeView(this.model, { history });
    this.historyView = new HistoryView(this.model, { select, toggle, closed: () => this.writePlace() });
    this.queryField = new QueryField(this.model, { changed: (query) => this.setQuery(query), left: (isDown) => this.leaveQuery(isDown) });
    this.trail = new Trail();
    this.filter = new Filter("", this.model);
    this.query = "";
    /** The selected step, and its row: another one where an action of the other log is selected (`Model.rows`). */
    this.selected = -1;
    this.row = -1;
    /** The end of a window that stays while the other one is moved by keys; -1 for none. */
    this.anchor = -1;
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
    else if (this.selected < 0) this.select(0, "shown");
  }

  complete() {
    this.isComplete = true;
    this.model.readPictures();
    this.model.markDifferences();
    this.film.begin();
    showLogs(this.model, (index) => this.chooseLog(index));
    const place = new URLSearchParams(location.hash.slice(1));
    this.panes.read(place.get("s") ?? "");
    this.readMarks(place);
    showBanner(this.model, (step) => this.select(step), () => this.setColumns(!this.list.isTwofold), (edits) => this.goToWhatIf(edits));
    this.refresh();
    this.query = "\n";
    this.followPlace(place);
    this.readVocabulary();
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
    this.listenToNews();
  }

  /** Reads the cases and places of the log while nothing else is done, so that the first filter finds them. */
  readVocabulary() {
    const end = performance.now() + slice;
    this.model.vocabulary.run(() => performance.now() > end);
    if (!this.model.vocabulary.isDone) setTimeout(() => this.readVocabulary(), slice);
  }

  // A page that is still written

  listenToNews() {
    const { news, isLive } = this.model;
    if (news === undefined) return;
    const mark = part("live");
    mark.hidden = false;
    if (isLive) mark.addEventListener("click", () => this.select(this.lastStep));
    else if (this.model.isServed) this.markServed();
    else this.markReloading();
    this.showLive();
    const feed = new Feed(news, {
      lines: (text) => this.grow(text),
      settled: () => this.settle(),
      replaced: () => location.reload(),
      silent: () => this.stopNews("no longer followed", "the command that writes the page gives no sign: it was stopped, or killed"),
      resumed: () => this.resumeNews(),
      ended: () => {
        if (!this.model.isServed) return this.stopNews("no longer live", "the command that wrote the page has ended");
        this.model.isServed = false;
        return this.stopNews("no longer served", "the command that served the page has ended: run it again to change what happened");
      },
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
    if (growth.wasAtEnd) this.select(this.lastStep, "move");
    else if (this.selected >= growth.from) this.select(this.selected, "shown");
    else if (model.outlook(this.selected) !== growth.outlook) this.showStep(true);
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
    if (this.model.isServed) this.markServed();
    else if (!this.model.isLive) this.markReloading();
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
    this.select(this.selected, "move");
  }

  /** Says of a page that is served what its mark means. */
  markServed() {
    const mark = part("live");
    mark.className = "along";
    mark.textContent = "served";
    mark.title = "a command on this machine can say what would have happened: see \"What if\" at an action";
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

  /**
   * Goes where the address says.
   * @param {URLSearchParams} place
   */
  followPlace(place) {
    if (place.has("l") && place.get("l") !== String(this.model.index)) return location.reload();
    if (place.has("s")) this.panes.read(place.get("s") ?? "");
    this.readMarks(place);
    const query = place.get("q") ?? "";
    if (query !== this.query) this.setQuery(query, "shown");
    const at = place.get("a") ?? (this.model.isLive ? "end" : "");
    const isOther = /^o\d+$/.test(at);
    const other = isOther ? -1 - this.model.other.stepOfSeq(Number(at.slice(1))) : 0;
    const step = isOther ? -1 : at === "0" ? 0 : at === "end" ? this.lastStep : at === "" ? -1 : this.model.log.stepOfSeq(Number(at));
    this.select(this.model.places.has(other) && isOther ? other : step >= 0 ? step : this.model.firstOfInterest(), "shown");
    this.setColumns(place.get("c") === "2", "shown");
    if (place.has("h")) this.showHistory(pointerTokens(place.get("h") ?? ""), "shown");
    else if (this.historyView.isOpen) this.historyView.close();
    return undefined;
  }

  /**
   * Takes the bookmarks and the pinned action of an address, if it has any.
   * @param {URLSearchParams} place
   */
  readMarks(place) {
    const { model } = this;
    const stepOf = (/** @type {string} */ seq) => (seq === "0" ? 0 : /^\d+$/.test(seq) ? model.log.stepOfSeq(Number(seq)) : -1);
    if (place.has("m")) model.bookmarks = new Set((place.get("m") ?? "").split(",").map(stepOf).filter((step) => step >= 0));
    if (place.has("p")) {
      model.pinned = stepOf(place.get("p") ?? "");
      this.treeView.pin();
    }
    this.timeline.showMarks(model.bookmarks, model.pinned);
  }

  /** @param {boolean} [isJump] Whether "back" leads to where the reader was. */
  writePlace(isJump = false) {
    if (!this.isComplete) return;
    const { model } = this;
    const seq = (/** @type {number} */ step) => String(step === 0 ? 0 : model.log.stepSeqs.values[step]);
    const place = new URLSearchParams();
    if (model.names.length > 1) place.set("l", String(model.index));
    if (this.selected >= 0) place.set("a", this.row < 0 ? `o${model.other.stepSeqs.values[-1 - this.row]}` : this.isAtEnd ? "end" : String(model.log.stepSeqs.values[this.selected]));
    if (this.query !== "") place.set("q", this.query);
    if (this.historyView.path !== undefined) place.set("h", pointerText(this.historyView.path));
    if (model.bookmarks.size > 0) place.set("m", [...model.bookmarks].sort((a, b) => a - b).map(seq).join(","));
    if (model.pinned >= 0) place.set("p", seq(model.pinned));
    if (this.list.isTwofold) place.set("c", "2");
    const layout = this.panes.layout.text;
    if (layout !== "") place.set("s", layout);
    this.trail.write(`#${place}`, isJump);
  }

  // Selecting

  /**
   * @param {number} step
   * @param {Way} [way]
   */
  select(step, way = "jump") {
    const { log, otherView } = this.model;
    const isOther = step < 0 && otherView !== undefined && this.model.places.has(step);
    if (!isOther) step = Math.min(Math.max(step, 0), log.stepCount - 1);
    if (log.stepCount === 0) return;
    this.row = step;
    this.selected = this.model.anchorOf(step);
    this.list.select(step);
    this.timeline.select(this.selected);
    this.film.select(log.stepSeqs.values[this.selected]);
    this.showStep();
    this.treeView.show(this.shown.model, this.shown.step);
    if (this.historyView.isOpen) this.historyView.mark(this.selected);
    this.showLive();
    this.tell();
    if (way !== "shown") this.writePlace(way === "jump");
  }

  /** @param {boolean} [isAgain] Whether it is shown already. */
  showStep(isAgain = false) {
    this.stepView.show(this.shown.model, this.shown.step, isAgain);
  }

  /** The step that is shown, and the log that has it. */
  get shown() {
    const { otherView } = this.model;
    return this.row < 0 && otherView !== undefined ? { model: otherView, step: -1 - this.row } : { model: this.model, step: this.selected };
  }

  /** Says what is amiss with the filter, and whether it leaves out what is selected. */
  tell() {
    const { log } = this.model;
    const name = log.stepKinds.values[this.selected] === Kind.action ? `Action ${log.stepSeqs.values[this.selected]}` : "A row without a number";
    this.queryField.tell(this.filter, { step: this.row, name });
  }

  /** @param {number} by */
  move(by) {
    const { filter } = this;
    if (filter.count === 0) return;
    const row = filter.row(this.row);
    const isOn = row >= 0 && filter.step(row) === this.row;
    const next = Math.min(Math.max(isOn || by < 0 ? row + by + (isOn || by >= 0 ? 0 : 1) : row + 1, 0), filter.count - 1);
    this.select(filter.step(next), "move");
  }

  /**
   * Makes the window of the timeline longer or shorter at the selected end.
   * @param {number} by
   */
  extendWindow(by) {
    const step = Math.min(Math.max(this.selected + by, 1), this.model.log.stepCount - 1);
    if (this.anchor < 0 || this.filter.range === undefined) this.anchor = this.selected;
    this.select(step, "move");
    this.setWindow(Math.min(this.anchor, step), Math.max(this.anchor, step));
  }

  /**
   * Filters by what stands between two steps.
   * @param {number} first
   * @param {number} last
   */
  setWindow(first, last) {
    const { log } = this.model;
    // The range names actions: those nearest to the ends within it.
    const isAction = (/** @type {number} */ step) => log.stepKinds.values[step] === Kind.action;
    let [start, end] = [Math.max(first, 1), last];
    while (start < end && !isAction(start)) start += 1;
    while (end > start && !isAction(end)) end -= 1;
    const seq = (/** @type {number} */ step) => log.stepSeqs.values[step];
    const isAll = first <= 1 && last >= log.stepCount - 1;
    this.setQuery(queryWithRange(this.query, isAll || end < 1 ? undefined : `${seq(start)}..${seq(end)}`));
  }

  goToCause() {
    const { model, step } = this.shown;
    const cause = model.log.causeOf(step);
    if (cause >= 0) this.select(model.idOf(cause));
  }

  /** To the first action that this one led to; from there, again, to the next of them. */
  goToLedTo() {
    const { model, step } = this.shown;
    const own = model.log.ledTo(step, 1)[0];
    if (own !== undefined) {
      this.walk = { from: step, index: 0 };
      this.select(model.idOf(own));
      return;
    }
    const siblings = this.walk.from >= 0 ? model.log.ledTo(this.walk.from, this.walk.index + 2) : [];
    if (siblings[this.walk.index] !== step || siblings[this.walk.index + 1] === undefined) return;
    this.walk.index += 1;
    this.select(model.idOf(siblings[this.walk.index]));
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

  /**
   * Shows the actions of two logs side by side, or in one column.
   * @param {boolean} isTwofold
   * @param {Way} [way]
   */
  setColumns(isTwofold, way = "move") {
    const { model, list } = this;
    isTwofold &&= model.comparison !== undefined;
    if (list.isTwofold !== isTwofold) {
      list.isTwofold = isTwofold;
      part("actions").classList.toggle("twofold", isTwofold);
      part("here").textContent = isTwofold ? visible(String(model.about.get("name") ?? "this log")) : "action";
      part("there").textContent = otherName(model);
      part("there").hidden = !isTwofold;
      list.show(this.filter);
      list.reveal();
      if (way !== "shown") this.writePlace();
    }
    part("columns")?.setAttribute("aria-pressed", String(isTwofold));
  }

  // History

  /**
   * @param {string[]} path
   * @param {Way} [way]
   */
  showHistory(path, way = "jump") {
    this.historyView.show(this.selected, path);
    if (way !== "shown") this.writePlace(way === "jump");
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

  /**
   * @param {string} query
   * @param {Way} [way]
   */
  setQuery(query, way = "move") {
    query = query.trim();
    this.query = query;
    this.queryField.show(query);
    this.filter = new Filter(query, this.model);
    const { range } = this.filter;
    if (range === undefined) this.anchor = -1;
    this.timeline.showWindow(range);
    this.list.show(this.filter);
    this.runFilter();
    if (way !== "shown") this.writePlace(way === "jump");
  }

  /** @param {boolean} isDown Whether to go on to the first that is found. */
  leaveQuery(isDown) {
    part("list").focus();
    if (isDown && this.filter.isActive) this.move(1);
  }

  // What if

  /**
   * Has the command that serves the page replay the log with edits, and shows both timelines.
   * @param {import("./whatif.mjs").Edit[]} edits
   */
  goToWhatIf(edits) {
    if (!this.model.isServed) return;
    part("live").textContent = "replaying …";
    location.assign(`${addressOf(edits)}${edits.length === 0 ? "" : "#c=2"}`);
  }

  // Marks

  /** Puts a bookmark at the selected step, or takes it away. */
  bookmark() {
    const { bookmarks } = this.model;
    if (!bookmarks.delete(this.selected)) bookmarks.add(this.selected);
    this.showMarks();
  }

  /** Pins the selected step, or unpins it. */
  pin() {
    const { model } = this;
    model.pinned = model.pinned === this.selected ? -1 : this.selected;
    this.treeView.pin();
    this.showMarks();
  }

  showMarks() {
    const { model } = this;
    this.timeline.showMarks(model.bookmarks, model.pinned);
    this.list.show(this.filter);
    this.showStep(true);
    showQuick(model, this.toggle, this.query);
    this.writePlace();
  }

  goToBookmark() {
    const all = [...this.model.bookmarks].sort((a, b) => a - b);
    const next = all.find((step) => step > this.selected) ?? all[0];
    if (next !== undefined) this.select(next);
  }

  showHits() {
    const { filter } = this;
    const count = (/** @type {number} */ number) => number.toLocaleString("en-US");
    part("hits").textContent = filter.isActive ? `${count(filter.count)}${filter.isDone ? "" : " …"} of ${count(this.model.log.stepCount - 1)}` : "";
  }

  runFilter() {
    const { filter } = this;
    showQuick(this.model, this.toggle, this.query);
    const work = () => {
      if (filter !== this.filter) return;
      const end = performance.now() + slice;
      filter.run(() => performance.now() > end);
      this.showHits();
      this.list.measure();
      this.list.draw();
      if (!filter.isDone) return void setTimeout(work);
      this.list.reveal();
      this.tell();
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
        const before = this.row;
        this.move(1);
        if (this.row === before) this.play();
      }, playInterval);
    }
    button.textContent = this.player === 0 ? "Play" : "Stop";
    button.setAttribute("aria-pressed", String(this.player !== 0));
  }

  // Input

  listen() {
    part("play").addEventListener("click", () => this.play());
    part("help").addEventListener("click", () => showKeys());
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => {
      if (!this.isComplete) return;
      this.trail.arrive();
      this.followPlace(new URLSearchParams(location.hash.slice(1)));
    });
    addEventListener("beforeprint", () => this.list.drawAll(mostPrinted));
    addEventListener("afterprint", () => this.list.draw());
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.altKey) {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      this.trail.go(event.key === "ArrowLeft" ? -1 : 1);
      event.preventDefault();
      return;
    }
    if (event.shiftKey && event.key.startsWith("Arrow")) {
      this.extendWindow(event.key === "ArrowUp" || event.key === "ArrowLeft" ? -1 : 1);
      event.preventDefault();
      return;
    }
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
      case "v": this.setColumns(!this.list.isTwofold); break;
      case "m": this.bookmark(); break;
      case "n": this.goToBookmark(); break;
      case "p": this.pin(); break;
      case "c": part("step").querySelector(".title .copy")?.click(); break;
      case "1": this.panes.toggle("time"); break;
      case "2": this.panes.toggle("actions"); break;
      case "3": this.panes.toggle("action"); break;
      case "4": this.panes.toggle("state"); break;
      case "5": this.panes.toggle("effects"); break;
      case "6": this.panes.toggle("film"); break;
      case "+": case "=": this.timeline.zoom(2); break;
      case "-": this.timeline.zoom(0.5); break;
      case "0": this.timeline.showAll(); break;
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
