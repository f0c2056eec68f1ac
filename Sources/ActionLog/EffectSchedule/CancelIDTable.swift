/// The cancellation ids of effects that are alive or wait: which ones are the same, and how a log names them.
struct CancelIDTable: Sendable {
  typealias IDKey = NamedIDs<LoggedIDs>.Key
  typealias ElementKey = NamedIDs<LoggedElements>.Key

  private var ids = NamedIDs<LoggedIDs>()
  /// The elements of the paths of ids.
  private var elements = NamedIDs<LoggedElements>()
}

extension CancelIDTable {
  /// Names the cancellation ids of effects as a log has them, before the effects start.
  ///
  /// - Parameters:
  ///   - effects: The effects that an action returned.
  ///   - recorded: Its effects in the recording that is replayed, if there is one. Their numbers are taken over where that is
  ///     possible.
  /// - Returns: The effects, without those that the library added, if the recording has others of them. A replay that begins
  ///   late finds children that have been there before, for which the recording has such effects already.
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

  /// The ids that a recording has where effects have theirs.
  private struct Hints {
    /// The ids that the app gave, in the order of the tree.
    private var own: ArraySlice<EffectDescription.CancelID> = []
    /// The ids that the library gave to the effects of children.
    private var added: ArraySlice<EffectDescription.CancelID> = []

    /// Ids correspond by their order, if there are equally many.
    init(for effects: [EffectDescription], in recorded: [EffectDescription]) {
      guard !recorded.isEmpty else { return }
      func ids(_ isOwn: Bool) -> ArraySlice<EffectDescription.CancelID> {
        let recorded = recorded.flatMap { $0.cancelIDs(own: isOwn) }
        return effects.flatMap({ $0.cancelIDs(own: isOwn) }).count == recorded.count
          ? recorded[...] : []
      }
      (own, added) = (ids(true), ids(false))
    }

    /// Takes the id in place of that of an effect.
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

  /// The id of the running code with a key and a path; `nil` where the code has not named all of it.
  func identity(of key: IDKey, _ path: [ElementKey]) -> CancelID? {
    let elements = path.compactMap { self.elements.identity(of: $0) }
    guard elements.count == path.count, let id = ids.identity(of: key) else { return nil }
    return CancelID(key: id, path: elements)
  }

  /// Notes that effects can be cancelled under an id.
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

  /// Takes over the names that a description has.
  mutating func setNames(
    of id: EffectDescription.CancelID,
    _ key: IDKey,
    _ path: [ElementKey]
  ) {
    ids.setName(of: key, to: id.name)
    for (key, element) in zip(path, id.path) { elements.setName(of: key, to: element.elementName) }
  }

  /// The key of an id.
  mutating func key(of id: EffectDescription.CancelID) -> IDKey {
    id.identity.map { ids.key(of: $0.key, id.text, like: id.name) } ?? ids.key(of: id.name)
  }

  /// The keys of the elements of an id's path.
  mutating func path(of id: EffectDescription.CancelID) -> [ElementKey] {
    guard let path = id.identity?.path else {
      return id.path.map { elements.key(of: $0.elementName) }
    }
    return zip(path, id.path).map { element, text in
      elements.key(of: element, text.elementName.text, like: text.elementName)
    }
  }

  /// Ends one use of an id and of the elements of its path.
  ///
  /// Those without another use are forgotten.
  mutating func release(_ id: IDKey, _ path: [ElementKey]) {
    ids.release(id)
    for element in path { elements.release(element) }
  }

  /// Forgets ids that were named and not retained: those that an action has only cancelled.
  mutating func forgetCancelled() {
    ids.forgetCancelled()
    elements.forgetCancelled()
  }

  /// Forgets all names.
  mutating func removeNames() {
    ids.removeNames()
    elements.removeNames()
  }
}

extension CancelIDTable.IDKey {
  /// A bit that equal ids share.
  ///
  /// An id that a log describes may equal any id.
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

  /// The ids that the app gave, or those that the library gave, in the order of the tree.
  fileprivate func cancelIDs(own: Bool) -> [CancelID] {
    flattened.filter { $0.hasOwnCancelID == own }.compactMap(\.cancelID)
  }

  /// The number of effects in it that the library added, itself included.
  fileprivate var internalCount: Int { (isInternal ? 1 : 0) + effects.internalCount }

  /// The effect without the parts that the library added; `nil` if there are no others.
  fileprivate var withoutInternal: EffectDescription? {
    guard !isInternal else { return nil }
    guard internalCount > 0 else { return self }
    var effect = self
    effect.effects = effects.compactMap(\.withoutInternal)
    return effect.effects.isEmpty ? nil : effect
  }
}

extension [EffectDescription] {
  /// The number of effects that the library added.
  fileprivate var internalCount: Int { reduce(0) { $0 + $1.internalCount } }
}
