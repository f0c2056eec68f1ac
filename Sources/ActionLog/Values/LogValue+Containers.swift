// Containers conform regardless of their elements. Each element is encoded according to its own type. An element that
// can't be encoded is opaque, but its container isn't.

extension Optional: LogValue {
  /// Writes `null`, or the wrapped value.
  ///
  /// A wrapped value that would be decoded as `nil` is tagged: `{"$some":null}`.
  public func encode(to encoder: inout LogEncoder) {
    guard case .some(let value) = self else { return encoder.encodeNull() }
    let offset = encoder.startOfNextValue()
    encoder.value(value)
    let isAmbiguous =
      switch encoder.bytes[offset] {
      case UInt8(ascii: "n"): true
      case UInt8(ascii: "{"): encoder.bytes[offset...].starts(with: "{\"$some\":".utf8)
      default: false
      }
    if isAmbiguous { encoder.wrap(from: offset, in: "$some") }
  }

  /// Compares two wrapped values member by member.
  ///
  /// If one of the optionals is `nil`, replaces the value.
  public static func difference(
    from old: Wrapped?,
    to new: Wrapped?,
    into patch: inout PatchBuilder
  ) {
    switch (old, new) {
    case (nil, nil): break
    case (let old?, let new?)
    where patch.types.capabilities(of: Wrapped.self).traits.contains(.neverNull):
      patch.value(old, new)
    case (let oldValue?, let newValue?):
      // A value that is written as an object of members is never `null`.
      if !patch.members(from: oldValue, to: newValue) { patch.compareWritten(old, new) }
    default: patch.replace(with: new)
    }
  }

  /// Lists the type of the wrapped value.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.mayBeNull()
    type.contains(Wrapped.self, below: 0)
  }

  /// Decodes `null`, a wrapped value, or a tagged one.
  public static func decode(from decoder: LogDecoder, over template: Wrapped??) throws -> Wrapped? {
    let inner = template ?? nil
    if decoder.json.isNull { return nil }
    guard let object = decoder.json.object, object.count == 1, let tagged = object["$some"] else {
      return try decoder.value(Wrapped.self, over: inner)
    }
    return try decoder.context.at("$some") {
      try LogDecoder(tagged, context: decoder.context, after: decoder.earlier?["$some"])
        .value(Wrapped.self, over: inner)
    }
  }

  /// Decodes `null` or a wrapped value.
  ///
  /// A tagged value has to be decoded from a tree.
  public static func _$read(from text: inout LogText) throws -> Wrapped? {
    if text.null() { return nil }
    return text.isTagged ? try text.tree() : try text.value(Wrapped.self)
  }

  /// Always `true`, because the encoder writes only well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension Array: _$ElementsLogValue {
  /// Writes the elements as a JSON array.
  public func encode(to encoder: inout LogEncoder) {
    encoder.array(span)
  }
  /// Decodes the elements of a JSON array.
  public static func decode(from decoder: LogDecoder, over template: [Element]?) throws -> [Element]
  {
    try decoder.elementsInStep(over: template) ?? decoder.elements(of: Element.self)
  }

  /// Decodes the elements of a JSON array.
  public static func _$read(from text: inout LogText) throws -> [Element] { try text.elements() }

  /// Compares the elements of both arrays.
  ///
  /// Arrays with the same storage are equal.
  public static func difference(
    from old: [Element],
    to new: [Element],
    into patch: inout PatchBuilder
  ) {
    guard patch.isPlain(Element.self) else { return patch.compareContainers(old, new) }
    patch.elements(old.span, new.span)
  }
}

extension ArraySlice: _$ElementsLogValue {
  /// Writes the elements as a JSON array.
  public func encode(to encoder: inout LogEncoder) {
    encoder.array(span)
  }
  /// Decodes the elements of a JSON array.
  public static func decode(
    from decoder: LogDecoder,
    over template: ArraySlice<Element>?
  ) throws -> ArraySlice<Element> {
    try decoder.elements(of: Element.self)[...]
  }

  /// Decodes the elements of a JSON array.
  public static func _$read(from text: inout LogText) throws -> ArraySlice<Element> {
    try text.elements()[...]
  }

  /// Compares the elements of both slices.
  ///
  /// Slices of the same storage are equal.
  public static func difference(
    from old: ArraySlice<Element>,
    to new: ArraySlice<Element>,
    into patch: inout PatchBuilder
  ) {
    guard patch.isPlain(Element.self) else { return patch.compareContainers(old, new) }
    patch.elements(old.span, new.span)
  }
}

extension ContiguousArray: _$ElementsLogValue {
  /// Writes the elements as a JSON array.
  public func encode(to encoder: inout LogEncoder) {
    encoder.array(span)
  }
  /// Decodes the elements of a JSON array.
  public static func decode(
    from decoder: LogDecoder,
    over template: ContiguousArray<Element>?
  ) throws -> ContiguousArray<Element> {
    try ContiguousArray(decoder.elements(of: Element.self))
  }

  /// Decodes the elements of a JSON array.
  public static func _$read(from text: inout LogText) throws -> ContiguousArray<Element> {
    try ContiguousArray(text.elements())
  }

  /// Compares the elements of both arrays.
  ///
  /// Arrays with the same storage are equal.
  public static func difference(
    from old: ContiguousArray<Element>,
    to new: ContiguousArray<Element>,
    into patch: inout PatchBuilder
  ) {
    guard patch.isPlain(Element.self) else { return patch.compareContainers(old, new) }
    patch.elements(old.span, new.span)
  }
}

