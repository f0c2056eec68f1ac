import ActionLog

/// Finds out what a recorded value and the code have not in common: by letting the code read and write it.
///
/// The keys of a dictionary come back as they were, the members of a type as the type has them.
struct SchemaProbe {
  private let engine: any FeatureEngine

  init(_ engine: any FeatureEngine) { self.engine = engine }

  /// More members than one version of a type adds.
  private static let mostMissing = 32

  /// What only the log or only the code has.
  ///
  /// - Parameters:
  ///   - recorded: The recorded state.
  ///   - replayed: The state of the replay before an action.
  ///   - patch: What that action makes of it.
  /// - Returns: Each place once.
  func drift(of recorded: JSON, beside replayed: JSON?, _ patch: JSON.Patch) -> [SchemaDrift] {
    var own = replayed ?? .null
    try? patch.apply(to: &own)
    return drift(of: recorded, beside: own) { try engine.rewritten($0) }
  }

  /// What only the log or only the code has of an action.
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
        // The type needs a member that the log lacks; the replay's own stands in for it, to see what else is missing.
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
