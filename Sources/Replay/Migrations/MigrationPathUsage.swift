import ActionLog
import Synchronization

/// A record of the paths that migration steps access, and of those that occur in values of the log.
///
/// A misspelled path has no effect, which is known only after all values of the log have been migrated.
final class MigrationPathUsage: Sendable {
  /// The record to which lookups in the current task are added, or `nil` if no migration step is running.
  @TaskLocal static var current: MigrationPathUsage?

  /// The kinds of values that a migration step can change.
  enum ValueKind: Int, CaseIterable {
    case state, action, read, call, input, cancelID
  }

  private struct AccessedPaths {
    var version = 0
    var part = ValueKind.state
    var found: [Int: [ValueKind: OrderedPaths]] = [:]
  }

  private struct OrderedPaths {
    var names: [String] = []
    var found: Set<String> = []
  }

  private let contents = Mutex(AccessedPaths())

  /// Runs the change that a step makes to a value, and records the paths that the change accesses.
  func run(_ version: Int, _ part: ValueKind, _ body: () throws -> Void) rethrows {
    contents.withLock { ($0.version, $0.part) = (version, part) }
    try Self.$current.withValue(self, operation: body)
  }

  /// Records that the current change has accessed a path, and whether the path exists.
  func recordLookup(_ place: String, isFound: Bool) {
    contents.withLock { contents in
      let (version, part) = (contents.version, contents.part)
      var places = contents.found[version, default: [:]][part] ?? OrderedPaths()
      if !places.names.contains(place) { places.names.append(place) }
      if isFound { places.found.insert(place) }
      contents.found[version, default: [:]][part] = places
    }
  }

  /// One finding for each step, with the paths that the step accesses but that no value of the log has.
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
  /// Creates a finding that reports a message about migrating a log.
  package static func migration(_ message: String) -> LogEvent.Finding {
    LogEvent.Finding(seq: 0, code: .migration, subject: "", message: message)
  }
}
