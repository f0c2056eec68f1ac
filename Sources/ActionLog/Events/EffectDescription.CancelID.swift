extension EffectDescription {
  /// The description of an id that effects are cancelled by.
  ///
  /// ```json
  /// {"type":"Todos.CancelID","value":{"save":{}}}
  /// ```
  ///
  /// Different ids can have the same type name and value: two private types in two files, for example. Numbers tell
  /// them apart. The first one has the number 1, which a log leaves out.
  ///
  /// ```json
  /// {"type":"CancelID","value":{"load":{}},"n":2}
  /// ```
  public struct CancelID: Sendable {
    /// The name of the id's type, without its module.
    public var type: String
    /// The id's value.
    ///
    /// `{"$ordinal":2}` if no other process would know the value, with `number` in it.
    public var value: JSON
    /// The number that distinguishes the id from others with the same type name and value, from 1.
    public var number = 1
    /// The navigation path of the feature that gave the id, from the root.
    ///
    /// The id reaches that feature and those below it.
    public var path: [JSON]
    /// The id itself; `nil` in a description that was read from a log.
    package var identity: ActionLog.CancelID?
    /// How the id prints by itself, if an equal id's text took the place of that.
    package var ownSpelling: Spelling?

    /// A description of an id.
    public init(type: String, value: JSON, path: [JSON] = []) {
      self.type = type
      self.value = value
      self.path = path
    }

    /// The text of an id in a log, without its number and the path.
    package struct Text: Hashable, Sendable {
      package var type: String
      package var value: JSON
    }

    /// The text of an id and the path, without numbers.
    package struct Spelling: Hashable, Sendable {
      package var text: Text
      package var path: [JSON]
    }

    /// The text of an id and its number.
    package typealias Name = NumberedName<Text>
  }
}

extension EffectDescription.CancelID: Hashable {
  /// Compares what a log has of the ids.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.type == rhs.type && lhs.number == rhs.number && lhs.value == rhs.value
      && lhs.path == rhs.path
  }

  /// Hashes what a log has of the id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(value)
    hasher.combine(number)
    hasher.combine(path)
  }
}

extension EffectDescription.CancelID {
  /// The id as the log writes it.
  public var json: JSON {
    var object: JSON.Object = ["type": .string(type), "value": value]
    if number > 1, !value.isOrdinal { object["n"] = .number(JSON.Number(number)) }
    if !path.isEmpty { object["path"] = .array(path) }
    return .object(object)
  }

  package init?(json: JSON) {
    guard let type = json["type"]?.string, let value = json["value"] else { return nil }
    self.init(type: type, value: value, path: json["path"]?.array ?? [])
    if let number = json["n"]?.int { self.number = max(1, number) }
    if let ordinal = value["$ordinal"]?.int, value.isOrdinal { number = max(1, ordinal) }
  }

  package var text: Text { Text(type: type, value: value.unnumbered) }

  package var name: Name {
    get { Name(text: text, number: number) }
    set {
      (type, value, number) = (
        newValue.text.type, newValue.text.value.numbered(newValue.number), newValue.number
      )
    }
  }

  package var spelling: Spelling { Spelling(text: text, path: path.map(\.elementName.text)) }

  /// The id with equal substitutes for all values that are masked by their type.
  var ignoringSubstitutes: Self {
    var id = self
    id.value = value.ignoringSubstitutes
    if let own = ownSpelling { id.ownSpelling?.text.value = own.text.value.ignoringSubstitutes }
    return id
  }

  /// The id without numbers, and as it prints by itself.
  var spellings: [Self] {
    [spelling, ownSpelling].compactMap { spelling in
      spelling.map { Self(type: $0.text.type, value: $0.text.value, path: $0.path) }
    }
  }
}

/// Numbers of ids that print alike. A value that no other process would know is its number: `{"$ordinal":2}`. Elements
/// of paths have a member `n` otherwise, as ids do.
extension JSON {
  /// The value of an id that no other process would know.
  package static let ordinal: JSON = ["$ordinal": 1]

  /// Whether the value is nothing but a number that one process has given.
  package var isOrdinal: Bool {
    if case .object(let object) = self {
      object.count == 1 && object["$ordinal"] != nil
    } else {
      false
    }
  }

  /// The value with the number 1.
  package var unnumbered: JSON { isOrdinal ? Self.ordinal : self }

  /// The value with a number, if the number is the value.
  package func numbered(_ number: Int) -> JSON {
    isOrdinal ? ["$ordinal": .number(JSON.Number(number))] : self
  }

  /// The element of a path with a name.
  package init(element name: NumberedName<JSON>) {
    self = name.text.numberedElement(name.number)
  }

  /// The element of a path with the number 1, and its number.
  package var elementName: NumberedName<JSON> {
    let number = self["n"] ?? self["id"]?["$ordinal"] ?? self["place"]?["$ordinal"]
    return NumberedName(text: numberedElement(1), number: max(1, number?.int ?? 1))
  }

  private func numberedElement(_ number: Int) -> JSON {
    guard case .object(var object) = self else { return self }
    var isNumbered = false
    for name in ["place", "id"] {
      guard let value = object[name], value.isOrdinal else { continue }
      object[name] = value.numbered(number)
      isNumbered = true
    }
    object["n"] = number > 1 && !isNumbered ? .number(JSON.Number(number)) : nil
    return .object(object)
  }
}
