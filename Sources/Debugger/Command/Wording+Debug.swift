import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Wording for the debugger.
extension Wording {
  static let unfinished = "not finished: the log does not have what the action changed"

  static let resumed = "actions before this one are missing; the log goes on from here"

  static let noFirstState = "the log does not have its first state"

  static let withheld = "withheld for the log's masks; its value never came"

  static let excluded = "an action that the recording left out"

  static let external = "changed from outside"

  static let start = "the start of the log"

  /// Returns a warning about actions that are missing in a damaged log.
  static func missing(_ seqs: ClosedRange<Int>) -> String {
    "\(range(seqs)) before this one \(seqs.count == 1 ? "is" : "are") missing: the log is damaged; 'tca-replay verify' finds all such places"
  }

  /// Returns a warning about actions that are missing between two steps.
  static func passed(_ missing: [ClosedRange<Int>]) -> String {
    let shown = missing.prefix(3).map { range($0) }.joined(separator: ", ")
    let rest = missing.count > 3 ? andMore(missing.count - 3) : ""
    return
      "passed damage: \(shown)\(rest) \(missing.count == 1 && missing[0].count == 1 ? "is" : "are") missing"
  }

  static func interrupted(at id: StepID) -> String {
    "interrupted at \(stepText(id)): changes after it were not looked for"
  }

  /// Returns a sentence about an external change, which has no cause in the log.
  static func causeless(_ id: StepID) -> String {
    "\(id)  \(external): the log does not say by what"
  }

  /// The suffix that marks an edited timeline in the prompt.
  static let edited = ", edited"

  static let balancedBraces = #"expressions in braces, such as "count is {count}"; '\{' is a brace"#

  /// Returns a line of a causal chain, such as `action 13  .saved(.success(1))  sent by effect 11.1 of action 11`.
  static func link(_ step: LogStep, _ notation: Notation) -> String {
    guard let origin = step.origin else {
      return step.kind == .external ? causeless(step.id) : step.title(notation)
    }
    return
      "\(Self.stepText(step.id))  \(step.title(notation))  \(Self.origin(origin, of: origin.cause))"
  }

  /// Returns a phrase for the progress of a long search.
  static func reached(_ id: StepID, of last: Int) -> String { "action \(id.seq) of \(last)" }

  static let nothingFound = "nothing"

  /// Returns a list of running effects, such as `save 6.0, tick 1.0 (waits)`.
  static func alive(_ effects: [PositionState.AliveEffect]) -> String {
    effects.map { effect in
      let name = effect.label.isEmpty ? "effect" : effect.label
      return "\(name) \(effect.id)\(effect.isWaiting ? " (waits)" : "")"
    }.joined(separator: ", ")
  }

  /// Returns the reasons for a stop, one line for each.
  static func reasons(_ stop: Stop, from start: StepID?, _ style: Style) -> [String] {
    let hits = stop.hits.map { hit in
      let changes = hit.changes.map { change($0, style) }
      guard case .change = hit.target else {
        return style.bold(
          "\(hit.isTemporary ? "temporary " : "")breakpoint \(hit.number), \(hit.text)"
        )
      }
      return style.bold("watch \(hit.number), \(hit.text)") + "  \(changes.joined(separator: ", "))"
    }
    let passed = stop.passedMissing.isEmpty ? [] : [Self.passed(stop.passedMissing)]
    return passed + reason(stop, hits, from: start)
  }

  private static func reason(_ stop: Stop, _ hits: [String], from start: StepID?) -> [String] {
    switch stop.reason {
    case .step, .breakpoint, .arrived: return hits
    case .finished: return ["the effects of \(stepText(start ?? stop.step.id)) have ended"] + hits
    case .start: return ["the start of the log"]
    case .end: return ["the end of the log"]
    case .damaged: return [unreadableFromHere]
    case .interrupted: return ["interrupted"]
    }
  }

  static let unreadableFromHere = "the log cannot be read any further"

  /// Returns a message about an unreadable line, with a suggestion.
  static func damaged(_ problem: LogReadError, in log: String) -> String {
    "\(Notation.visible(log)): \(problem); the log ends there for the debugger, and 'verify --repair' writes what can be read"
  }

