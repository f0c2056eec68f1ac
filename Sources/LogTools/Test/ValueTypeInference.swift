import ActionLog

/// Infers the types of values from a log by collecting facts about each path.
///
/// JSON uses the same form for strings and raw values, for optional and other values, and for structures and
/// dictionaries. The values that a path has over time often tell these types apart.
struct ValueTypeInference {
  /// A path into the state or an action, with `*` for each array element.
  typealias WildcardPath = [String]

  private struct ObservedTraits {
    var isNull = false
    /// Whether the path has had a value that is not an object.
    ///
    /// An object at this path is then not an enum case with a payload.
    var isOther = false
    var hasProse = false
    var words: Set<String> = []
    /// The string in the initial state, or `nil` if there was none.
    var first: String?
    var names: Set<[String]> = []
    var isDictionary = false
  }

  private var facts: [WildcardPath: ObservedTraits] = [:]
  /// The state paths that received a string from an action, keyed by the path in the action.
  private var sources: [WildcardPath: Set<WildcardPath>] = [:]
  /// The names of members that contain child features.
  private(set) var features: Set<String> = []
  /// The cases of enums of features, which are also in `features`.
  private(set) var featureCases: Set<String> = []

  /// The names of cases that contain the actions of stacks.
  private var stacks: Set<String> = []
  /// Whether any stack in the log has assigned ids to elements.
  private var hasStacks = false

  /// The maximum number of member name sets for each path, because more would not change the result.
  private static let mostNames = 8

  /// Registers that stacks have assigned ids to elements.
  mutating func seeStacks() { hasStacks = true }

  /// Collects facts from the initial state.
  mutating func see(first state: JSON) { see(state, at: ["$0"], isFirst: true) }

  /// Collects the names of child features from the scopes of cancellation ids.
  mutating func see(_ effects: [EffectDescription]) {
    for effect in effects.flatMap(\.flattened) {
      for step in effect.cancelID?.path ?? [] {
        if let place = step["place"]?.string { features.insert(place) }
        if let name = step["id"]?["case"]?.string { features.insert(name) }
      }
    }
  }

  /// Collects facts from an action and its payload.
  mutating func see(action: JSON) {
    see(action, at: ["action"])
    var value = action
    while let object = value.object, object.count == 1, let name = object.firstKey,
      let payload = object[name]?["_0"]
    {
      if let inner = payload.object, inner.count == 1, let own = inner.firstKey,
        let labels = inner[own]?.object?.keys, labels.contains("id"),
        Self.stackActions.contains(own)
      {
        stacks.insert(name)
      }
      value = payload["element"]?["action"] ?? payload["presented"]?["_0"] ?? payload
    }
  }

  /// Collects the cases of enums of features: those that an action and its child's state have in common.
  ///
  /// Point-Free's library doesn't show the scopes of cancellation ids, by which other logs name features.
  mutating func seeFeatures(in action: JSON, of state: JSON) {
    guard let (name, inner) = action.onlyCase, let child = state[name] else { return }
    if let action = inner["presented"]?["_0"] {
      seeCase(of: action, in: child)
    } else if let id = inner["element"]?["id"], let action = inner["element"]?["action"] {
      let row = child.array?.first { $0["id"] == id }
      if let element = row?["element"] { seeCase(of: action, in: element) }
    }
  }

  private mutating func seeCase(of action: JSON, in state: JSON) {
    guard let (name, inner) = action.onlyCase, let (current, child) = state.onlyCase,
      name == current
    else { return seeFeatures(in: action, of: state) }
    features.insert(name)
    featureCases.insert(name)
    seeFeatures(in: inner, of: child)
  }

  private static let stackActions: Set<String> = ["push", "popFrom", "element"]

  /// Collects facts from a value and the values inside of it.
  mutating func see(_ value: JSON, at place: WildcardPath, isFirst: Bool = false) {
    var facts = facts[place, default: ObservedTraits()]
    switch value {
    case .null: facts.isNull = true
    case .bool, .number: facts.isOther = true
    case .string(let text):
      facts.isOther = true
      if text.isWord { facts.words.insert(text) } else { facts.hasProse = true }
      if isFirst { facts.first = text }
    case .array: facts.isOther = true
    case .object: break
    }
    self.facts[place] = facts
    if let object = value.object { see(names: object, at: place) }
    switch value {
    case .array(let elements):
      for element in elements { see(element, at: place + ["*"], isFirst: isFirst) }
    case .object(let object):
      if place.last == "set", let path = object["_0"]?.string, let value = object["_1"] {
        return see(value, at: place + [path], isFirst: isFirst)
      }
      for (name, value) in object { see(value, at: place + [name], isFirst: isFirst) }
    default: break
    }
  }

