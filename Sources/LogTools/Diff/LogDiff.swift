import ActionLog
import ReplayEngine

/// The differences between two logs.
package struct LogDiff {
  /// The differences, with the first log's side as `expected`.
  package let differences: [LogDifference]
  /// The last action that was compared.
  package let seq: Int
  /// The values of which one of the logs holds the type alone.
  package let notCompared: [UncomparedValue]
  /// The features of the logs, when they differ.
  package let otherFeatures: [String]?

  /// Opens a log, and hands its header over when it is read.
  package typealias Opener = (_ visit: @escaping (LogEvent.Header) -> Void) throws ->
    LogComparison.Events

  /// Compares two logs.
  ///
  /// - Parameters:
  ///   - first: Opens the first log.
  ///   - second: Opens the second log.
  ///   - notCompared: The values that a comparison with these notes leaves out.
  /// - Throws: `LogReadError`, and what the arguments throw.
  init(
    _ first: Opener,
    _ second: Opener,
    notCompared: ([LogEvent.Finding]) throws -> [UncomparedValue]
  ) throws {
    var features: [String] = []
    let addFeature = { (header: LogEvent.Header) in features.append(header.feature) }
    var comparison = LogComparison(
      recorded: try first(addFeature),
      replayed: try second(addFeature),
      extent: .all
    )
    let result = try comparison.run()
    differences = result.differences.map(\.asFound)
    seq = result.seq
    self.notCompared = try notCompared(result.notes)
    otherFeatures = features.count > 1 && features[0] != features[1] ? features : nil
  }

  /// Compares two logs in files.
  ///
  /// - Throws: `LogReadError`.
  package init(_ first: LogSlice, _ second: LogSlice) throws {
    func opener(_ log: LogSlice) -> Opener {
      { visit in
        let events = try log.events()
        return {
          let event = try events()
          if case .header(let header) = event { visit(header) }
          return event
        }
      }
    }
    try self.init(
      opener(first),
      opener(second),
      notCompared: { try UncomparedValues(in: first).list(.opaque, with: $0) }
    )
  }

  /// Whether nothing differs.
  package var isSame: Bool { differences.isEmpty }

  /// The differences for programs.
  package var json: JSON {
    var document: JSON.Object = [
      "same": .bool(isSame), "differences": .array(differences.map(\.json)),
    ]
    if !notCompared.isEmpty { document["notCompared"] = .array(notCompared.map(\.json)) }
    return .object(document)
  }
}
