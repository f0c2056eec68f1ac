package import ActionLog

extension EffectOutline {
  /// Returns the log's description of an action's effect, for a recorder and a replay.
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

  /// Describes a publisher that has started.
  ///
  /// - Parameters:
  ///   - id: The id of the publisher.
  ///   - actions: The actions that it sent immediately.
  ///   - hasEnded: Whether it also ended immediately.
  /// - Returns: The publisher, unless it ended with these actions, and each action as one that the reducer sends.
  package static func descriptions(
    publisher id: EffectID,
    sending actions: [JSON],
    hasEnded: Bool
  ) -> [EffectDescription] {
    let isSending = hasEnded && !actions.isEmpty
    let rest = isSending ? [] : Self.publisher.descriptions(seq: id.seq)
    return rest
      + actions.enumerated().map { index, action in
        var description = EffectDescription(.send)
        description.id = EffectID(seq: id.seq, index: rest.count + index)
        description.action = action
        return description
      }
  }

  /// Describes the effect of an action in a replay.
  ///
  /// Only the log contains the actions that a publisher sends immediately.
  ///
  /// - Parameters:
  ///   - seq: The number of the action.
  ///   - recorded: The effects in the log.
  /// - Returns: The recorded effects with the number of the action if both are publishers. Otherwise, the description
  ///   of this effect.
  package func descriptions(
    seq: Int,
    like recorded: [EffectDescription]
  ) -> [EffectDescription] {
    guard case .publisher = self, recorded.contains(where: { $0.operation == .send }),
      recorded.allSatisfy({
        $0.operation == .send || $0.operation == .run && $0.name == Self.publisherName
      })
    else { return descriptions(seq: seq) }
    return recorded.map { effect in
      var effect = effect
      effect.id = effect.id.map { EffectID(seq: seq, index: $0.index) }
      return effect
    }
  }

  private static let publisherName = "(publisher)"
}
