import ActionLog
import ReplayCommands
import ReplayEngine

/// The messages and report lines of the `audit` command.
extension Wording {
  static func auditing(_ done: Int, of count: Int) -> String { "\(done) of \(count) replays" }

  static func audited(_ name: String, _ result: Audit.Result, seed: UInt64) -> String {
    let times = result.runs.count == 1 ? "1 replay" : "\(result.runs.count) replays"
    let end = result.interruption.map { "interrupted by \(SignalName.of($0)); " } ?? ""
    let values = notCompared(result.notCompared)
    let gaps = values.isEmpty ? "" : "\(values.dropFirst(2)); "
    let again = "\(gaps)\(end)--seed \(seed) repeats the audit"
    guard !result.places.isEmpty else {
      return result.difference == nil
        ? "\(name): \(result.interruption == nil ? "stable, " : "")the same in \(times) and as recorded; \(again)"
        : "\(name): the same in \(times), but not as recorded; \(again)"
    }
    let places = result.places.count == 1 ? "1 place" : "\(result.places.count) places"
    return
      "\(name): not stable, \(places) \(result.places.count == 1 ? "differs" : "differ") among \(times); \(again)"
  }

  static let seedsAreDrawn = """
    The host takes no seed for the order of its sets and dictionaries, so this order is left to chance and cannot be repeated.
    """

  static func locationText(_ place: UnstablePath, _ notation: Notation) -> String {
    switch place.aspect {
    case .trap: "trap"
    case .difference(.state):
      place.path.isEmpty
        ? "the whole state"
        : "state \(notation.pathText(ofAnyElement: (try? JSON.Pointer(parsing: place.path)) ?? JSON.Pointer()))"
    case .difference(.effects): place.path
    case .difference(let cause): "\(name(cause)) \(self.locationText(place.path, notation))"
    }
  }

  /// Returns a short phrase for a reason.
  static func name(_ reason: UnstablePath.DifferenceReason) -> String {
    switch reason {
    case .unorderedCollection: "unordered collection"
    case .clock: "live date or clock"
    case .random: "random number"
    case .timeZone: "time zone"
    case .locale: "locale"
    case .unknown: "unknown reason"
    }
  }

  static func describe(_ reason: UnstablePath.DifferenceReason) -> String {
    switch reason {
    case .unorderedCollection:
      "\(name(reason)): it follows the hash seed; sort sets and dictionaries before their order matters"
    case .clock:
      "\(name(reason)): it differs in the same setting and looks like a time; ask the dependency 'date' or a clock"
    case .random:
      "\(name(reason)): it differs in the same setting; ask the dependency 'withRandomNumberGenerator' or 'uuid'"
    case .timeZone:
      "time zone: it follows the process's zone; ask the dependency 'timeZone' or 'calendar'"
    case .locale: "\(name(reason)): it follows the process's locale; ask the dependency 'locale'"
    case .unknown: "it differs, but follows nothing that the audit has changed"
    }
  }

  /// Returns a phrase that lists the replays that have a value, such as `replays 1, 2 and the log`.
  static func who(_ value: UnstablePath.Value) -> String {
    guard !value.runs.isEmpty else { return "the log" }
    let numbers = value.runs.map(String.init).joined(separator: ", ")
    return (value.runs.count == 1 ? "replay " : "replays ") + numbers
      + (value.isInLog ? " and the log" : "")
  }

  static func nothing(_ place: UnstablePath) -> String {
    place.aspect == .trap ? "no trap" : "nothing"
  }

  static func unlikeLog(_ difference: LogDifference) -> String {
    "all replays differ from the log, first at action \(difference.seq)"
      + (difference.message.map { ": \($0)" } ?? "")
  }

  static let whyUnlikeLog = """
    likely reasons: the code has changed since, or it depends on something that stays the same during the audit, such as \
    today's date, a file or the machine
    """

  static func trapsUnlikeLog(_ signal: String) -> String {
    "the host ends with \(signal), and the log goes on"
  }
}
