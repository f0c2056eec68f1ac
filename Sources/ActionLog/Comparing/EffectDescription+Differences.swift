extension EffectDescription {
  /// Returns the differences between the effects of an action in two logs.
  ///
  /// - Parameters:
  ///   - seq: The action's number.
  ///   - recorded: The effects in the first log.
  ///   - replayed: The effects in the second log.
  ///   - places: The paths to ignore in the actions that the effects send.
  /// - Returns: The differences, in the order of the effects.
  package static func differences(
    of seq: Int,
    _ recorded: [EffectDescription],
    _ replayed: [EffectDescription],
    ignoring places: Set<JSON.Pointer> = []
  ) -> [LogDifference] {
    guard !recorded.isEmpty || !replayed.isEmpty else { return [] }
    var old = recorded.compactMap(\.comparable)
    var new = replayed.compactMap(\.comparable)
    guard old != new else { return [] }
    new = spelled(new, like: old)
    guard old != new else { return [] }
    if !places.isEmpty {
      old = old.map { $0.ignoring(places) }
      new = new.map { $0.ignoring(places) }
      guard old != new else { return [] }
    }
    return differences(of: seq, old, new, at: JSON.Pointer(["effects"]))
  }

  private static func differences(
    of seq: Int,
    _ old: [EffectDescription],
    _ new: [EffectDescription],
    at path: JSON.Pointer
  ) -> [LogDifference] {
    // Effects are numbered in order, so a new effect changes the numbers of all later ones.
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start].unnumbered == new[start].unnumbered { start += 1 }
    var end = 0
    while end < shorter - start,
      old[old.count - 1 - end].unnumbered == new[new.count - 1 - end].unnumbered
    { end += 1 }
    if start == shorter, old.count == new.count {
      return zip(old, new).flatMap { $0.differences(from: $1, of: seq, at: path) }
    }
    var differences: [LogDifference] = []
    for index in start..<max(old.count, new.count) - end {
      let path = path.appending(String(index))
      switch (
        index < old.count - end ? old[index] : nil, index < new.count - end ? new[index] : nil
      ) {
      case (let old?, let new?): differences += old.differences(from: new, of: seq, at: path)
      case (let old, let new):
        differences.append(
          LogDifference(
            seq: seq,
            cause: .effects,
            subject: (old ?? new)?.label(at: path) ?? "",
            expected: old?.json,
            actual: new?.json
          )
        )
      }
    }
    return differences
  }

  private func differences(
    from other: EffectDescription,
    of seq: Int,
    at path: JSON.Pointer
  ) -> [LogDifference] {
    if let (old, new) = Self.inner(self, other) ?? Self.inner(other, self).map({ ($1, $0) }) {
      return old.differences(from: new, of: seq, at: path)
    }
    let parts: [(name: String, old: JSON?, new: JSON?)] = [
      ("operation", .string(operation.rawValue), .string(other.operation.rawValue)),
      ("name", name.map(JSON.string), other.name.map(JSON.string)),
      ("cancelID", cancelID?.json, other.cancelID?.json(like: cancelID)),
      ("cancelInFlight", .bool(cancelInFlight), .bool(other.cancelInFlight)),
      ("input", input, other.input),
      ("action", action, other.action),
      ("priority", priority.map(JSON.string), other.priority.map(JSON.string)),
      ("id", id.map { .string($0.description) }, other.id.map { .string($0.description) }),
    ]
    var differing = parts.filter { part in
      guard part.old != part.new else { return false }
      guard let old = part.old, let new = part.new else { return true }
      return !new.isHidden(by: old)
    }
    let within = Self.differences(
      of: seq,
      effects,
      other.effects,
      at: path.appending("effects")
    )
    // A different number is reported only if the effects have no other difference.
    if differing.count > 1 || !within.isEmpty { differing.removeAll { $0.name == "id" } }
    return differing.map {
      LogDifference(
        seq: seq,
        cause: .effects,
        subject: label(at: path),
        member: $0.name,
        expected: $0.old,
        actual: $0.new
      )
    } + within
  }

  /// Whether two lists of effects agree in all members that a comparison considers.
  package static func areSame(
    _ recorded: [EffectDescription],
    _ replayed: [EffectDescription]
  ) -> Bool {
    let old = recorded.compactMap(\.comparable)
    let new = replayed.compactMap(\.comparable)
    return old == new || old == spelled(new, like: old)
  }

  /// Returns the effects with their cancellation ids written as in a recording.
  ///
  /// Replaces ids that differ from the recorded ones only in number or spelling. A recording can lack the numbers. It
  /// can also spell two equal ids differently, each with its own text.
  ///
  /// - Parameters:
  ///   - effects: The descriptions to adapt.
  ///   - recorded: The effects of the same action in the recording.
  /// - Returns: The adapted descriptions.
  package static func spelled(
    _ effects: [EffectDescription],
    like recorded: [EffectDescription]
  ) -> [EffectDescription] {
    let ids = Set(recorded.flatMap(\.flattened).compactMap(\.cancelID))
    return ids.isEmpty ? effects : effects.map { $0.spelled(like: ids) }
  }

  private func spelled(like recorded: Set<CancelID>) -> EffectDescription {
    var result = self
    if let id = cancelID, !recorded.contains(id) {
      result.cancelID = id.spellings.first { recorded.contains($0) } ?? id
    }
    result.effects = effects.map { $0.spelled(like: recorded) }
    return result
  }

  /// Returns the effect inside a group, and the effect that the other log has instead of the group.
  ///
  /// A log describes an effect with two cancellation ids as a group that has the first id and contains the effect. An
  /// effect with one id has no group.
  ///
  /// Returns `nil` if `group` and `single` don't have these forms, or if the two effects are equal.
  private static func inner(
    _ group: EffectDescription,
    _ single: EffectDescription
  ) -> (EffectDescription, EffectDescription)? {
    guard group.operation == .merge, group.effects.count == 1, group.cancelID == single.cancelID,
      single.operation != .merge, single.operation != .concatenate
    else { return nil }
    var single = single
    single.cancelID = nil
    return group.effects[0] == single ? nil : (group.effects[0], single)
  }

  /// Returns the description without the ignored parts of the actions that the effect sends.
  private func ignoring(_ places: Set<JSON.Pointer>) -> EffectDescription {
    var result = self
    result.action = action?.ignoring(Array(places))
    result.effects = effects.map { $0.ignoring(places) }
    return result
  }

  private func label(at path: JSON.Pointer) -> String {
    id?.description ?? path.description
  }

  private var unnumbered: EffectDescription {
    var result = self
    result.id = nil
    result.effects = effects.map(\.unnumbered)
    return result
  }

  package var json: JSON {
    var encoder = LogEncoder()
    encode(to: &encoder)
    return (try? JSON(parsing: encoder.bytes)) ?? .null
  }
}

extension EffectDescription.CancelID {
  /// Returns the id's JSON, without its own spelling if that has the same substitute as the id in a recording with masks.
  fileprivate func json(like recorded: Self?) -> JSON {
    guard let recorded, recorded.ownSpelling == nil, !recorded.json.substitutes.isEmpty else {
      return json
    }
    var id = self
    id.ownSpelling = nil
    return id.json
  }
}
