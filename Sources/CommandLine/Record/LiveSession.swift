import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine
import Synchronization

/// An interactive session with a running feature.
///
/// The user types actions to send, or debugger commands that inspect the recording so far. Each action that occurs is
/// shown.
///
/// ```text
/// (live 4) .titleChanged(id: …AC1A, "Milk")
///    5    +3.101 s  .titleChanged(id: …AC1A, "Milk")  todos[0].title: "" → "Milk"  starts save 5.0
///    6    +3.122 s  .saved(.success(1))  from save 5.0  isSaving: true → false
/// (live 6) print todos[0].title
/// "Milk"
/// ```
///
/// Lines are processed in the order in which they were typed. A command therefore waits for the preceding actions.
@MainActor final class LiveSession {
  private let context: CommandContext
  private let style: Style
  /// The sink to which answers are written.
  private let output: any ByteSink
  private let hasPrompt: Bool
  private let lines: TypedLines
  private let log: LiveLogPrinter
  /// Whether the feature has started, so that commands have a recording to inspect.
  private var hasBegun = false
  /// Whether commands are being processed.
  private var isAnswering = false
  /// Whether the prompt is visible and no line has been entered after it.
  private var isPrompted = false
  /// Whether the session has refused any line, which determines the exit status.
  private(set) var hasRefused = false

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - context: The environment of the command.
  ///   - style: The text style of answers.
  ///   - usesError: Whether answers go to standard error, because standard output contains the log.
  ///   - samples: A closure that returns samples of the names in a log, for actions in Swift notation.
  init(
    _ context: CommandContext,
    _ style: Style,
    usesError: Bool,
    samples: @escaping ActionScript.Reader.Samples
  ) {
    let console = context.console
    self.context = context
    self.style = style
    output = usesError ? console.error : console.output
    hasPrompt =
      console.isProcess && isatty(console.input.fileDescriptor) == 1 && isatty(STDERR_FILENO) == 1
    lines = TypedLines(samples: samples)
    log = LiveLogPrinter(style)
    if hasPrompt { console.progress.end() }
  }

  /// Configures a recording request so that its steps come from this session, and their results are reported to it.
  func connect(_ request: inout RecordRequest) {
    request.steps = lines.steps(from: context.console.input) { [weak self] in
      await self?.processLines()
    }
    request.willWait = { [weak self] in await self?.wait() }
    request.didRefuse = { [weak self] error in
      guard let self else { return }
      refuse(lines.failure(of: error))
    }
    let log = log
    request.didWrite = { [weak self] path in
      log.setPath(path)
      Task { @MainActor in self?.show() }
    }
  }

  /// Processes the remaining lines after the feature has ended.
  func finish() async {
    show()
    hasBegun = true
    lines.dropSteps()
    await processLines()
    if isPrompted { write("\n", to: context.console.error) }
  }

  // MARK: - Lines

  /// Shows what has happened, processes typed commands, and prompts, while the feature waits for the next step.
  ///
  /// The recording calls this method when the feature has performed a step.
  private func wait() async {
    if hasBegun { lines.finishStep() }
    (hasBegun, isPrompted) = (true, false)
    show()
    await processLines()
    prompt()
  }

  /// Processes the typed commands that precede the next step.
  private func processLines() async {
    guard hasBegun, !isAnswering else { return }
    isAnswering = true
    defer { isAnswering = false }
    var hasAnswered = false
    while let line = lines.nextOfOurs() {
      (hasAnswered, isPrompted) = (true, false)
      switch line {
      case .step: break
      case .word(let word, let number): await runWord(word, number)
      case .refused(let error): refuse(error)
      }
    }
    if hasAnswered { prompt() }
  }

  private func runWord(_ word: String, _ number: Int) async {
    show()
    do { print(try await recorded().run(word).text) } catch {
      refuse(
        .badActionLine(file: Wording.standardInput, line: number, problem: "\(error)")
      )
    }
  }

  /// Creates a debugger that is positioned at the end of the recording so far.
  private func recorded() throws -> DebugShell {
    let path = log.path ?? ""
    guard let slice = try LogSlice.slices(of: path, name: path).first else {
      throw LogReadError.empty
    }
    let session = try DebugSession(try DebuggedLog(slice, cache: nil))
    try session.goToEnd()
    return DebugShell(session, context: context, style: style, isJSON: false, words: .live)
  }

  private func refuse(_ error: CommandError) {
    hasRefused = true
    context.console.complain("\(context.program.name): \(error)")
  }

  // MARK: - Printing

  /// Shows the events that have been recorded since the last call.
  private func show() {
    let text = log.news()
    guard !text.isEmpty else { return }
    // The new output overwrites the prompt, which is printed again afterward.
    if isPrompted { write("\r\u{1B}[K", to: context.console.error) }
    isPrompted = false
    print(style.fitted(text))
    prompt()
  }

  private func prompt() {
    guard hasPrompt, hasBegun, !isPrompted, lines.isEmpty else { return }
    isPrompted = true
    write(Wording.livePrompt(log.seq), to: context.console.error)
  }

  private func print(_ text: String) { write(text, to: output) }

  // If the terminal is gone, the error can't be shown either.
  private func write(_ text: String, to sink: any ByteSink) { try? sink.write(text.utf8) }
}

/// A queue of typed lines that waits for the feature to perform the steps among them.
private final class TypedLines: Sendable {
  enum TypedLine {
    /// A step that the feature will perform.
    case step
    case word(String, number: Int)
    case refused(CommandError)
  }

