extension EffectDescription {
  /// The description of an id under which effects are canceled.
  ///
  /// ```json
  /// {"type":"Todos.CancelID","value":{"save":{}}}
  /// ```
  ///
  /// Different ids can have the same type name and value, such as two private types in two files. Numbers distinguish
  /// these ids. The first one has the number 1, which a log omits.
  ///
  /// ```json
  /// {"type":"CancelID","value":{"load":{}},"n":2}
  /// ```
  public struct CancelID: Sendable {
    /// The name of the id's type, without its module.
    public var type: String
    /// The id's value.
    ///
    /// If the value has no meaning in another process, `{"$ordinal":2}`, where 2 is the id's `number`.
    public var value: JSON
    /// The number, counted from 1, that distinguishes ids with the same type name and value.
    public var number = 1
    /// The navigation path from the root to the feature that chose the id.
    ///
    /// A cancellation reaches that feature and the features below it.
    public var path: [JSON]
    /// The id in the running process, or `nil` if only a log describes the id.
    package var identity: ActionLog.CancelID?
    /// The id's own spelling, if the description has the spelling of an equal id instead.
    ///
    /// Ids with an equality of their own can be equal although their texts differ. A replay that begins at a checkpoint
    /// knows the equal id only as text, so it can't find out that they are equal.
    ///
    /// ```json
    /// {"type":"RowID","value":{"row":1,"label":"a"},"own":{"value":{"row":1,"label":"b"}}}
    /// ```
    package var ownSpelling: UnnumberedSpelling?

    /// Creates a description whose number is 1.
    public init(type: String, value: JSON, path: [JSON] = []) {
      self.type = type
      self.value = value
      self.path = path
    }

    /// The type name and value of an id in a log, without its number and path.
    package struct TypeAndValue: Hashable, Sendable {
      package var type: String
      package var value: JSON
    }

    /// The type name, value, and path of an id, without numbers.
    package struct UnnumberedSpelling: Hashable, Sendable {
      package var text: TypeAndValue
      package var path: [JSON]
    }

    /// The type name, value, and number of an id.
    package typealias Name = NumberedName<TypeAndValue>
  }
}

extension EffectDescription.CancelID: Hashable {
  /// Compares the parts of the ids that a log contains.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.type == rhs.type && lhs.number == rhs.number && lhs.value == rhs.value
      && lhs.path == rhs.path
  }

  /// Hashes the parts of the id that a log contains.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(value)
    hasher.combine(number)
    hasher.combine(path)
  }
}

extension EffectDescription.CancelID {
  /// The id in the JSON form that logs use.
  public var json: JSON {
    var object: JSON.Object = ["type": .string(type), "value": value]
    if number > 1, !value.isOrdinal { object["n"] = .number(JSON.Number(number)) }
    if !path.isEmpty { object["path"] = .array(path) }
    if let own = ownSpelling {
      var members = JSON.Object()
      if own.text.type != type { members["type"] = .string(own.text.type) }
      if own.text.value != value.unnumbered { members["value"] = own.text.value }
      if own.path != spelling.path { members["path"] = .array(own.path) }
      if !members.isEmpty { object["own"] = .object(members) }
    }
    return .object(object)
  }

  package init?(json: JSON) {
    guard let type = json["type"]?.string, let value = json["value"] else { return nil }
    self.init(type: type, value: value, path: json["path"]?.array ?? [])
    if let number = json["n"]?.int { self.number = max(1, number) }
    if let ordinal = value["$ordinal"]?.int, value.isOrdinal { number = max(1, ordinal) }
    guard let own = json["own"] else { return }
    var spelling = spelling
    if let type = own["type"]?.string { spelling.text.type = type }
    if let value = own["value"] { spelling.text.value = value.unnumbered }
    if let path = own["path"]?.array { spelling.path = path.map(\.elementName.text) }
    ownSpelling = spelling
  }

  package var text: TypeAndValue { TypeAndValue(type: type, value: value.unnumbered) }

  package var name: Name {
    get { Name(text: text, number: number) }
    set {
      (type, value, number) = (
        newValue.text.type, newValue.text.value.numbered(newValue.number), newValue.number
      )
    }
  }

  package var spelling: UnnumberedSpelling {
    UnnumberedSpelling(text: text, path: path.map(\.elementName.text))
  }

  /// A copy in which all values that are masked by their type have the same substitute.
  var ignoringSubstitutes: Self {
    var id = self
    id.value = value.ignoringSubstitutes
    if let own = ownSpelling { id.ownSpelling?.text.value = own.text.value.ignoringSubstitutes }
    return id
  }

  /// Copies of the id without numbers, one for each possible spelling.
  ///
  /// The first copy has the description's spelling. The second one has `ownSpelling`, if the id has one.
  var spellings: [Self] {
    [spelling, ownSpelling].compactMap { spelling in
      spelling.map { Self(type: $0.text.type, value: $0.text.value, path: $0.path) }
    }
  }
}

/// Numbers that distinguish ids with the same text.
///
/// A value without meaning in another process is written as its number alone: `{"$ordinal":2}`. Path elements without
/// such a value have a member `n`, as ids do.
extension JSON {
  /// The form of a value that has no meaning in another process, with the number 1.
  package static let ordinal: JSON = ["$ordinal": 1]

  /// Whether the value has the form `{"$ordinal":n}`.
  package var isOrdinal: Bool {
    if case .object(let object) = self {
      object.count == 1 && object["$ordinal"] != nil
    } else {
      false
    }
  }

  /// The value with the number 1 if it has the form `{"$ordinal":n}`, and otherwise the value itself.
  package var unnumbered: JSON { isOrdinal ? Self.ordinal : self }

  /// Returns the value with `number` if it has the form `{"$ordinal":n}`, and otherwise the value itself.
  package func numbered(_ number: Int) -> JSON {
    isOrdinal ? ["$ordinal": .number(JSON.Number(number))] : self
  }

  /// Creates a path element from its name.
  package init(element name: NumberedName<JSON>) {
    self = name.text.numberedElement(name.number)
  }

  /// The element's name: the element with the number 1, and its own number.
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
