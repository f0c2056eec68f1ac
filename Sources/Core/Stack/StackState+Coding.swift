public import ActionLog

extension StackState: Encodable where Element: Encodable {
  /// Writes a plain array of the elements.
  public func encode(to encoder: any Encoder) throws {
    try elements.encode(to: encoder)
  }
}

extension StackState: Decodable where Element: Decodable {
  /// Reads a plain array of elements, which get new ids.
  public init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}

extension StackState: LogValue {
  /// Writes the elements with their ids: `[{"id":0,"element":...}]`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(entries)
  }

  /// Reads elements with their ids; two with one id are an error.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    var stack = Self()
    for entry in try decoder.elements(of: Entry.self) {
      guard !stack.ids.contains(entry.id) else {
        throw decoder.error(
          .mismatch(expected: "elements whose ids differ", found: decoder.json),
          type: Self.self
        )
      }
      stack.push(entry.element, id: entry.id)
    }
    return stack
  }

  /// Compares the elements in step; stacks that nobody has changed are not looked at.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    guard
      !(patch.isUnchanged(old.elements, new.elements)
        && patch.isUnchanged(old.ids.elements, new.ids.elements))
    else { return }
    patch.value(old.entries, new.entries)
  }

  /// Names the type of the elements.
  public static func survey(_ type: inout LogTypeSurvey) { type.contains(Element.self) }

  private var entries: [Entry] { zip(ids, elements).map { Entry(id: $0, element: $1) } }

  private struct Entry: LogValue {
    let id: StackElementID
    let element: Element

    static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
      patch.member("id", old.id, new.id)
      patch.member("element", old.element, new.element)
    }

    static func survey(_ type: inout LogTypeSurvey) { type.contains(Element.self) }
    static var _$isWellFormed: Bool { true }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginObject()
      encoder.member("id", id)
      encoder.member("element", element)
      encoder.endObject()
    }

    static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
      let members = try decoder.members(of: StackState.self)
      defer { members.finish() }
      return Self(
        id: try members.value("id"),
        element: try members.value("element")
      )
    }
  }

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}
