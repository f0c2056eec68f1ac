/// The cancellation ids in a log, found by equal ids of the running code.
package struct LoggedCancelIDs: LoggedIDMapping {
  package typealias Text = EffectDescription.CancelID.TypeAndValue
  package typealias Name = EffectDescription.CancelID.Name

  private var names = LoggedIDLinks<CancelKey, Text>()
  /// The Swift types of the code's ids, by the type names in a log.
  private var types: [String: [any (Hashable & Sendable).Type]] = [:]
  /// The texts of a log's ids, by the values that result from decoding them as one of `types`.
  private var decoded: [CancelKey: Text] = [:]
  private var keys: [Text: CancelKey] = [:]

  package init() {}

  package var isEmpty: Bool { names.isEmpty }

  /// Adds an id that a log describes.
  package mutating func insert(_ name: Name) {
    names.insert(name)
    for type in types[name.text.type] ?? [] { decode(name.text, as: type) }
  }

  /// Adds an id that a log describes, and links it to the equal id of the running code.
  package mutating func insert(_ name: Name, as key: CancelKey) { names.insert(name, as: key) }

  package func identity(of name: Name) -> CancelKey? { names.identity(of: name) }

  package mutating func name(of key: CancelKey, _ text: Text, like hint: Name?) -> Name? {
    if let name = names[key] { return name }
    let type = Swift.type(of: key.base)
    if types[text.type]?.contains(where: { $0 == type }) != true {
      types[text.type, default: []].append(type)
      for other in names.unlinkedTexts where other.type == text.type { decode(other, as: type) }
    }
    return names.link(key, text, like: hint)
      ?? decoded[key].flatMap { names.link(key, $0, like: hint) }
  }

  /// Removes an id that a log describes.
  package mutating func remove(_ name: Name) {
    names.remove(name)
    if let key = keys.removeValue(forKey: name.text) { decoded[key] = nil }
    if names.isEmpty { types = [:] }
  }

  private mutating func decode(_ text: Text, as type: any (Hashable & Sendable).Type) {
    func key<ID: Hashable & Sendable>(_ type: ID.Type) -> CancelKey? {
      (try? LogDecoder(text.value).value(type)).map { CancelKey($0) }
    }
    if let key = key(type) { (decoded[key], keys[text]) = (text, key) }
  }
}

extension LoggedCancelIDs {
  /// Returns the log's description of an id of the running code, or `nil` if the log has no equal id.
  package mutating func description(
    of id: EffectDescription.CancelID
  ) -> EffectDescription.CancelID? {
    guard let key = id.identity?.key, let name = name(of: key, id.text, like: nil) else {
      return nil
    }
    var id = id
    id.name = name
    return id
  }
}

/// The path elements of a log's cancellation ids, found by elements of the running code.
package typealias LoggedNavigationIDs = LoggedIDLinks<NavigationID, JSON>

extension LoggedNavigationIDs {
  /// Returns the log's JSON for a path element of the running code, or `nil` if the log has no such element.
  package mutating func description(of element: NavigationID, _ text: JSON) -> JSON? {
    name(of: element, text.elementName.text, like: nil).map { JSON(element: $0) }
  }
}