  static func noSuchAction(_ text: String, known: [String]) -> String {
    let meant = SpellingSuggestion.closestPath(to: text, among: known)
    return "the log has no action \(text)" + (meant.map { "; did you mean '\($0)'?" } ?? "")
  }

  static func noSuchNumber(_ seq: Int, last: Int) -> String {
    last == 0
      ? "the log has no action \(seq); it has none"
      : "the log has no action \(seq); its last one is \(last)"
  }

  static func noSuchEffect(_ name: String, known: [String]) -> String {
    "the log has no effect '\(name)'\(suggestion(for: name, among: known, else: known.isEmpty ? "" : "; it has \(someOf(known))"))"
  }

  static func noSuchRead(_ key: String, known: [String]) -> String {
    "no action of the log reads '\(key)'"
      + suggestion(
        for: key,
        among: known,
        else: known.isEmpty ? "; none reads anything" : "; they read \(someOf(known))"
      )
  }

  private static func someOf(_ names: [String]) -> String {
    names.prefix(8).map { Notation.visible($0) }.joined(separator: ", ")
      + (names.count > 8 ? andMore(names.count - 8) : "")
  }

  static func nothingToWatch(_ place: ValuePath, _ end: UnresolvedPath) -> String {
    "there is nothing at '\(place)' here, nor at the end of the log"
      + nearest(end, name: writer(of: "\(place)"))
  }

  /// Returns a change such as `todos[0].title: "" → "Milk"`, without the path if it is clear from the context.
  static func change(_ change: PathWatch.WatchedChange, _ style: Style) -> String {
    var notation = style.notation
    if !notation.isFull { notation.limits = Notation.Limits(value: 48, text: 48) }
    let place = notation.shown(change.pointer, as: change.place)
    let before = change.before.map { style.red(notation.value($0)) }
    let after = change.after.map { style.green(notation.value($0)) }
    let values =
      switch (before, after) {
      case (let before?, let after?): "\(before) → \(after)"
      case (let before?, nil): "− \(before)"
      case (nil, let after?): "+ \(after)"
      case (nil, nil): ""
      }
    return change.place.isEmpty ? values : "\(place): \(values)"
  }
}

