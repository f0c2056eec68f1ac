package import ActionLog

extension EffectOutline {
  /// What the log says of the effect of an action, alike for a recorder and a replay.
  ///
  /// - Parameter seq: The number of the action.
  /// - Returns: One description, or none.
  package func descriptions(seq: Int) -> [EffectDescription] {
    var description = EffectDescription(.run)
    description.id = EffectID(seq: seq, index: 0)
    switch self {
    case .none: return []
    case .publisher: description.name = Self.publisherName
    case .run(let name, let priority):
      description.name = name
      description.priority = priority.map { "\($0.rawValue)" }
    }
    return [description]
  }

  private static let publisherName = "(publisher)"
}
