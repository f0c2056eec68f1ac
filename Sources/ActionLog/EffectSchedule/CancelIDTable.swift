/// The cancellation ids of effects that run or wait, and their names in the log.
struct CancelIDTable: Sendable {
  typealias IDKey = IDNameRegistry<LoggedCancelIDs>.Key
  typealias ElementKey = IDNameRegistry<LoggedNavigationIDs>.Key

  private var ids = IDNameRegistry<LoggedCancelIDs>()
  private var elements = IDNameRegistry<LoggedNavigationIDs>()
}

extension CancelIDTable {
  /// Gives the cancellation ids of effects their names in the log, before the effects start.
  ///
  /// Drops effects that the library added if the recording has a different number of them. A replay that starts late
  /// meets children that already existed, and the recording already has library effects for these children.
  ///
  /// - Parameters:
  ///   - effects: The effects that an action returned.
  ///   - recorded: The action's effects in the recording that is replayed, if any. Their numbers are reused where
  ///     possible.
  /// - Returns: The effects with named ids.
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
    var hints = RecordedIDs(for: effects, in: recorded ?? [])
    return effects.map { named($0, &hints) }
  }

  /// The recorded ids that correspond to the cancellation ids of an action's effects.
  private struct RecordedIDs {
    /// Recorded ids that the app chose, in the order of the effect tree.
    private var own: ArraySlice<EffectDescription.CancelID> = []
    /// Recorded ids that the library chose for effects of child features.
    private var added: ArraySlice<EffectDescription.CancelID> = []
    /// Recorded ids under which the library cancels, by their spelling in the recorded code.
    ///
    /// An operator notices the removal of a child at its next action, which can be another one than in the recording.
    private var cancelled:
      [EffectDescription.CancelID.UnnumberedSpelling: ArraySlice<EffectDescription.CancelID>] = [:]

    /// Collects the recorded ids of each kind.
    ///
    /// Ignores the ids of effects, of either kind, if the action has a different number of them.
    init(for effects: [EffectDescription], in recorded: [EffectDescription]) {
      guard !recorded.isEmpty else { return }
      let cancelling = recorded.libraryCancellations.compactMap(\.cancelID)
      cancelled = Dictionary(grouping: cancelling) { $0.ownSpelling ?? $0.spelling }.mapValues {
        $0[...]
      }
      func ids(_ isOwn: Bool) -> ArraySlice<EffectDescription.CancelID> {
        let recorded = recorded.flatMap { $0.cancelIDs(own: isOwn) }
        return effects.flatMap({ $0.cancelIDs(own: isOwn) }).count == recorded.count
          ? recorded[...] : []
      }
      (own, added) = (ids(true), ids(false))
    }

    /// Consumes the recorded id that corresponds to the id of `effect`, or returns `nil` if there is none.
    ///
    /// The calls must be in the order of the effect tree.
    mutating func next(for effect: EffectDescription) -> EffectDescription.CancelID? {
      if effect.isLibraryCancellation, let id = effect.cancelID {
        return cancelled[id.spelling]?.popFirst()
      }
      return effect.hasOwnCancelID ? own.popFirst() : added.popFirst()
    }
  }

  private mutating func named(
    _ effect: EffectDescription,
    _ hints: inout RecordedIDs
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
    // The recording says which of the ids in use equals an id that it spells differently.
    let equal = hint?.ownSpelling
    result.name = ids.named(
      identity.key,
      id.text,
      equal: equal?.text == id.text ? hint?.text : nil,
      like: hint?.name
    )
    for (index, (element, text)) in zip(identity.path, id.path).enumerated() {
      let text = text.elementName.text
      let hint = hint.flatMap { $0.path.count == id.path.count ? $0.path[index].elementName : nil }
      let isEqual = hint != nil && equal?.path.count == id.path.count && equal?.path[index] == text
      let name = elements.named(element, text, equal: isEqual ? hint?.text : nil, like: hint)
      result.path[index] = JSON(element: name)
    }
    result.ownSpelling = result.spelling == id.spelling ? nil : id.spelling
    return result
  }

  /// Returns the running code's id for a key and a path.
  ///
  /// Returns `nil` unless the code has named the id and every element of the path.
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

  /// Replaces the names of an id and of its path's elements with those in a description.
  mutating func setNames(
    of id: EffectDescription.CancelID,
    _ key: IDKey,
    _ path: [ElementKey]
  ) {
    ids.setName(of: key, to: id.name)
    for (key, element) in zip(path, id.path) { elements.setName(of: key, to: element.elementName) }
  }

  /// Returns the table's key for an id.
  mutating func key(of id: EffectDescription.CancelID) -> IDKey {
    id.identity.map { ids.key(of: $0.key, id.text, like: id.name) } ?? ids.key(of: id.name)
  }

  /// Returns the table's keys for the elements of an id's path.
  mutating func path(of id: EffectDescription.CancelID) -> [ElementKey] {
    guard let path = id.identity?.path else {
      return id.path.map { elements.key(of: $0.elementName) }
    }
    return zip(path, id.path).map { element, text in
      elements.key(of: element, text.elementName.text, like: text.elementName)
    }
  }

  /// Removes one use of an id and of the elements of its path, and drops the names that are no longer used.
  mutating func release(_ id: IDKey, _ path: [ElementKey]) {
    ids.release(id)
    for element in path { elements.release(element) }
  }

  /// Drops the names of new ids that no effect uses.
  ///
  /// Such ids were named because an action canceled effects under them.
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
  /// A mask with one bit set, the same for equal ids.
  ///
  /// All bits are set for an id that only a log describes, because such an id can equal any other id.
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

  /// Whether the library cancels effects of a removed child.
  fileprivate var isLibraryCancellation: Bool { operation == .cancel && isOfLibrary }

  /// Returns the ids that the app chose, or those that the library chose for effects if `own` is `false`, in the order
  /// of the tree.
  fileprivate func cancelIDs(own: Bool) -> [CancelID] {
    flattened.filter { $0.hasOwnCancelID == own && !$0.isLibraryCancellation }.compactMap(
      \.cancelID
    )
  }

  /// The number of library effects in the tree, including the effect itself.
  fileprivate var internalCount: Int { (isInternal ? 1 : 0) + effects.internalCount }

  /// The effect without the parts that the library added, or `nil` if no parts remain.
  fileprivate var withoutInternal: EffectDescription? {
    guard !isInternal else { return nil }
    guard internalCount > 0 else { return self }
    var effect = self
    effect.effects = effects.compactMap(\.withoutInternal)
    return effect.regrouped(after: effects)
  }
}

extension [EffectDescription] {
  /// The number of library effects in all trees.
  fileprivate var internalCount: Int { reduce(0) { $0 + $1.internalCount } }

  /// The cancellations of removed children's effects in all trees, in the order of the trees.
  var libraryCancellations: [EffectDescription] {
    flatMap(\.flattened).filter(\.isLibraryCancellation)
  }
}