/// Wording for the debugger's errors.
extension Wording {
  static func describe(_ error: DebugError) -> String {
    switch error {
    case .unknownWord(let word, let known):
      "there is no word '\(word)'"
        + suggestion(for: word, among: known, else: "; 'help' lists the words")
    case .ambiguousWord(let word, let meant):
      "'\(word)' may be \(oneOf(meant)); give more of it"
    case .badArguments(let text, let word, ""): "'\(word)' takes no arguments; found '\(text)'"
    case .badArguments("", let word, let expected):
      "'\(word)' needs more; expected \(word) \(expected)"
    case .badArguments(let text, let word, let expected):
      "'\(word)' cannot take '\(text)'; expected \(word) \(expected)"
    case .badValue(let value, let expected): "invalid value '\(value)'; expected \(expected)"
    case .noBreakpoint(let number, let known):
      "there is no breakpoint \(number)\(those(known, "breakpoints", "break"))"
    case .noDisplay(let number, let known):
      "there is no display \(number)\(those(known, "displays", "display"))"
    case .noFrame(let depth, let last):
      "there is no frame \(depth); 'where' shows \(last == 0 ? "frame 0 alone" : "frames 0 to \(last)")"
    case .isCurrentFrame(let id): "this is frame 0, \(stepText(id)), where the session stands"
    case .isBehind(let id, let current):
      id == current
        ? "the session stands at \(stepText(id))"
        : "\(stepText(id)) comes before \(stepText(current)); 'goto \(id)' leads there"
    case .notFound(let text, let id, .forth):
      "no action after \(stepText(id)) has '\(Notation.visible(text))'; 'reverse-search' looks before it"
    case .notFound(let text, let id, .back):
      "no action before \(stepText(id)) has '\(Notation.visible(text))'; 'search' looks after it"
    case .noBookmark(let name, let known):
      "there is no bookmark '\(Notation.visible(name))'"
        + suggestion(
          for: name,
          among: known,
          else: known.isEmpty ? "; \(noBookmarks)" : "; there are \(oneOf(known))"
        )
    case .noEnd(let number): "the lines after 'commands \(number)' have no 'end'"
    case .readsItself(let path): "\(path) is read already: a file cannot read itself with 'source'"
    case .noSender(let id, let origin): noSender(id, origin)
    case .badExpression(let problem):
      "\(problem); expected a place such as todos[0].title, or an expression such as count > 3"
    case .noValue(let text, let id):
      "'\(Notation.visible(text))' has no value \(after(id)): expected numbers, dates or texts on both sides"
    case .noState(let id): "the log does not have the state \(after(id)): \(lacking)"
    case .liveFailed(let end): "the recording \(how(end))"
    case .cannotFork: "no host is there that could replay another timeline"
    case .isRecorded:
      "this is the recorded timeline; 'skip', 'edit', 'insert', 'reorder', 'answer' and 'set' make others"
    case .isFork:
      "this timeline is in no file yet; 'fork -o FILE' writes it, and 'debug FILE' goes on there"
    case .isOneOfSeveral: "the file has several logs; put this one in a file of its own first"
    case .needsTerminal(let word):
      "'\(word)' needs the terminal: it makes another program of this one; use 'tca-replay debug'"
    case .noAction(let id): "there is no action at \(id); go to an action first"
    case .nothingBefore:
      "nothing comes before the start of the log; 'print' shows the state with which it begins"
    case .needsAction(let word, let id):
      "'\(word)' is about an action, and this is \(stepText(id)); give the number of one, as in '\(word) \(id.seq)'"
    case .noChangeFromOutside(let id, let last):
      "there is no \(id): "
        + (last == 0
          ? "nothing changed the state from outside after action \(id.seq)"
          : "the changes from outside after action \(id.seq) are \(id.seq)+1 to \(id.seq)+\(last)")
    case .nothing(let place, let end, let id, let root):
      "there is nothing at '\(place)' \(root == .state ? after(id) : location(root, id))"
        + (end.map { nearest($0, root: Self.name(of: root), name: writer(of: "\(place)")) } ?? "")
    case .ambiguous(let place, let ids):
      "'\(place)' may be any of \(ids.count) rows: \(ids.prefix(8).joined(separator: ", "))"
        + (ids.count > 8 ? andMore(ids.count - 8) : "") + "; give more of the id"
    }
  }

  private static func location(_ root: StepExpression.Root, _ id: StepID) -> String {
    switch root {
    case .state: after(id)
    case .before: "before \(stepText(id))"
    case .action: "in \(stepText(id))"
    case .reads, .effects: "among \(name(of: root)) of \(stepText(id))"
    }
  }

  private static func name(of root: StepExpression.Root) -> String {
    switch root {
    case .state, .before: "the state"
    case .action: "the action"
    case .reads: "the reads"
    case .effects: "the effects"
    }
  }

  private static func those(_ known: [Int], _ name: String, _ word: String) -> String {
    known.isEmpty
      ? "; '\(word)' adds one"
      : "; there \(known.count == 1 ? "is" : "are") \(oneOf(known.map { "\($0)" }))"
  }

  private static func noSender(_ id: StepID, _ origin: LogEvent.Origin?) -> String {
    guard let origin else { return "nothing sent \(stepText(id))" }
    let end = origin.cause == nil ? "" : ", which is not in the log"
    return "\(stepText(id)) was \(Self.origin(origin, of: origin.cause))\(end)"
  }

  private static let lacking =
    "the action was not finished, or events before it are missing; 'print before' may have the one before it"

  /// Returns `after action 7` or `before the first action`.
  static func after(_ id: StepID) -> String {
    if id.part > 0 { return "after the change from outside that follows action \(id.seq)" }
    return id.seq == 0 ? "before the first action" : "after action \(id.seq)"
  }

  /// Returns `action 7` or `the start`.
  static func stepText(_ id: StepID) -> String {
    if id.part > 0 { return "the change from outside after action \(id.seq)" }
    return id.seq == 0 ? "the start" : "action \(id.seq)"
  }
}