extension Set: _$ElementsLogValue {
  /// Writes the elements as a JSON array.
  ///
  /// Elements are sorted by their bytes, because the order of a set differs between processes.
  public func encode(to encoder: inout LogEncoder) {
    encoder.sorted(map { element in { $0.value(element) } })
  }

  /// Decodes the elements of a JSON array.
  public static func decode(
    from decoder: LogDecoder,
    over template: Set<Element>?
  ) throws -> Set<Element> {
    try Set(decoder.elements(of: Element.self))
  }

  /// Decodes the elements of a JSON array.
  public static func _$read(from text: inout LogText) throws -> Set<Element> {
    try Set(text.elements())
  }

  /// Appends the elements that were added or removed.
  ///
  /// Sets with the same storage are equal.
  public static func difference(
    from old: Set<Element>,
    to new: Set<Element>,
    into patch: inout PatchBuilder
  ) {
    guard !patch.isUnchanged(old, new) else { return }
    guard patch.isPlain(Element.self) else { return patch.compareContainers(old, new) }
    patch.elements(from: old, to: new)
  }
}

extension Result: LogValue {
  /// Writes the case and its payload in the form of `Codable` enums.
  ///
  /// For an error that can't be decoded, writes its type and description.
  public func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    switch self {
    case .success(let value): encoder.payload("success", value)
    case .failure(let error): encoder.payload("failure", error)
    }
    encoder.endObject()
  }

  /// Decodes the case and its payload.
  ///
  /// An error of a `Result<_, any Error>` that can't be decoded becomes a `LoggedError`.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    let (name, payload) = try decoder.enumCase(of: Self.self)
    switch name {
    case "success" where Success.self == Void.self:
      guard let void = () as? Success else { throw decoder.error(.notDecodable, type: Self.self) }
      return .success(void)
    case "success": return .success(try payload.onlyMember(of: Self.self))
    case "failure": return .failure(try payload.onlyMember(of: Self.self))
    default: throw decoder.error(.unknownCase(name), type: Self.self)
    }
  }

  /// Decodes the case and its payload from text.
  public static func _$read(from text: inout LogText) throws -> Self {
    let result: Self
    try text.beginEnum()
    if text.takeCase("success") {
      if Success.self == Void.self, let void = () as? Success {
        result = .success(void)
      } else {
        result = .success(try text.member("_0"))
      }
    } else if text.takeCase("failure") {
      result = .failure(try text.member("_0"))
    } else {
      throw LogText.UnexpectedFormat()
    }
    try text.endEnum()
    return result
  }

  /// Compares the payloads if both results have the same case, and otherwise replaces the value.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    switch (old, new) {
    case (.success(let old), .success(let new)):
      if Success.self != Void.self {
        patch.nested("success") { $0.nested("_0") { $0.value(old, new) } }
      }
    case (.failure(let old), .failure(let new)):
      patch.nested("failure") { $0.nested("_0") { $0.value(old, new) } }
    default: patch.replace(with: new)
    }
  }

  /// Lists the types of the success value and the error.
  public static func survey(_ type: inout LogTypeSurvey) {
    if Success.self != Void.self { type.contains(Success.self, below: 2) }
    type.contains(Failure.self, below: 2)
  }

  /// Always `true`, because the encoder writes only well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension LogDecoder {
  /// Decodes the unlabeled payload of a case, and ignores other members.
  fileprivate func onlyMember<Value>(of type: Any.Type) throws -> Value {
    try members(of: type).value("_0", Value.self)
  }
}

extension LogEncoder {
  /// Writes elements as an array, and looks up their type only once.
  mutating func array<Element>(_ elements: Span<Element>) {
    beginArray()
    if let type = Element.self as? any LogValue.Type {
      known(elements, as: type)
    } else if let type = Element.self as? any Encodable.Type {
      encodable(elements, as: type)
    } else {
      for index in elements.indices where !isTooLong { value(elements[index]) }
    }
    endArray()
  }

  private mutating func known<Element, Known: LogValue>(
    _ elements: Span<Element>,
    as type: Known.Type
  ) {
    SameTypeProof<Element, Known>()?.lend(elements) { elements in
      for index in elements.indices where !isTooLong { value(elements[index]) }
    }
  }

  private mutating func encodable<Element, Known: Encodable>(
    _ elements: Span<Element>,
    as type: Known.Type
  ) {
    SameTypeProof<Element, Known>()?.lend(elements) { elements in
      for index in elements.indices where !isTooLong { encodable(elements[index]) }
    }
  }

  /// Writes an array, in which elements are sorted by their bytes.
  mutating func sorted(_ elements: [(inout LogEncoder) -> Void]) {
    var texts: [[UInt8]] = []
    for write in elements { texts.append(Self.text(at: depth, marking: marks, write)) }
    texts.sort { $0.precedesInBytes($1) }
    beginArray()
    for text in texts { raw(text) }
    endArray()
  }

  /// Writes the name and the payload of an enum case into an open object.
  ///
  /// The payload is an object with the member `_0`, or without members for `Void`.
  fileprivate mutating func payload<Value>(_ name: String, _ value: Value) {
    key(name)
    beginObject()
    if Value.self != Void.self { member("_0", value) }
    endObject()
  }
}
