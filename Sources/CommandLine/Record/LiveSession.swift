import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine
import Synchronization

/// An interactive session with a running feature.
///
/// Typed lines are actions to send, or debugger commands about the recording so far. Each action that occurs is shown.
///
/// ```text
/// (live 4) .titleChanged(id: …AC1A, "Milk")
///    5    +3.101 s  .titleChanged(id: …AC1A, "Milk")  todos[0].title: "" → "Milk"  starts save 5.0
///    6    +3.122 s  .saved(.success(1))  from save 5.0  isSaving: true → false
/// (live 6) print todos[0].title
/// "Milk"
/// ```
///
/// Lines are processed in the order of typing: a command waits for the actions before it.
@MainActor final class LiveSession {
  private let context: CommandContext
  private let style: Style
  /// The stream for answers.
  private let output: any ByteSink
  private let hasPrompt: Bool
  private let lines: TypedLines
  private let log: LiveLog
  /// Whether the feature has started, so that commands have a recording to inspect.
  private var hasBegun = false
  /// Whether commands are being processed.
  private var isAnswering = false
  /// Whether the prompt is visible and no line has been entered after it.
  private var isPrompted = false
  /// Whether a line was refused.
  private(set) var hasRefused = false

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - context: The environment of the command.
  ///   - style: The text style of answers.
  ///   - usesError: Whether answers go to standard error, because standard output contains the log.
  ///   - samples: A closure that returns the notation of the actions in a log.
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
    log = LiveLog(style)
    if hasPrompt { console.progress.end() }
  }

  /// Makes a request take its steps from this session and report their results to it.
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

  /// Called when the feature has performed a step and waits for the next one.
  private func wait() async {
    if hasBegun { lines.finishStep() }
    (hasBegun, isPrompted) = (true, false)
    show()
    await processLines()
    prompt()
  }

  /// Processes the commands before the next step.
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

  /// Returns the debugger at the end of the recording so far.
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
    // Overwrites the prompt, which is printed again afterward.
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

/// A queue of typed lines.
private final class TypedLines: Sendable {
  enum TypedLine {
    /// A step, which the feature performs.
    case step
    case word(String, number: Int)
    case refused(CommandError)
  }

  private struct State {
    /// The pending lines.
    var lines: [TypedLine] = []
    /// The line numbers of all steps.
    var numbers: [Int] = []
  }

  private let state = Mutex(State())
  private let samples: ActionScript.Reader.Samples

  init(samples: @escaping ActionScript.Reader.Samples) { self.samples = samples }

  /// Returns the steps from a stream, up to its end or a line `quit`.
  ///
  /// Stops reading after `quit`, so that the next program receives the remaining input.
  ///
  /// - Parameters:
  ///   - input: The stream.
  ///   - didRead: A closure that is called after each line.
  /// - Returns: The steps.
  func steps(
    from input: FileHandle,
    didRead: @escaping @MainActor @Sendable () async -> Void
  ) -> RecordRequest.Steps {
    let (steps, continuation) = AsyncThrowingStream.makeStream(of: RecordRequest.Step.self)
    // Uses a separate thread, which blocks on the input.
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

  /// Enqueues a line.
  ///
  /// - Returns: The step, or `nil` for a line that is not a step.
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

  /// Removes and returns the next line, or `nil` if it is a step.
  func nextOfOurs() -> TypedLine? {
    state.withLock { state in
      guard let first = state.lines.first else { return nil }
      if case .step = first { return nil }
      state.lines.removeFirst()
      return first
    }
  }

  /// Removes the next line, if it is a step, after the feature has performed it.
  func finishStep() {
    state.withLock { state in
      if case .step? = state.lines.first { state.lines.removeFirst() }
    }
  }

  /// Removes the steps that were not performed.
  func dropSteps() {
    state.withLock { state in
      state.lines.removeAll { line in
        if case .step = line { true } else { false }
      }
    }
  }

  /// Converts the error of a step that can't be performed.
  func failure(of error: RecordRequest.StepError) -> CommandError {
    // More lines may have been typed than sent, so the line number is looked up by the step's index.
    let numbers = state.withLock { $0.numbers }
    let line = numbers.indices.contains(error.index) ? numbers[error.index] : 0
    return .badActionLine(
      file: Wording.standardInput,
      line: line,
      problem: "\(error.problem)"
    )
  }
}

/// A printer of the log that is being recorded.
private final class LiveLog: Sendable {
  private let written = Mutex<String?>(nil)
  @MainActor private var printer: LogPrinter
  @MainActor private var log: GrowingLog?
  /// Whether the change of the last action has been read, so that its line is complete.
  @MainActor private var isWhole = true

  @MainActor init(_ style: Style) { printer = LogPrinter(TimelineLines(style: style)) }

  /// Records that the log at a path has grown.
  func setPath(_ path: String) { written.withLock { $0 = path } }

  var path: String? { written.withLock { $0 } }

  /// The number of the last action.
  @MainActor var seq: Int? { printer.seq }

  /// Returns the lines that have been recorded since the last call.
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
    // The user knows how the recording ended.
    if case .end = event { return }
    // If the state is unknown, it becomes known at the next checkpoint.
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
  /// Returns the prompt of a running feature, with the number of the last action.
  fileprivate static func livePrompt(_ seq: Int?) -> String {
    "(live\(seq.map { " \($0)" } ?? "")) "
  }
}
