import ActionLog

/// Finds out what a recorded state and the code have not in common: by letting the code read and write it.
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
    var state = recorded
    var missing: [SchemaDrift] = []
    while missing.count < Self.mostMissing {
      do {
        let rewritten = try engine.rewritten(state)
        return missing
          + JSON.differences(from: state, to: rewritten).compactMap { difference in
            guard (difference.expected == nil) != (difference.actual == nil) else { return nil }
            return SchemaDrift(
              path: difference.path,
              kind: difference.expected == nil ? .missingInLog : .unknownToCode
            )
          }
      } catch let error as LogDecodingError where error.problem == .missing {
        // The type needs a member that the log lacks; the replay's own stands in for it, to see what else is missing.
        missing.append(SchemaDrift(path: error.path, kind: .missingInLog))
        guard let value = own[error.path],
          (try? JSON.Patch([.add(error.path, value)]).apply(to: &state)) != nil
        else { return missing }
      } catch {
        return missing
      }
    }
    return missing
  }
}
