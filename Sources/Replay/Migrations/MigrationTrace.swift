import ActionLog
import Synchronization

/// The paths that migrations access, and whether any value of the log has them.
///
/// A misspelled path has no effect. This is only visible after all values of the log have been migrated.
final class MigrationTrace: Sendable {
  /// The trace of the current task's migration.
  @TaskLocal static var current: MigrationTrace?

  /// The kinds of values that a step changes.
  enum ValueKind: Int, CaseIterable {
    case state, action, read, call, input, cancelID
  }

  private struct TraceState {
    var version = 0
    var part = ValueKind.state
    var found: [Int: [ValueKind: OrderedPlaces]] = [:]
  }

  private struct OrderedPlaces {
    var names: [String] = []
    var found: Set<String> = []
  }

  private let contents = Mutex(TraceState())

  /// Runs a change of a step, and records the paths that it accesses.
  func run(_ version: Int, _ part: ValueKind, _ body: () throws -> Void) rethrows {
    contents.withLock { ($0.version, $0.part) = (version, part) }
    try Self.$current.withValue(self, operation: body)
  }

  /// Records that the current change has accessed a path.
  func recordLookup(_ place: String, isFound: Bool) {
    contents.withLock { contents in
      let (version, part) = (contents.version, contents.part)
      var places = contents.found[version, default: [:]][part] ?? OrderedPlaces()
      if !places.names.contains(place) { places.names.append(place) }
      if isFound { places.found.insert(place) }
      contents.found[version, default: [:]][part] = places
    }
  }

  /// The paths that no value of the log had, as one finding per step.
  var findings: [LogEvent.Finding] {
    let found = contents.withLock(\.found)
    return found.keys.sorted().compactMap { version in
      let missing = ValueKind.allCases.compactMap { part -> (ValueKind, [String])? in
        guard let places = found[version]?[part] else { return nil }
        let names = places.names.filter { !places.found.contains($0) }
        return names.isEmpty ? nil : (part, names)
      }
      guard !missing.isEmpty else { return nil }
      return .migration(Wording.placesNotFound(missing, from: version))
    }
  }
}

extension LogEvent.Finding {
  /// Creates a finding about the migration of a log.
  package static func migration(_ message: String) -> LogEvent.Finding {
    LogEvent.Finding(seq: 0, code: .migration, subject: "", message: message)
  }
}
