// Only the adapter can make types of the library loggable.
// swift-format-ignore-file: AvoidRetroactiveConformances

public import ActionLog
public import ComposableArchitecture

extension Identified: @retroactive LogValue {
  /// Writes the id and the value.
  public func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.member("id", id)
    encoder.member("value", value)
    encoder.endObject()
  }

  /// Reads an id and a value.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    let members = try decoder.members(of: Self.self)
    defer { members.finish() }
    let id = try members.value("id", ID.self)
    return Self(try members.value("value", over: template.map(\.value)), id: id)
  }

  /// Compares ids and values directly.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.member("id", old.id, new.id)
    patch.member("value", old.value, new.value)
  }

  /// Reports the types of the id and the value.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.contains(ID.self)
    type.contains(Value.self)
  }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension AnyHashableSendable: @retroactive LogValue {
  /// Writes the value with its type: `{"type":"SS","value":"a"}`.
  public func encode(to encoder: inout LogEncoder) {
    func write<Value>(_ value: Value) {
      encoder.beginObject()
      encoder.member("type", _mangledTypeName(Value.self) ?? "")
      encoder.member("value", value)
      encoder.endObject()
    }
    write(base)
  }

  /// Reads a value of the type that the log names.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    let members = try decoder.members(of: Self.self)
    defer { members.finish() }
    let name = try members.value("type", String.self)
    guard let type = _typeByName(name) as? any (Hashable & Sendable).Type else {
      throw decoder.error(
        .mismatch(expected: "the name of a type of this build", found: .string(name)),
        type: Self.self
      )
    }
    func read<Value: Hashable & Sendable>(_: Value.Type) throws -> Self {
      Self(try members.value("value", Value.self))
    }
    return try read(type)
  }

  /// Replaces one value by another.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    if old != new { patch.replace(with: new) }
  }

  /// Reports no contained types.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}
