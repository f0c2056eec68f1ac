import ActionLog
import ReplayCommands
import ReplayEngine

/// Writes what is sound of the logs of a file.
///
/// What stands behind something broken has no state to start from, up to the next checkpoint: there a new segment begins,
/// with a header of its own.
struct Repair {
  private let output: String
  private let file: AtomicFile
  private var header: LogEvent.Header?
  private var isBroken = false
  private var kept = 0
  private var actions = 0

  /// A repair, when the arguments ask for one.
  ///
  /// - Throws: `UsageError` when there is more than one file, `StreamError`.
  init?(_ arguments: ParsedArguments, entries: Int) throws {
    guard let output = arguments.value("--repair") else { return nil }
    guard entries == 1, arguments.operands.count == 1 else {
      throw UsageError.oneLogOnly(option: "--repair", found: entries, command: arguments.command)
    }
    self.output = output
    file = try AtomicFile(output)
  }

  /// Begins with the next log of the file.
  mutating func begin() {
    header = nil
    isBroken = false
  }

  /// Takes an event, or leaves it out.
  mutating func take(_ entry: LogReader.SkimmedEntry, isSound: Bool) throws {
    let kind = entry.event.kind
    if kind == "action" { actions += 1 }
    if !isSound { isBroken = true }
    if case .whole(.header(let header)) = entry.event, self.header == nil { self.header = header }
    if isBroken {
      guard kind == "checkpoint", var header else { return }
      isBroken = false
      header.segment += 1
      self.header = header
      try write(.header(header))
    }
    if kind == "action" { kept += 1 }
    if let text = entry.text {
      try file.write(text)
      try file.write(CollectionOfOne(0x0A))
    } else if case .whole(let event) = entry.event {
      try write(event)
    }
  }

  /// Leaves out a line that is no event.
  mutating func skip() { isBroken = true }

  /// Puts the file in its place.
  ///
  /// - Returns: What was kept, in words.
  func finish() throws(StreamError) -> String {
    try file.finish()
    return Wording.repaired(output, actions: kept, of: actions)
  }

  private func write(_ event: LogEvent) throws(StreamError) {
    try file.write(event.written(by: VerifyCommand.syntax.name, to: output).line + [0x0A])
  }
}
