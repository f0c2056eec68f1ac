/// The cancellation ids of effects that run or wait, and their names in the log.
struct CancelIDTable: Sendable {
  typealias IDKey = NamedIDs<LoggedIDs>.Key
  typealias ElementKey = NamedIDs<LoggedElements>.Key

  private var ids = NamedIDs<LoggedIDs>()
  private var elements = NamedIDs<LoggedElements>()
}

extension CancelIDTable {
  /// Names the cancellation ids of effects as a log does, before the effects start.
  ///
  /// - Parameters:
  ///   - effects: The effects that an action returned.
  ///   - recorded: The action's effects in the recording that is replayed, if any. Their numbers are reused where
  ///     possible.
  /// - Returns: The effects. Effects that the library added are left out if the recording has different ones. A replay
  ///   that starts late meets children that already existed, and the recording already has library effects for them.
  mutating func named(
    _ effects: [EffectDescription],
    like recorded: [EffectDescription]? = nil
  ) -> [EffectDescription] {
    forgetCancelled()
    guard effects.contains(where: \.hasCancelID) else { return effects }
    var effects = effects
    if let recorded, effects.internalCount != recorded.internalCount {
      effects = effects.compactMap(\.withoutInternal)
    }
    var hints = Hints(for: effects, in: recorded ?? [])
    return effects.map { named($0, &hints) }
  }

  /// The recorded ids that correspond to the ids of effects.
  private struct Hints {
    /// The ids that the app gave, in the order of the effect tree.
    private var own: ArraySlice<EffectDescription.CancelID> = []
    /// The ids that the library gave to effects of children.
    private var added: ArraySlice<EffectDescription.CancelID> = []

    /// Pairs ids by their order, if both sides have the same number of ids.
    init(for effects: [EffectDescription], in recorded: [EffectDescription]) {
      guard !recorded.isEmpty else { return }
      func ids(_ isOwn: Bool) -> ArraySlice<EffectDescription.CancelID> {
        let recorded = recorded.flatMap { $0.cancelIDs(own: isOwn) }
        return effects.flatMap({ $0.cancelIDs(own: isOwn) }).count == recorded.count
          ? recorded[...] : []
      }
      (own, added) = (ids(true), ids(false))
    }

    /// Returns the recorded id that corresponds to the next effect.
    mutating func next(for effect: EffectDescription) -> EffectDescription.CancelID? {
      effect.hasOwnCancelID ? own.popFirst() : added.popFirst()
    }
  }

  private mutating func named(
    _ effect: EffectDescription,
    _ hints: inout Hints
  ) -> EffectDescription {
    var effect = effect
    if let id = effect.cancelID { effect.cancelID = named(id, like: hints.next(for: effect)) }
    for index in effect.effects.indices {
      effect.effects[index] = named(effect.effects[index], &hints)
    }
    return effect
  }

  private mutating func named(
    _ id: EffectDescription.CancelID,
    like hint: EffectDescription.CancelID?
  ) -> EffectDescription.CancelID {
    guard let identity = id.identity else { return id }
    var result = id
    result.name = ids.named(identity.key, id.text, like: hint?.name)
    for (index, (element, text)) in zip(identity.path, id.path).enumerated() {
      let hint = hint.flatMap { $0.path.count == id.path.count ? $0.path[index] : nil }
      let name = elements.named(element, text.elementName.text, like: hint?.elementName)
      result.path[index] = JSON(element: name)
    }
    result.ownSpelling = result.spelling == id.spelling ? nil : id.spelling
    return result
  }

  /// Returns the running code's id for a key and a path, or `nil` if the code hasn't named all parts of it.
  func identity(of key: IDKey, _ path: [ElementKey]) -> CancelID? {
    let elements = path.compactMap { self.elements.identity(of: $0) }
    guard elements.count == path.count, let id = ids.identity(of: key) else { return nil }
    return CancelID(key: id, path: elements)
  }

  /// Adds one use of an id and of the elements of its path.
  mutating func retain(
    _ id: EffectDescription.CancelID,
    _ key: IDKey,
    _ path: [ElementKey]
  ) {
    let isDescribed = id.identity == nil
    ids.retain(key, isDescribed: isDescribed, as: id.name)
    for (key, element) in zip(path, id.path) {
      elements.retain(key, isDescribed: isDescribed, as: element.elementName)
    }
  }

  /// Adopts the names in a description.
  mutating func setNames(
    of id: EffectDescription.CancelID,
    _ key: IDKey,
    _ path: [ElementKey]
  ) {
    ids.setName(of: key, to: id.name)
    for (key, element) in zip(path, id.path) { elements.setName(of: key, to: element.elementName) }
  }

  /// Returns the key of an id.
  mutating func key(of id: EffectDescription.CancelID) -> IDKey {
    id.identity.map { ids.key(of: $0.key, id.text, like: id.name) } ?? ids.key(of: id.name)
  }

  /// Returns the keys of the elements of an id's path.
  mutating func path(of id: EffectDescription.CancelID) -> [ElementKey] {
    guard let path = id.identity?.path else {
      return id.path.map { elements.key(of: $0.elementName) }
    }
    return zip(path, id.path).map { element, text in
      elements.key(of: element, text.elementName.text, like: text.elementName)
    }
  }

  /// Removes one use of an id and of the elements of its path.
  ///
  /// Drops those that have no other use.
  mutating func release(_ id: IDKey, _ path: [ElementKey]) {
    ids.release(id)
    for element in path { elements.release(element) }
  }

  /// Drops ids that were named and not retained, because an action only cancelled them.
  mutating func forgetCancelled() {
    ids.forgetCancelled()
    elements.forgetCancelled()
  }

  mutating func removeNames() {
    ids.removeNames()
    elements.removeNames()
  }
}

extension CancelIDTable.IDKey {
  /// A bit that equal ids share.
  ///
  /// All bits are set for an id that a log describes, because it may equal any id.
  var mark: UInt64 {
    switch identity {
    case .live: 1 << UInt64(UInt(bitPattern: hashValue) % 64)
    case .logged: .max
    }
  }
}

extension EffectDescription {
  var hasCancelID: Bool { cancelID != nil || effects.contains(where: \.hasCancelID) }

  fileprivate var hasOwnCancelID: Bool { ownCancelID != nil }

  /// Returns the ids that the app gave (`own`), or the ids that the library gave, in the order of the effect tree.
  fileprivate func cancelIDs(own: Bool) -> [CancelID] {
    flattened.filter { $0.hasOwnCancelID == own }.compactMap(\.cancelID)
  }

  /// The number of library effects in the tree, including the effect itself.
  fileprivate var internalCount: Int { (isInternal ? 1 : 0) + effects.internalCount }

  /// The effect without the parts that the library added, or `nil` if there are no others.
  fileprivate var withoutInternal: EffectDescription? {
    guard !isInternal else { return nil }
    guard internalCount > 0 else { return self }
    var effect = self
    effect.effects = effects.compactMap(\.withoutInternal)
    return effect.effects.isEmpty ? nil : effect
  }
}

extension [EffectDescription] {
  /// The number of library effects in all trees.
  fileprivate var internalCount: Int { reduce(0) { $0 + $1.internalCount } }
}
