import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Carries out the words of a debugger, line by line.
@MainActor package final class DebugShell {
  /// The walk through the log; whoever takes another log replaces it.
  package var session: DebugSession
  /// The timelines that edits make; `nil` where nothing can replay them.
  package var timelines: Timelines?
  /// The words that it knows.
  package let words: DebugWords
  /// The environment of the command.
  package var context: CommandContext
  /// How results are written for people.
  package let style: Style
  /// Whether answers are JSON.
  package let isJSON: Bool
  /// Whether another program may take the place of this one, and its input and output.
  let hasTerminal: Bool
  /// The expressions that are shown after each step, by their numbers.
  package private(set) var displays: [(number: Int, expression: StepExpression)] = []
  /// The steps that `list` showed last; `nil` before the first `list` at a step.
  package var listed: ClosedRange<StepID>?
  /// The steps that have names.
  package internal(set) var bookmarks: [Bookmark] = []
  /// The lines that are carried out before the next one of a person or script.
  private var queue: [QueuedLine] = []
  /// The lines that are taken for the commands of a breakpoint; `nil` while none are.
  private var collected: (breakpoint: Int, lines: [String])?
  /// The survey of the session's log, made at the first request.
  private var surveyed: (log: DebuggedLog, survey: LogSurvey)?
  private var lastDisplay = 0
  /// The app that moves with the session; `nil` for a log alone.
  package var attached: AttachedLog?
  /// The folder of the files that nobody named; it goes away with the session.
  private var folder: TemporaryDirectory?
  /// The line that an empty one repeats.
  private var repeated: String?

  package init(
    _ session: DebugSession,
    context: CommandContext,
    style: Style,
    isJSON: Bool,
    hasTerminal: Bool = true,
    words: DebugWords = .all
  ) {
    self.session = session
    self.context = context
    self.style = style
    self.isJSON = isJSON
    self.hasTerminal = hasTerminal
    self.words = words
  }

  /// Carries out a line.
  ///
  /// Lines that it leads to, such as the commands of a breakpoint, are in `nextLine()` afterwards.
  ///
  /// - Parameters:
  ///   - line: A word with its arguments.
  ///   - repeats: Whether an empty line repeats the last step.
  /// - Returns: The text to print, and whether the session ends.
  /// - Throws: `DebugError`, and the errors of the words.
  package func run(
    _ line: String,
    repeats: Bool = false
  ) async throws -> (
    text: String, endsSession: Bool
  ) {
    var line = Self.trimmed(line)
    if collected != nil { return try collect(line) }
    if line.isEmpty, repeats, let repeated { line = repeated }
    guard !line.isEmpty, !line.hasPrefix("#") else { return ("", false) }
    let call: DebugWord.Call
    let answer: DebugAnswer
    do {
      call = try self.call(line)
      repeated = call.word.isRepeated ? line : nil
      answer = try await call.word.run(self, call)
    } catch {
      // Lines after one that failed may depend on it.
      forgetLines()
      if let error = error as? DebugError { throw proposing(error) }
      throw error
    }
    try attached?.move(with: session)
    if let commands = answer.commands {
      // Lines that were left are about another place.
      queue.removeAll { $0.file == nil }
      queue.insert(contentsOf: commands.map { QueuedLine(text: $0, file: nil) }, at: 0)
    }
    return (text(of: answer, to: call.word), answer.endsSession)
  }

  private func text(of answer: DebugAnswer, to word: DebugWord) -> String {
    // Nothing is cut: one looks at a single step to see it.
    guard isJSON else { return answer.lines.map { style.hanging($0) + "\n" }.joined() }
    var object: JSON.Object = ["word": .string(word.name)]
    for (key, value) in answer.json { object[key] = value }
    return "\(JSON.object(object))\n"
  }

  /// The next of the lines to which others have led; `nil` when they are done.
  package func nextLine() -> QueuedLine? { queue.isEmpty ? nil : queue.removeFirst() }

  /// Leaves out the lines to which others have led.
  func forgetLines() { queue = [] }

  /// The path of a folder for files that nobody named.
  func temporaryFolder() throws(StreamError) -> String {
    if let folder { return folder.path }
    let folder = try TemporaryDirectory()
    self.folder = folder
    return folder.path
  }

  /// The path of a file that was typed: relative to the working folder.
  func path(_ text: String) -> String {
    text.hasPrefix("/") ? text : "\(context.folder)/\(text)"
  }

  /// Carries out the lines of a file before any other.
  ///
  /// - Throws: `DebugError.readsItself`, `LogReadError`.
  func enqueue(linesOf path: String) throws {
    let files = queue.compactMap(\.file).map(\.name)
    guard !files.contains(path) else { throw DebugError.readsItself(path: path) }
    var script = try DebugScript(path: path)
    var lines: [QueuedLine] = []
    while let line = try script.next() {
      lines.append(QueuedLine(text: line, file: (path, lines.count + 1)))
    }
    // So that the file is known as being read until its last line was carried out.
    lines.append(QueuedLine(text: "", file: (path, lines.count + 1)))
    queue.insert(contentsOf: lines, at: 0)
  }

  /// Takes the lines that come for the commands of a breakpoint, up to `end`.
  func collect(for breakpoint: Int) { collected = (breakpoint, []) }

  private func collect(_ line: String) throws -> (text: String, endsSession: Bool) {
    guard let (number, lines) = collected else { return ("", false) }
    guard line == "end" else {
      if !line.isEmpty, !line.hasPrefix("#") { collected = (number, lines + [line]) }
      return ("", false)
    }
    collected = nil
    let word = try words.word("commands")
    return (text(of: try DebugWords.setCommands(self, lines, of: number), to: word), false)
  }

  /// Checks that no line is missing when there are no more.
  ///
  /// - Throws: `DebugError.noEnd`.
  package func finish() throws(DebugError) {
    if let collected { throw .noEnd(breakpoint: collected.breakpoint) }
  }

  /// Prints what logpoints report, where they report it.
  package func printsLogpoints() {
    session.didLog = { [unowned self] hit in
      let message = hit.message ?? ""
      let object: JSON.Object = [
        "logpoint": .number(JSON.Number(hit.number)), "text": .string(hit.text),
        "seq": .number(JSON.Number(hit.step.seq)), "message": .string(message),
      ]
      let line =
        isJSON
        ? "\(JSON.object(object))\n" : "\(StepText.number(hit.step))  \(message)\n"
      // A stream that has ended fails at the answer, too, which says so.
      try? print(line)
    }
  }

  /// Has long ways say how far they have come.
  package func showsProgress() {
    session.didReach = { [unowned self] id in
      // The end is known once somebody asked for it.
      context.console.progress.show(
        Wording.reached(id, of: (try? session.log.last()?.seq) ?? id.seq)
      )
    }
  }

  /// The prompt: the number of the action, and whether history was edited.
  package var prompt: String {
    if collected != nil { return "> " }
    let timeline = timelines?.branches.isEmpty == false ? Wording.edited : ""
    return "(debug \(session.current.id)\(timeline)) "
  }

  /// An error as an answer for programs.
  package func document(of error: any Error, in line: String) -> JSON {
    var object = JSON.Object()
    let line = Self.trimmed(line)
    // An unknown word is reported as it was typed.
    object["word"] = .string((try? call(line))?.word.name ?? String(line.prefix { $0 != " " }))
    object["error"] = .string("\(error)")
    object["status"] = .number(JSON.Number(Int(ExitStatus(error).rawValue)))
    return .object(object)
  }

  private func call(_ line: String) throws(DebugError) -> DebugWord.Call {
    // `p/x` is not ours, but `.saved` after a word without a blank is: `b.saved`.
    let name = line.prefix { $0.isLetter || $0 == "-" || $0 == "?" }
    guard !name.isEmpty else {
      throw .unknownWord(String(line.prefix { $0 != " " }), known: words.words.map(\.name))
    }
    let word = try words.word(String(name))
    return DebugWord.Call(word: word, text: Self.trimmed(line.dropFirst(name.count)))
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let isBlank: (Character) -> Bool = { $0.isWhitespace }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}

// MARK: - Answers

extension DebugShell {
  /// Writes an answer: text for people, or documents.
  func print(_ text: String) throws(StreamError) {
    guard isJSON else { return try context.console.print(text) }
    try context.console.output.write(text.visibleJSON.utf8)
  }

  /// An answer in the form that is asked for; the other one is not made.
  package func answer(
    _ lines: () throws -> [String],
    json: () throws -> JSON.Object
  ) rethrows -> DebugAnswer {
    var answer = DebugAnswer()
    if isJSON { answer.json = try json() } else { answer.lines = try lines() }
    return answer
  }

  /// The answer after a walk: why it ended, and where.
  ///
  /// - Parameters:
  ///   - stop: The end of the walk.
  ///   - start: The step whose effects it followed to their end.
  /// - Returns: The answer.
  package func answer(to stop: Stop, from start: StepID? = nil) -> DebugAnswer {
    listed = nil
    var answer = answer {
      stop.isSilent ? [] : Wording.reasons(stop, from: start, style) + here()
    } json: {
      var object: JSON.Object = ["reason": .string(stop.reason.rawValue)]
      if stop.reason == .damaged, let damage = session.log.damage {
        object["problem"] = .string("\(damage)")
      }
      if !stop.passedMissing.isEmpty {
        object["passedMissing"] = .array(stop.passedMissing.map { StepJSON.json($0) })
      }
      if !stop.hits.isEmpty { object["hits"] = .array(stop.hits.map(\.json)) }
      object["step"] = .object(StepJSON.object(stop.step))
      if !displays.isEmpty {
        object["displays"] = .array(displays.map { .object(displayJSON($0)) })
      }
      return object
    }
    answer.commands = stop.commands
    return answer
  }

  /// The current step in lines: the step, the effects that are alive, the displayed places.
  package func here() -> [String] {
    let step = session.current
    var lines = StepText(style: style).lines(step)
    let alive = step.alive
    if !alive.isEmpty { lines.append("      " + style.dim("alive: \(Wording.alive(alive))")) }
    return lines + displays.flatMap { displayLines($0) }
  }
}

// MARK: - What the log has

extension DebugShell {
  /// The actions and effects of the log; `nil` when it cannot be read any more.
  var survey: LogSurvey? {
    if let surveyed, surveyed.log === session.log { return surveyed.survey }
    surveyed = (try? LogSurvey(of: session.log)).map { (session.log, $0) }
    return surveyed?.survey
  }

  /// Warns of a breakpoint at which nothing will ever stop.
  func warn(of target: Breakpoint.Target, _ text: String) {
    for doubt in doubts(of: target, text) { context.complain(doubt) }
  }

  /// Warns of parts of a condition that cannot hold as meant.
  func warn(of condition: Condition, _ word: String) {
    for doubt in doubts(of: condition, word) { context.complain(doubt) }
  }

  /// An error on a place of the state, with the place of the log that was most likely meant.
  package func proposing(_ error: DebugError) -> DebugError {
    guard case .nothing(let place, let end?, let id, .state) = error else { return error }
    let typed = "\(place)"
    return .nothing(at: place, end.proposing(typed, from: session.log.slice.places), id, in: .state)
  }

  /// Why a breakpoint will most likely stop at nothing.
  package func doubts(of target: Breakpoint.Target, _ text: String) -> [String] {
    breakpointDoubts.doubts(of: target, text)
  }

  /// Why a condition cannot hold as it is meant.
  package func doubts(of condition: Condition, _ word: String) -> [String] {
    breakpointDoubts.doubts(of: condition, word)
  }

  private var breakpointDoubts: BreakpointDoubts {
    BreakpointDoubts(log: session.log, state: session.current.after) { self.survey }
  }
}

// MARK: - Displays

extension DebugShell {
  /// Shows an expression after each step.
  ///
  /// - Returns: Its number.
  package func addDisplay(_ expression: StepExpression) -> Int {
    lastDisplay += 1
    displays.append((lastDisplay, expression))
    return lastDisplay
  }

  /// Shows an expression no more.
  ///
  /// - Parameter number: Its number; `nil` for all.
  /// - Returns: Whether there was one.
  package func removeDisplay(_ number: Int?) -> Bool {
    let count = displays.count
    displays.removeAll { number == nil || $0.number == number }
    return displays.count < count
  }

  /// The lines of an expression after a step.
  package func displayLines(_ display: (number: Int, expression: StepExpression)) -> [String] {
    let head = "\(display.number): \(display.expression)"
    do throws(DebugError) {
      let text = ValueText(style: style)
      switch try display.expression.value(in: session.current) {
      case .many(let items): return [head] + text.lines(items).map { "  \($0)" }
      case let value: return ["\(head) = \(text.line(value))"]
      }
    } catch {
      return ["\(head) has no value here"]
    }
  }

  func displayJSON(_ display: (number: Int, expression: StepExpression)) -> JSON.Object {
    var object: JSON.Object = [
      "number": .number(JSON.Number(display.number)),
      "expression": .string(display.expression.description),
    ]
    do throws(DebugError) {
      for (key, value) in StepJSON.object(try display.expression.value(in: session.current)) {
        object[key] = value
      }
    } catch {
      object["error"] = .string("\(error)")
    }
    return object
  }
}

/// A step that a person wants to come back to.
package struct Bookmark: Sendable {
  package let name: String
  package let id: StepID
}

/// A line to which another one has led.
package struct QueuedLine: Sendable {
  package let text: String
  /// The file that it stands in; `nil` for a command of a breakpoint.
  let file: (name: String, line: Int)?

  /// The file and line number; `nil` for a command of a breakpoint.
  package var place: String? { file.map { "\($0.name):\($0.line)" } }
}
