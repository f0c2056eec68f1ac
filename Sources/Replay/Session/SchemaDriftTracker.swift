import ActionLog

/// A record of the members that only the log or only the code has.
///
/// Each member is reported once for all elements of an array.
struct SchemaDriftTracker {
  /// The paths in the state that only the log or only the code has.
  private(set) var places: Set<JSON.Pointer> = []
  /// The paths that only the log or only the code has in actions that the reducer sends itself.
  private(set) var actionPlaces: Set<JSON.Pointer> = []
  /// The paths that were missing in one of the states, although both the log and the code know them.
  private var knownPlaces: Set<JSON.Pointer> = []

  /// Records a path in the state that only the log or only the code has.
  ///
  /// - Parameters:
  ///   - drift: The path, with the side that lacks it.
  ///   - seq: The number of the action at which the drift was found.
  ///   - isNew: Whether the path is in a value that an action has added.
  /// - Returns: An event with the finding, or `nil` if the path has already been reported.
  mutating func driftFinding(_ drift: SchemaDrift, at seq: Int, isNew: Bool = false) -> LogEvent? {
    let place = drift.path.anyElement
    guard places.insert(place).inserted else { return nil }
    return Self.finding(.schemaDrift, place, Wording.describe(drift, isNew: isNew), at: seq)
  }

  /// Compares an action that the reducer has sent with the recorded action, and records the paths that only one has.
  ///
  /// - Returns: Events with the findings that have not been reported before.
  mutating func driftFindings(
    ofAction own: JSON,
    beside recorded: JSON,
    _ engine: any FeatureEngine,
    at seq: Int
  ) -> [LogEvent] {
    guard own != recorded else { return [] }
    let hasNew = JSON.differences(from: recorded, to: own).contains {
      ($0.expected == nil) != ($0.actual == nil) && !actionPlaces.contains($0.path.anyElement)
    }
    guard hasNew else { return [] }
    return SchemaProbe(engine).drift(ofAction: recorded, beside: own).compactMap { drift in
      let place = drift.path.anyElement
      guard actionPlaces.insert(place).inserted else { return nil }
      return Self.finding(.actionDrift, place, Wording.describeAction(drift), at: seq)
    }
  }

  private static func finding(
    _ code: LogEvent.Finding.Code,
    _ place: JSON.Pointer,
    _ message: String,
    at seq: Int
  ) -> LogEvent {
    .finding(
      LogEvent.Finding(seq: seq, code: code, subject: place.description, message: message)
    )
  }

  /// Returns the paths that exist in only one of the states and have not yet been examined for drift.
  func unknownPlaces(in differences: [LogDifference]) -> [JSON.Pointer] {
    differences.compactMap(\.oneSidedPlace).filter { !knownPlaces.contains($0) }
  }

  /// Records paths that both the log and the code know.
  mutating func insertKnown(_ places: [JSON.Pointer]) { knownPlaces.formUnion(places) }
}

/// A probe that finds the schema drift between a recorded value and the code.
///
/// The probe decodes the value with the code and encodes the result again. This preserves the keys of dictionaries, but
/// not members that the code's types lack.
struct SchemaProbe {
  private let engine: any FeatureEngine

  init(_ engine: any FeatureEngine) { self.engine = engine }

  /// The maximum number of missing members to report, which is more than one version usually adds.
  private static let mostMissing = 32

  /// Returns the schema drift between a recorded state and the code.
  ///
  /// - Parameters:
  ///   - recorded: The recorded state.
  ///   - own: The corresponding state of the replay.
  /// - Returns: The paths that only the log or only the code has.
  func drift(of recorded: JSON, beside own: JSON) -> [SchemaDrift] {
    drift(of: recorded, beside: own) { try engine.rewritten($0) }
  }

  /// Returns the schema drift between a recorded action and the code.
  ///
  /// - Parameters:
  ///   - recorded: The recorded action.
  ///   - own: The corresponding action of the replay.
  /// - Returns: The paths that only the log or only the code has.
  func drift(ofAction recorded: JSON, beside own: JSON) -> [SchemaDrift] {
    drift(of: recorded, beside: own) { try engine.rewritten(action: $0) }
  }

  private func drift(
    of recorded: JSON,
    beside own: JSON,
    _ rewrite: (JSON) throws -> JSON
  ) -> [SchemaDrift] {
    var value = recorded
    var missing: [SchemaDrift] = []
    while missing.count < Self.mostMissing {
      do {
        let rewritten = try rewrite(value)
        return missing
          + JSON.differences(from: value, to: rewritten, isInPlace: true).compactMap { difference in
            guard (difference.expected == nil) != (difference.actual == nil) else { return nil }
            return SchemaDrift(
              path: difference.path,
              kind: difference.expected == nil ? .missingInLog : .unknownToCode
            )
          }
      } catch let error as LogDecodingError where error.problem == .missing {
        // The type needs a member that the log lacks. The replay's value replaces the missing one, so that further
        // missing members can be found.
        missing.append(SchemaDrift(path: error.path, kind: .missingInLog))
        guard let part = own[error.path],
          (try? JSON.Patch([.add(error.path, part)]).apply(to: &value)) != nil
        else { return missing }
      } catch {
        return missing
      }
    }
    return missing
  }
}

extension LogDifference {
  /// The path of a member that only one of the states has, with `*` for each array index.
  ///
  /// `nil` for other differences.
  fileprivate var oneSidedPlace: JSON.Pointer? {
    guard cause == .state, (expected == nil) != (actual == nil), let location,
      case .name? = location.steps.last
    else { return nil }
    return location.pointer.anyElement
  }
}
