/// The cancellation ids of effects that are alive or wait: which ones are the same, and how a log names them.
///
/// An id of the running code is known by the id itself, and one that only a log describes by its text and number. Ids that print
/// alike get numbers. An id that equals one in use gets that one's text.
struct CancelIDTable: Sendable {
  /// The text of an id in a log, without its number.
  struct IDText: Hashable, Sendable {
    let type: String
    let value: JSON
  }

  /// An id of the running code, or one that a log describes, with a number that it keeps when a checkpoint numbers ids anew.
  enum IDIdentity: Hashable, Sendable {
    case live(CancelKey)
    case logged(IDText, serial: Int)
  }

  /// An element of the path of an id.
  enum ElementIdentity: Hashable, Sendable {
    case live(NavigationID)
    case logged(JSON, serial: Int)
  }

  /// A value with its hash: a schedule looks for the same ones several times, and to hash a tree takes long.
  struct Hashed<Value: Hashable & Sendable>: Hashable, Sendable {
    private let hash: Int
    let value: Value

    init(_ value: Value) {
      self.value = value
      hash = value.hashValue
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  typealias IDKey = Hashed<IDIdentity>
  typealias ElementKey = Hashed<ElementIdentity>

  /// The names of ids and of elements of paths.
  private var idNames = NumberedNames<IDKey, IDText>()
  private var elementNames = NumberedNames<ElementKey, JSON>()
  /// The ids and elements that are known from descriptions alone.
  private var loggedIDs = LoggedIDs()
  private var loggedElements = LoggedElements()
  /// The ids and elements under which effects that are alive or wait can be cancelled.
  private var uses = (ids: Uses<IDKey>(), elements: Uses<ElementKey>())
  /// What `named` has named for effects that have not started yet.
  private var introduced: (ids: Set<IDKey>, elements: Set<ElementKey>) = ([], [])
}

extension CancelIDTable {
  /// Names the cancellation ids of effects as a log has them, before the effects start.
  ///
  /// An id that prints like another one in use gets a number; one that equals an id in use gets that one's text.
  ///
  /// - Parameters:
  ///   - effects: The effects that an action returned.
  ///   - recorded: Its effects in the recording that is replayed. Their numbers are taken over where that is possible.
  /// - Returns: The effects.
  mutating func named(
    _ effects: [EffectDescription],
    like recorded: [EffectDescription] = []
  ) -> [EffectDescription] {
    forgetCancelled()
    guard effects.contains(where: \.hasCancelID) else { return effects }
    let own = effects.flatMap(\.ownCancelIDs)
    let others = recorded.flatMap(\.ownCancelIDs)
    var hints = own.count == others.count ? others[...] : []
    return effects.map { named($0, &hints) }
  }

  private mutating func named(
    _ effect: EffectDescription,
    _ hints: inout ArraySlice<EffectDescription.CancelID>
  ) -> EffectDescription {
    var effect = effect
    if let id = effect.cancelID {
      effect.cancelID = named(id, like: effect.ownCancelID == nil ? nil : hints.popFirst())
    }
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
    let key = key(of: id, like: hint)
    let text = id.idText
    let hintText = hint?.idText
    let isAlike = hintText == text || hintText == idNames[key]?.text
    let name = idNames.name(of: key, text, preferring: isAlike ? hint?.number : nil)
    introduced.ids.insert(key)
    var result = id
    result.type = name.text.type
    result.value = name.text.value.numbered(name.number)
    result.number = name.number
    for (index, (element, text)) in zip(identity.path, id.path).enumerated() {
      let hint = hint.flatMap { $0.path.count == id.path.count ? $0.path[index] : nil }
      result.path[index] = named(element, text.unnumberedElement, like: hint)
    }
    result.ownText = result.text == id.text ? nil : id.text
    return result
  }

  private mutating func named(_ element: NavigationID, _ text: JSON, like hint: JSON?) -> JSON {
    let key = key(of: element, text, like: hint)
    let isAlike = hint?.unnumberedElement == text
    let name = elementNames.name(of: key, text, preferring: isAlike ? hint?.elementNumber : nil)
    introduced.elements.insert(key)
    return name.text.numberedElement(name.number)
  }

  /// Notes that effects can be cancelled under an id.
  mutating func retain(
    _ id: EffectDescription.CancelID,
    _ key: IDKey,
    _ path: [ElementKey]
  ) {
    uses.ids.retain(key)
    if case .logged(let text, let serial) = key.value, id.identity == nil {
      loggedIDs.insert(.init(text: text, number: serial))
    }
    for key in path {
      uses.elements.retain(key)
      if case .logged(let text, let serial) = key.value, id.identity == nil {
        loggedElements.insert(.init(text: text, number: serial))
      }
    }
    setNames(of: id, key, path)
  }

  /// Takes over the names that a description has, so that descriptions without ids find what is meant.
  mutating func setNames(
    of id: EffectDescription.CancelID,
    _ key: IDKey,
    _ path: [ElementKey]
  ) {
    let name = NumberedNames<IDKey, IDText>.Name(text: id.idText, number: id.number)
    if uses.ids.contains(key), idNames[key] != name { idNames.set(key, to: name) }
    for (key, element) in zip(path, id.path) where uses.elements.contains(key) {
      let name = NumberedNames<ElementKey, JSON>.Name(
        text: element.unnumberedElement,
        number: element.elementNumber
      )
      if elementNames[key] != name { elementNames.set(key, to: name) }
    }
  }

