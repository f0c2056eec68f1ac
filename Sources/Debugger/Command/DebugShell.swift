import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Runs debugger words line by line.
@MainActor package final class DebugShell {
  /// The session on the current log.
  ///
  /// Words that edit the history replace the session.
  package var session: DebugSession
  /// The recorded timeline and its forks, or `nil` if no host can replay them.
  package var timelines: Timelines?
  /// The words that the shell understands.
  package let words: DebuggerCommands
  package var context: CommandContext
  /// The style of the text output.
  package let style: Style
  /// Whether answers are printed as JSON.
  package let isJSON: Bool
  /// Whether another program may replace this one and use its input and output.
  let hasTerminal: Bool
  /// The expressions to show after each step, with their numbers.
  package private(set) var displays: [(number: Int, expression: StepExpression)] = []
  /// The range of steps that `list` showed last, or `nil` before the first `list` at a step.
  package var listed: ClosedRange<StepID>?
  /// The bookmarked steps.
  package internal(set) var bookmarks: [Bookmark] = []
  /// The lines to run before the next line of the user or the script.
  private var queue: [QueuedLine] = []
  /// The lines collected so far as commands of a breakpoint, or `nil` if no lines are being collected.
  private var collected: (breakpoint: Int, lines: [String])?
  /// The survey of the session's log, created at the first request.
  private var surveyed: (log: DebuggedLog, survey: LogVocabulary)?
  private var lastDisplay = 0
  /// The app that follows the session, or `nil` if no app is attached.
  package var attached: AttachedLog?
  /// The temporary folder for files without a given path.
  ///
  /// The folder is deleted when the session ends.
  private var folder: TemporaryDirectory?
  /// The line that runs again if the user enters an empty line.
  private var repeated: String?

  package init(
    _ session: DebugSession,
    context: CommandContext,
    style: Style,
    isJSON: Bool,
    hasTerminal: Bool = true,
    words: DebuggerCommands = .all
  ) {
    self.session = session
    self.context = context
    self.style = style
    self.isJSON = isJSON
    self.hasTerminal = hasTerminal
    self.words = words
  }

  /// Runs a line.
  ///
  /// Afterward, `nextLine()` returns the lines that this line has enqueued, such as the commands of a breakpoint.
  ///
  /// - Parameters:
  ///   - line: A word with its arguments.
  ///   - repeats: Whether an empty line repeats the last step.
  /// - Returns: The text to print, and whether the session ends.
  /// - Throws: `DebugError`, or the error that the word throws.
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
    let call: DebuggerCommand.Call
    let answer: DebugAnswer
    do {
      call = try self.call(line)
      repeated = call.word.isRepeated ? line : nil
      answer = try await call.word.run(self, call)
    } catch {
      // The lines after a failed line may depend on it.
      forgetLines()
      if let error = error as? DebugError { throw proposing(error) }
      throw error
    }
    try attached?.move(with: session)
    if let commands = answer.commands {
      // The enqueued commands of breakpoints refer to an earlier stop.
      queue.removeAll { $0.file == nil }
      queue.insert(contentsOf: commands.map { QueuedLine(text: $0, file: nil) }, at: 0)
    }
    return (text(of: answer, to: call.word), answer.endsSession)
  }

  private func text(of answer: DebugAnswer, to word: DebuggerCommand) -> String {
    // Lines are not truncated, because the user has asked for a single step.
    guard isJSON else { return answer.lines.map { style.hanging($0) + "\n" }.joined() }
    var object: JSON.Object = ["word": .string(word.name)]
    for (key, value) in answer.json { object[key] = value }
    return "\(JSON.object(object))\n"
  }

  /// Removes and returns the next enqueued line, or returns `nil` if there is none.
  package func nextLine() -> QueuedLine? { queue.isEmpty ? nil : queue.removeFirst() }

  /// Drops all enqueued lines.
  func forgetLines() { queue = [] }

  /// Returns the path of the temporary folder, which is created when it is first needed.
  func temporaryFolder() throws(StreamError) -> String {
    if let folder { return folder.path }
    let folder = try TemporaryDirectory()
    self.folder = folder
    return folder.path
  }

  /// Resolves a path against the working folder.
  func path(_ text: String) -> String {
    text.hasPrefix("/") ? text : "\(context.folder)/\(text)"
  }

  /// Enqueues the lines of a file before all other lines.
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
    // The empty line marks the file as open until its last line has run.
    lines.append(QueuedLine(text: "", file: (path, lines.count + 1)))
    queue.insert(contentsOf: lines, at: 0)
  }

  /// Starts to collect the commands of a breakpoint, up to a line with `end`.
  func collect(for breakpoint: Int) { collected = (breakpoint, []) }

  private func collect(_ line: String) throws -> (text: String, endsSession: Bool) {
    guard let (number, lines) = collected else { return ("", false) }
    guard line == "end" else {
      if !line.isEmpty, !line.hasPrefix("#") { collected = (number, lines + [line]) }
      return ("", false)
    }
    collected = nil
    let word = try words.word("commands")
    return (text(of: try DebuggerCommands.setCommands(self, lines, of: number), to: word), false)
  }

  /// Checks that `end` has closed the commands of a breakpoint, after the input has ended.
  ///
  /// - Throws: `DebugError.noEnd`.
  package func finish() throws(DebugError) {
    if let collected { throw .noEnd(breakpoint: collected.breakpoint) }
  }

  /// Makes the session print the messages of logpoints as soon as they are reported.
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
      // If the stream has ended, the answer can't be printed either, and this error is reported.
      try? print(line)
    }
  }

  /// Makes the session show the progress of long searches.
  package func showsProgress() {
    session.didReach = { [unowned self] id in
      // The number of the last action is only known after a request for it.
      context.console.progress.show(
        Wording.reached(id, of: (try? session.log.last()?.seq) ?? id.seq)
      )
    }
  }

  /// The prompt, with the number of the action and a mark for edited timelines.
  package var prompt: String {
    if collected != nil { return "> " }
    let timeline = timelines?.branches.isEmpty == false ? Wording.edited : ""
    return "(debug \(session.current.id)\(timeline)) "
  }

  /// Returns an error as JSON.
  package func document(of error: any Error, in line: String) -> JSON {
    var object = JSON.Object()
    let line = Self.trimmed(line)
    // An unknown word is reported as typed.
    object["word"] = .string((try? call(line))?.word.name ?? String(line.prefix { $0 != " " }))
    object["error"] = .string("\(error)")
    object["status"] = .number(JSON.Number(Int(ExitStatus(error).rawValue)))
    return .object(object)
  }

  private func call(_ line: String) throws(DebugError) -> DebuggerCommand.Call {
    // Format suffixes such as `p/x` are not supported. A path may follow a word without a space: `b.saved`.
    let name = line.prefix { $0.isLetter || $0 == "-" || $0 == "?" }
    guard !name.isEmpty else {
      throw .unknownWord(String(line.prefix { $0 != " " }), known: words.words.map(\.name))
    }
    let word = try words.word(String(name))
    return DebuggerCommand.Call(word: word, text: Self.trimmed(line.dropFirst(name.count)))
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let isBlank: (Character) -> Bool = { $0.isWhitespace }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}

