import ActionLog

/// The members that only the log or only the code has: each is reported once, for all elements of an array together.
struct SchemaDriftTracker {
  /// The drifted places in the state.
  private(set) var places: Set<JSON.Pointer> = []
  /// The drifted places in the actions that the reducer sends itself.
  private(set) var actionPlaces: Set<JSON.Pointer> = []
  /// The places that only one of the states had, though log and code both know them.
  private var knownPlaces: Set<JSON.Pointer> = []

  /// Notes a drift in the state.
  ///
  /// - Parameters:
  ///   - drift: The drift.
  ///   - seq: The action at which it showed.
  ///   - isNew: Whether it stands in a value that an action has added.
  /// - Returns: The finding; `nil` when the place is noted already.
  mutating func report(_ drift: SchemaDrift, at seq: Int, isNew: Bool = false) -> LogEvent? {
    let place = drift.path.anyElement
    guard places.insert(place).inserted else { return nil }
    return Self.finding(.schemaDrift, place, Wording.describe(drift, isNew: isNew), at: seq)
  }

  /// Notes the drift between an action that the reducer has sent and the recorded one.
  ///
  /// - Returns: The findings that are new.
  mutating func report(
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

  /// The places that only one of the states has and of which it is not known whether they have drifted.
  func unknownPlaces(in differences: [LogDifference]) -> [JSON.Pointer] {
    differences.compactMap(\.oneSidedPlace).filter { !knownPlaces.contains($0) }
  }

  /// Notes places that log and code both know.
  mutating func noteKnown(_ places: [JSON.Pointer]) { knownPlaces.formUnion(places) }
}

/// Finds the drift between a recorded value and the code by letting the code read and write it.
///
/// The keys of a dictionary come back as they were, the members of a type as the type has them.
struct SchemaProbe {
  private let engine: any FeatureEngine

  init(_ engine: any FeatureEngine) { self.engine = engine }

  /// More members than one version of a type adds.
  private static let mostMissing = 32

  /// The drift in a state.
  ///
  /// - Parameters:
  ///   - recorded: The recorded state.
  ///   - own: The state of the replay.
  /// - Returns: Each place once.
  func drift(of recorded: JSON, beside own: JSON) -> [SchemaDrift] {
    drift(of: recorded, beside: own) { try engine.rewritten($0) }
  }

  /// The drift in an action.
  ///
  /// - Parameters:
  ///   - recorded: The recorded action.
  ///   - own: The action that the replay has in its place.
  /// - Returns: Each place once.
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
        // The type needs a member that the log lacks. The replay's own stands in, so that other missing members show.
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
  /// The place of a member that only one of the states has, with `*` for each index of an array.
  fileprivate var oneSidedPlace: JSON.Pointer? {
    guard cause == .state, (expected == nil) != (actual == nil), let location,
      case .name? = location.steps.last
    else { return nil }
    return location.pointer.anyElement
  }
}