  /// Collects facts from the member names of an object.
  mutating func see(names object: JSON.Object, at place: WildcardPath) {
    var facts = facts[place, default: ObservedTraits()]
    if facts.names.count < Self.mostNames { facts.names.insert(object.keys.sorted()) }
    if object.keys.contains(where: { !$0.isSwiftIdentifier && !$0.hasPrefix("$") }) {
      facts.isDictionary = true
    }
    self.facts[place] = facts
  }

  /// Registers that an action's string was assigned to a path in the state.
  mutating func link(_ source: WildcardPath, to place: WildcardPath) {
    sources[source, default: []].insert(place)
  }
}

extension ValueTypeInference {
  /// Returns whether the path has had a `null` value.
  func isOptional(_ place: WildcardPath) -> Bool { facts[place]?.isNull ?? false }

  /// Returns whether strings at the path are certainly text rather than raw values of an enum.
  ///
  /// An action's string is also text if it was assigned to a path with text.
  func isText(_ place: WildcardPath) -> Bool {
    if facts[place]?.hasProse == true { return true }
    return sources[place]?.contains { facts[$0]?.hasProse == true } ?? false
  }

  /// Returns whether strings at the path are probably enum cases.
  ///
  /// This is the case if the path had such a string in the initial state, later had different ones, and was never
  /// `null`. It is also the case for an action's string that was assigned to such a path.
  func isWordOfEnum(_ place: WildcardPath) -> Bool {
    guard !isText(place) else { return false }
    if let facts = facts[place], facts.first != nil, !facts.isNull, facts.words.count > 1 {
      return true
    }
    return sources[place]?.contains { isWordOfEnum($0) } ?? false
  }

  /// Returns whether an array at the path is probably a stack.
  func isStack(_ place: WildcardPath) -> Bool {
    guard let name = place.last else { return false }
    return stacks.contains(name) || features.contains(name) || hasStacks
  }

  /// Returns whether objects at the path are dictionaries, because one of their keys is not an identifier.
  func isDictionary(_ place: WildcardPath) -> Bool { facts[place]?.isDictionary ?? false }

  /// Returns the name and payload of an enum case.
  ///
  /// - Parameters:
  ///   - value: The value, which may be an object with a single member.
  ///   - place: The path of the value.
  /// - Returns: The name of the case and its payload, or `nil` if the value is not known to be an enum case.
  func enumCase(_ value: JSON, at place: WildcardPath) -> (name: String, payload: JSON.Object)? {
    guard let object = value.object, object.count == 1, let name = object.firstKey,
      let payload = object.values[0].object, name.isSwiftIdentifier, !isDictionary(place)
    else { return nil }
    guard !payload.keys.contains(where: { $0.hasPrefix("$") }) else { return nil }
    let facts = facts[place]
    let isCase =
      payload.isEmpty || payload.keys.contains { $0.isPlaceOfPayload } || Self.isAction(place)
      || place[0] == "action" && Self.isOfLibrary(name, payload)
      || facts.map { $0.names.count > 1 && $0.names.allSatisfy { $0.count == 1 } && !$0.isOther }
        ?? false
    return isCase ? (name, payload) : nil
  }
}

extension ValueTypeInference {
  /// Returns whether a case is one of the library's actions, whose payload has labels.
  private static func isOfLibrary(_ name: String, _ payload: JSON.Object) -> Bool {
    switch name {
    case "element": payload.keys == ["id", "action"]
    case "push": payload.keys == ["id", "state"]
    case "popFrom": payload.keys == ["id"]
    default: false
    }
  }

  /// Returns whether a path leads to an action, which is always an enum case.
  private static func isAction(_ place: WildcardPath) -> Bool {
    place[0] == "action" && (place.count == 1 || place.suffix(2) == ["element", "action"])
  }
}

extension JSON {
  /// The name and the only payload of an enum case; `nil` for other values.
  fileprivate var onlyCase: (name: String, payload: JSON)? {
    guard let object, object.count == 1, let name = object.firstKey,
      let payload = object[name]?.object, payload.count == 1, let inner = payload["_0"]
    else { return nil }
    return (name, inner)
  }
}

extension String {
  /// Whether the string can be the name of a case: ASCII letters and digits, starting with a lowercase letter.
  var isWord: Bool {
    guard let first = utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
      return false
    }
    return utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
  }
}