  /// The key of an id.
  ///
  /// An id that a log describes is the one with this number.
  mutating func key(of id: EffectDescription.CancelID) -> IDKey { key(of: id, like: id) }

  /// The key of an id.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - hint: The id that the recording has in its place.
  /// - Returns: The key.
  private mutating func key(
    of id: EffectDescription.CancelID,
    like hint: EffectDescription.CancelID?
  ) -> IDKey {
    let text = id.idText
    if let live = id.identity?.key {
      if !loggedIDs.isEmpty,
        let name = loggedIDs.name(
          of: live,
          text,
          like: hint.map { loggedName(of: $0) }
        )
      {
        return Hashed(.logged(name.text, serial: name.number))
      }
      return Hashed(.live(live))
    }
    if let known = idNames.key(named: .init(text: text, number: id.number)) { return known }
    // A checkpoint may have given another number to the id that had this one.
    var serial = id.number
    while uses.ids.contains(Hashed(.logged(text, serial: serial))) { serial += 1 }
    return Hashed(.logged(text, serial: serial))
  }

  /// The id of the log that a description means, with its serial number; with 0 if it is none that is in use.
  private func loggedName(of id: EffectDescription.CancelID) -> LoggedIDs.Name {
    let text = id.idText
    let key = idNames.key(named: .init(text: text, number: id.number))
    guard case .logged(let known, let serial) = key?.value else {
      return LoggedIDs.Name(text: text, number: 0)
    }
    return LoggedIDs.Name(text: known, number: serial)
  }

  private func loggedName(of element: JSON) -> LoggedElements.Name {
    let text = element.unnumberedElement
    let key = elementNames.key(named: .init(text: text, number: element.elementNumber))
    guard case .logged(let known, let serial) = key?.value else {
      return LoggedElements.Name(text: text, number: 0)
    }
    return LoggedElements.Name(text: known, number: serial)
  }

  /// The keys of the elements of an id's path.
  mutating func path(of id: EffectDescription.CancelID) -> [ElementKey] {
    guard let path = id.identity?.path else { return id.path.map { key(of: $0) } }
    return zip(path, id.path).map { key(of: $0, $1.unnumberedElement, like: $1) }
  }

  private mutating func key(
    of element: NavigationID,
    _ text: JSON,
    like hint: JSON?
  ) -> ElementKey {
    if !loggedElements.isEmpty,
      let name = loggedElements[element]
        ?? loggedElements.link(
          element,
          text,
          like: hint.map { loggedName(of: $0) }
        )
    {
      return Hashed(.logged(name.text, serial: name.number))
    }
    return Hashed(.live(element))
  }

  private mutating func key(of element: JSON) -> ElementKey {
    let text = element.unnumberedElement
    let number = element.elementNumber
    if let known = elementNames.key(named: .init(text: text, number: number)) { return known }
    var serial = number
    while uses.elements.contains(Hashed(.logged(text, serial: serial))) { serial += 1 }
    return Hashed(.logged(text, serial: serial))
  }

  /// Ends one use of an id and of the elements of its path.
  ///
  /// Those without another use are forgotten.
  mutating func release(_ id: IDKey, _ path: [ElementKey]) {
    if !uses.ids.release(id) { forget(id) }
    for element in path where !uses.elements.release(element) { forget(element) }
  }

  /// Forgets ids that were named and not retained: those that an action has only cancelled.
  mutating func forgetCancelled() {
    for id in introduced.ids where !uses.ids.contains(id) { forget(id) }
    for element in introduced.elements where !uses.elements.contains(element) { forget(element) }
    introduced = ([], [])
  }

  /// Forgets all names.
  mutating func removeNames() {
    idNames.removeAll()
    elementNames.removeAll()
  }

  private mutating func forget(_ id: IDKey) {
    idNames.remove(id)
    if case .logged(let text, let serial) = id.value {
      loggedIDs.remove(.init(text: text, number: serial))
    }
  }

  private mutating func forget(_ element: ElementKey) {
    elementNames.remove(element)
    if case .logged(let text, let serial) = element.value {
      loggedElements.remove(.init(text: text, number: serial))
    }
  }
}

/// How often each id is in use.
private struct Uses<Key: Hashable & Sendable>: Sendable {
  private var counts: [Key: Int] = [:]

  func contains(_ key: Key) -> Bool { counts[key] != nil }

  mutating func retain(_ key: Key) { counts[key, default: 0] += 1 }

  /// Ends one use.
  ///
  /// - Returns: Whether there are others.
  mutating func release(_ key: Key) -> Bool {
    guard let count = counts[key] else { return false }
    counts[key] = count > 1 ? count - 1 : nil
    return count > 1
  }
}

extension CancelIDTable.IDKey {
  /// A bit that equal ids share.
  ///
  /// An id that a log describes may equal any id.
  var mark: UInt64 {
    switch value {
    case .live: 1 << UInt64(UInt(bitPattern: hashValue) % 64)
    case .logged: .max
    }
  }
}

extension EffectDescription.CancelID {
  /// The text of the id alone, without its number and the path.
  var idText: CancelIDTable.IDText {
    CancelIDTable.IDText(type: type, value: value.unnumbered)
  }
}

extension EffectDescription {
  var hasCancelID: Bool { cancelID != nil || effects.contains(where: \.hasCancelID) }

  /// The ids that the app gave, in the order of the tree.
  fileprivate var ownCancelIDs: [CancelID] {
    (ownCancelID.map { [$0] } ?? []) + effects.flatMap(\.ownCancelIDs)
  }
}