  private struct State {
    /// The typed lines that have not been processed.
    var lines: [TypedLine] = []
    /// The line numbers of all steps.
    var numbers: [Int] = []
  }

  private let state = Mutex(State())
  private let samples: ActionScript.Reader.Samples

  init(samples: @escaping ActionScript.Reader.Samples) { self.samples = samples }

  /// Returns the steps that a stream contains, up to its end or to a line `quit`.
  ///
  /// Reading stops after `quit`, so that the next program receives the remaining input.
  ///
  /// - Parameters:
  ///   - input: The handle of the stream.
  ///   - didRead: A closure that is called after each line.
  /// - Returns: The steps, which arrive as they are typed.
  func steps(
    from input: FileHandle,
    didRead: @escaping @MainActor @Sendable () async -> Void
  ) -> RecordRequest.Steps {
    let (steps, continuation) = AsyncThrowingStream.makeStream(of: RecordRequest.Step.self)
    // A separate thread reads the input, because reading blocks the thread.
    Thread.detachNewThread { [self] in
      let input = UnbufferedLines(input)
      var reader = ActionScript.Reader(name: Wording.standardInput, samples: samples)
      do {
        while let line = try input.next(), !Self.isEnd(line) {
          if let step = read(line, &reader) { continuation.yield(step) }
          Task { @MainActor in await didRead() }
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    return RecordRequest.Steps(arriving: steps)
  }

  private static func isEnd(_ line: String) -> Bool {
    ["quit", "q", "exit"].contains(line.trimmingCharacters(in: .whitespaces))
  }

  /// Parses and enqueues a line.
  ///
  /// - Returns: The step in the line, or `nil` for a line that is not a step.
  private func read(
    _ text: String,
    _ reader: inout ActionScript.Reader
  ) -> RecordRequest.Step? {
    let text = text.trimmingCharacters(in: .whitespaces)
    let line: TypedLine
    var step: RecordRequest.Step?
    if text.first?.isLetter == true {
      reader.skipLine()
      line = .word(text, number: reader.line)
    } else {
      do throws(CommandError) {
        step = try reader.step(text)
        guard step != nil else { return nil }
        line = .step
      } catch {
        line = .refused(error)
      }
    }
    let number = reader.line
    state.withLock { state in
      state.lines.append(line)
      if step != nil { state.numbers.append(number) }
    }
    return step
  }

  var isEmpty: Bool { state.withLock { $0.lines.isEmpty } }

  /// Removes and returns the next line for this session, or returns `nil` if the next line is a step for the feature.
  func nextOfOurs() -> TypedLine? {
    state.withLock { state in
      guard let first = state.lines.first else { return nil }
      if case .step = first { return nil }
      state.lines.removeFirst()
      return first
    }
  }

  /// Removes the next line after the feature has performed it, if the line is a step.
  func finishStep() {
    state.withLock { state in
      if case .step? = state.lines.first { state.lines.removeFirst() }
    }
  }

  /// Removes the steps that the feature has not performed.
  func dropSteps() {
    state.withLock { state in
      state.lines.removeAll { line in
        if case .step = line { true } else { false }
      }
    }
  }

  /// Returns the error for a step that can't be performed, with the line number of the step.
  func failure(of error: RecordRequest.StepError) -> CommandError {
    // More lines may have been typed than steps performed, so the line number is looked up by the step's index.
    let numbers = state.withLock { $0.numbers }
    let line = numbers.indices.contains(error.index) ? numbers[error.index] : 0
    return .badActionLine(
      file: Wording.standardInput,
      line: line,
      problem: "\(error.problem)"
    )
  }
}

/// A printer that shows the events of a log while the log is being recorded.
private final class LiveLogPrinter: Sendable {
  private let written = Mutex<String?>(nil)
  @MainActor private var printer: LogPrinter
  @MainActor private var log: GrowingLog?
  /// Whether the change of the last action has been read, so that its line is complete.
  @MainActor private var isWhole = true

  @MainActor init(_ style: Style) { printer = LogPrinter(TimelineLines(style: style)) }

  /// Records that the log at a path has new content.
  func setPath(_ path: String) { written.withLock { $0 = path } }

  var path: String? { written.withLock { $0 } }

  /// The number of the last printed action, or `nil` before the first one.
  @MainActor var seq: Int? { printer.seq }

  /// Formats the events that have been recorded since the last call.
  @MainActor func news() -> String {
    guard let path else { return "" }
    var log = log ?? GrowingLog(path)
    defer { self.log = log }
    while let news = try? log.next() {
      guard case .lines(let bytes) = news else { continue }
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        if let event = LogEvent(line: line) { printEvent(event) }
      }
    }
    if isWhole { printer.flush() }
    defer { printer.clear() }
    return String(decoding: printer.output, as: UTF8.self)
  }

  @MainActor private func printEvent(_ event: LogEvent) {
    // The user already knows how the recording ended.
    if case .end = event { return }
    // After an error, the state is unknown until the next checkpoint.
    _ = try? printer.printEvent(event)
    switch event {
    case .header, .checkpoint:
      // The user knows where the recording starts.
      printer.flush()
      printer.clear()
    case .action, .withheld, .read: isWhole = false
    default: isWhole = true
    }
  }
}

extension Wording {
  /// Returns the prompt of a running feature, which contains the number of the last action.
  fileprivate static func livePrompt(_ seq: Int?) -> String {
    "(live\(seq.map { " \($0)" } ?? "")) "
  }
}
