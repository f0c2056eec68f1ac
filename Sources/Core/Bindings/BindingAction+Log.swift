public import ActionLog

extension BindingAction: LogValue {
  /// Writes the names that lead to the property, and the value: `{"set":{"_0":"user.name","_1":"Blob"}}`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.key("set")
    encoder.beginObject()
    encoder.member("_0", ChildPlace(keyPath).name)
    encoder.member("_1", value)
    encoder.endObject()
    encoder.endObject()
  }

  /// Reads a change of a property that the log's names lead to.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    let (name, payload) = try decoder.enumCase(of: Self.self)
    guard name == "set" else { throw decoder.error(.unknownCase(name), type: Self.self) }
    let members = try payload.members(of: Self.self)
    defer { members.finish() }
    let names = try members.value("_0", String.self)
    guard let keyPath = keyPath(named: names) else {
      throw decoder.error(
        .mismatch(expected: "the name of a variable", found: .string(names)),
        type: Root.self
      )
    }
    func read<Value>(_ type: Value.Type) throws -> Self? {
      guard let keyPath = keyPath as? WritableKeyPath<Root, Value> else { return nil }
      return Self(keyPath: keyPath, value: try members.value("_1", type))
    }
    guard let action = try _openExistential(Swift.type(of: keyPath).valueType, do: read) else {
      throw decoder.error(.notDecodable, type: Self.self)
    }
    return action
  }

  /// Reads a change of a property that the log's names lead to.
  public static func _$read(from text: inout LogText) throws -> Self {
    try text.beginEnum()
    guard text.takeCase("set"), let keyPath = keyPath(named: try text.member("_0")) else {
      throw LogText.Surprise()
    }
    func read<Value>(_ type: Value.Type) throws -> Self? {
      guard let keyPath = keyPath as? WritableKeyPath<Root, Value> else { return nil }
      return Self(keyPath: keyPath, value: try text.member("_1") as Value)
    }
    guard let action = try _openExistential(Swift.type(of: keyPath).valueType, do: read) else {
      throw LogText.Surprise()
    }
    try text.endEnum()
    return action
  }

  private static func keyPath(named names: String) -> PartialKeyPath<Root>? {
    let names = names.split(separator: ".").map(String.init)
    func keyPath<Known: LogMembers>(in _: Known.Type) -> PartialKeyPath<Root>? {
      Known.keyPath(named: names) as? PartialKeyPath<Root>
    }
    return (Root.self as? any LogMembers.Type).flatMap { keyPath(in: $0) }
  }
}