// MARK: - Answers

extension DebugShell {
  /// Writes text to standard output.
  func print(_ text: String) throws(StreamError) {
    guard isJSON else { return try context.console.print(text) }
    try context.console.output.write(text.visibleJSON.utf8)
  }

  /// Returns an answer in the requested format, and doesn't compute the other format.
  package func answer(
    _ lines: () throws -> [String],
    json: () throws -> JSON.Object
  ) rethrows -> DebugAnswer {
    var answer = DebugAnswer()
    if isJSON { answer.json = try json() } else { answer.lines = try lines() }
    return answer
  }

  /// Returns the answer for a stop, with the reason and the step.
  ///
  /// - Parameters:
  ///   - stop: The stop to report.
  ///   - start: The step whose effects the session followed to their end, or `nil` for other moves.
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

  /// Returns lines for the current step, its running effects, and the displayed expressions.
  package func here() -> [String] {
    let step = session.current
    var lines = StepText(style: style).lines(step)
    let alive = step.alive
    if !alive.isEmpty { lines.append("      " + style.dim("alive: \(Wording.alive(alive))")) }
    return lines + displays.flatMap { displayLines($0) }
  }
}

// MARK: - Warnings and suggestions

extension DebugShell {
  /// The actions and effects of the log, or `nil` if the log can't be read.
  var survey: LogVocabulary? {
    if let surveyed, surveyed.log === session.log { return surveyed.survey }
    surveyed = (try? LogVocabulary(of: session.log)).map { (session.log, $0) }
    return surveyed?.survey
  }

  /// Warns about a breakpoint that probably never stops.
  func warn(of target: Breakpoint.Target, _ text: String) {
    for doubt in doubts(of: target, text) { context.complain(doubt) }
  }

  /// Warns about parts of a condition that can't hold.
  func warn(of condition: Condition, _ word: String) {
    for doubt in doubts(of: condition, word) { context.complain(doubt) }
  }

  /// Adds a suggestion for the misspelled path to an error, if there is one.
  package func proposing(_ error: DebugError) -> DebugError {
    guard case .nothing(let place, let end?, let id, .state) = error else { return error }
    let typed = "\(place)"
    return .nothing(at: place, end.proposing(typed, from: session.log.slice.places), id, in: .state)
  }

  /// Returns the reasons why a breakpoint probably never stops.
  package func doubts(of target: Breakpoint.Target, _ text: String) -> [String] {
    breakpointDoubts.doubts(of: target, text)
  }

  /// Returns the reasons why a condition can't hold as intended.
  package func doubts(of condition: Condition, _ word: String) -> [String] {
    breakpointDoubts.doubts(of: condition, word)
  }

  private var breakpointDoubts: BreakpointDiagnostics {
    BreakpointDiagnostics(log: session.log, state: session.current.after) { self.survey }
  }
}

// MARK: - Displays

extension DebugShell {
  /// Adds an expression to show after each step.
  ///
  /// - Returns: The number of the display.
  package func addDisplay(_ expression: StepExpression) -> Int {
    lastDisplay += 1
    displays.append((lastDisplay, expression))
    return lastDisplay
  }

  /// Removes a displayed expression.
  ///
  /// - Parameter number: The number of the display, or `nil` to remove all displays.
  /// - Returns: Whether a display was removed.
  package func removeDisplay(_ number: Int?) -> Bool {
    let count = displays.count
    displays.removeAll { number == nil || $0.number == number }
    return displays.count < count
  }

  /// Returns the lines that show the value of a displayed expression.
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

/// A step that the user has named in order to return to it.
package struct Bookmark: Sendable {
  package let name: String
  package let id: StepID
}

/// A line that comes from a file, or from the commands of a breakpoint.
package struct QueuedLine: Sendable {
  package let text: String
  /// The file that contains the line, or `nil` for a command of a breakpoint.
  let file: (name: String, line: Int)?

  /// The file and line number, or `nil` for a command of a breakpoint.
  package var place: String? { file.map { "\($0.name):\($0.line)" } }
}
