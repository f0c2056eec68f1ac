import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

extension CommandSyntax.Option {
  static let jobs = Self(
    name: "--jobs",
    short: "-j",
    value: "N",
    summary: "run this many hosts in parallel (the number of processors)"
  )
  static let invariants = Self(
    name: "--invariants",
    value: "FILE",
    summary:
      "check the conditions in this file after each action; the format is that of 'run --invariants'"
  )
  static let budget = Self(
    name: "--budget",
    value: "SECONDS",
    summary: "stop the search after this time, with the best result so far"
  )
}

extension ParsedArguments {
  /// Parses the value of an option as a random seed, or returns `nil` if the option is missing.
  func seed(_ option: String) throws(UsageError) -> UInt64? {
    guard let text = value(option) else { return nil }
    guard let seed = UInt64(text) else {
      throw .badValue(text, option: option, expected: "a whole number from 0", command: command)
    }
    return seed
  }

  /// Converts the value of an option, in seconds from now, to an instant.
  ///
  /// Returns `nil` if the option is missing, or if the time is longer than any process runs.
  func deadline(_ option: String) throws(UsageError) -> ContinuousClock.Instant? {
    guard let seconds = try seconds(option), seconds < Watchdog.forever else { return nil }
    return .now + .seconds(seconds)
  }
}

extension Console {
  /// Writes a replayed log so that it looks like a recording.
  ///
  /// - Parameters:
  ///   - events: The events of the replay.
  ///   - path: The path of the output file, or `-` for standard output.
  ///   - command: The name of the command, which is added to the header.
  /// - Throws: `StreamError`.
  func write(log events: [LogEvent], to path: String, by command: String) throws {
    var bytes: [UInt8] = []
    for event in events.asRecorded {
      bytes += event.written(by: command, to: path).line
      bytes.append(UInt8(ascii: "\n"))
    }
    try write(to: path) { try $0.write(bytes) }
  }
}

extension [LogEvent] {
  /// The events without the findings and members that only replays write.
  var asRecorded: [LogEvent] { filter { !$0.isFinding }.map(\.asRecorded) }
}

extension LogEvent {
  /// The event without the members that only replays write.
  fileprivate var asRecorded: LogEvent {
    switch self {
    case .header(var header):
      header.rest["replayer"] = nil
      return .header(header)
    case .action(let action): return .action(action.unmarked)
    default: return self
    }
  }

  /// Whether the event is a finding, which only replays write.
  fileprivate var isFinding: Bool {
    if case .finding = self { true } else { false }
  }
}

/// A deterministic random number generator: SplitMix64 by Steele, Lea, and Flood.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Phrases that several analyses share.
extension Wording {
  static func wasAction(_ seq: Int) -> String { "action \(seq)" }

  static func whichWas(_ seq: Int) -> String { ", which was \(wasAction(seq))" }
}

extension CommandContext {
  /// Warns about invariants that can never fail or hold for the logs, such as those with a misspelled path.
  func warn(of rules: [Invariant], in logs: [LogSlice]) {
    for rule in rules {
      let all = logs.compactMap { log in
        (try? log.events()).flatMap { try? ConditionScan($0, for: rule.condition) }?.doubts
      }
      guard let first = all.first, let log = logs.first else { continue }
      let shared = first.filter { doubt in all.allSatisfy { $0.contains(doubt) } }
      warn(of: shared, Wording.invariant(rule.name), in: log)
    }
  }
}
