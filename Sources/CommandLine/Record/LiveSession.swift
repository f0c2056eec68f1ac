import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine
import Synchronization

/// A person and a feature that runs: lines that are typed are actions to send, or words about what was recorded so far, and each
/// action that comes is shown.
///
/// ```text
/// (live 4) .titleChanged(id: …AC1A, "Milk")
///    5    +3.101 s  .titleChanged(id: …AC1A, "Milk")  todos[0].title: "" → "Milk"  starts save 5.0
///    6    +3.122 s  .saved(.success(1))  from save 5.0  isSaving: true → false
/// (live 6) print todos[0].title
/// "Milk"
/// ```
///
/// Lines are done in the order in which they were typed: a word waits for the actions before it.
@MainActor final class LiveSession {
  private let context: CommandContext
  private let style: Style
  /// The stream for answers.
  private let output: any ByteSink
  private let hasPrompt: Bool
  private let lines: TypedLines
  private let log: LiveLog
  /// Whether the feature has begun, so that words have something to be about.
  private var hasBegun = false
  /// Whether lines that are no steps are done just now.
  private var isAnswering = false
  /// Whether the line of the cursor has the prompt, and nothing that was sent.
  private var isPrompted = false
  /// Whether a line could not be done.
  private(set) var hasRefused = false

  /// - Parameters:
  ///   - context: The environment of the command.
  ///   - style: How answers are written.
  ///   - usesError: Whether answers go to standard error, because standard output has the log.
  ///   - samples: Gives what a log tells of the notation of its actions.
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

  /// Has a request take its steps from here, and tell what becomes of them.
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

  /// Does what is left when the feature has ended.
  func finish() async {
    show()
    hasBegun = true
    lines.dropSteps()
    await processLines()
    if isPrompted { write("\n", to: context.console.error) }
  }

  // MARK: - Lines

  /// The feature has done what was sent, and waits for a step.
  private func wait() async {
    if hasBegun { lines.finishStep() }
    (hasBegun, isPrompted) = (true, false)
    show()
    await processLines()
    prompt()
  }

  /// Does the lines before the next one that the feature does.
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

  /// The debugger at the end of what was recorded so far.
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

  /// Shows what was recorded since the last time.
  private func show() {
    let text = log.news()
    guard !text.isEmpty else { return }
    // Over the prompt, which comes again after it.
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

  // A terminal that is gone has no reader for the error, either.
  private func write(_ text: String, to sink: any ByteSink) { try? sink.write(text.utf8) }
}

/// The lines that are typed, in their order.
private final class TypedLines: Sendable {
  enum TypedLine {
    /// One that the feature does.
    case step
    case word(String, number: Int)
    case refused(CommandError)
  }

  private struct State {
    /// The lines that are not done.
    var lines: [TypedLine] = []
    /// The numbers of the lines with steps.
    var numbers: [Int] = []
  }

  private let state = Mutex(State())
  private let samples: ActionScript.Reader.Samples

  init(samples: @escaping ActionScript.Reader.Samples) { self.samples = samples }

  /// The steps among the lines of a stream, up to its end or the word `quit`.
  ///
  /// Stops reading after `quit`: the program that takes over reads the rest.
  ///
  /// - Parameters:
  ///   - input: The stream.
  ///   - didRead: Called after each line.
  /// - Returns: The steps.
  func steps(
    from input: FileHandle,
    didRead: @escaping @MainActor @Sendable () async -> Void
  ) -> RecordRequest.Steps {
    let (steps, continuation) = AsyncThrowingStream.makeStream(of: RecordRequest.Step.self)
    // In a thread of its own, which waits for what is typed.
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

  /// Notes a line.
  ///
  /// - Returns: The step that it is; `nil` for another line.
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

  /// The next line; `nil` where it is one that the feature does.
  func nextOfOurs() -> TypedLine? {
    state.withLock { state in
      guard let first = state.lines.first else { return nil }
      if case .step = first { return nil }
      state.lines.removeFirst()
      return first
    }
  }

  /// The feature has done the step that is the next line.
  func finishStep() {
    state.withLock { state in
      if case .step? = state.lines.first { state.lines.removeFirst() }
    }
  }

  /// Leaves out the steps that are not done.
  func dropSteps() {
    state.withLock { state in
      state.lines.removeAll { line in
        if case .step = line { true } else { false }
      }
    }
  }

  /// The command's error for a step that cannot be done.
  func failure(of error: RecordRequest.StepError) -> CommandError {
    // More lines may have been typed than were sent.
    let numbers = state.withLock { $0.numbers }
    let line = numbers.indices.contains(error.index) ? numbers[error.index] : 0
    return .badActionLine(
      file: Wording.standardInput,
      line: line,
      problem: "\(error.problem)"
    )
  }
}

/// The log that is recorded, as lines for a person.
private final class LiveLog: Sendable {
  private let written = Mutex<String?>(nil)
  @MainActor private var printer: LogPrinter
  @MainActor private var log: GrowingLog?
  /// Whether the last action has changed the state, so that its line is whole.
  @MainActor private var isWhole = true

  @MainActor init(_ style: Style) { printer = LogPrinter(TimelineLines(style: style)) }

  /// Takes note that the log at a path has grown.
  func setPath(_ path: String) { written.withLock { $0 = path } }

  var path: String? { written.withLock { $0 } }

  /// The last action.
  @MainActor var seq: Int? { printer.seq }

  /// The lines of what was recorded since the last call.
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
    // A person knows what has ended the recording.
    if case .end = event { return }
    // A state that is not known is known again at the next checkpoint.
    _ = try? printer.printEvent(event)
    switch event {
    case .header, .checkpoint:
      // A person knows where it begins.
      printer.flush()
      printer.clear()
    case .action, .withheld, .read: isWhole = false
    default: isWhole = true
    }
  }
}

extension Wording {
  /// The prompt while a feature runs, with the number of the last action.
  fileprivate static func livePrompt(_ seq: Int?) -> String {
    "(live\(seq.map { " \($0)" } ?? "")) "
  }
}
