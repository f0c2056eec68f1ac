// Only the adapter can make types of the library loggable.
// swift-format-ignore-file: AvoidRetroactiveConformances

public import ActionLog
public import ComposableArchitecture
internal import Foundation

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
  /// Writes a string, an integer or a Boolean value as such, and other values with their types:
  /// `{"type":"UUID","value":"6F0C…"}`.
  public func encode(to encoder: inout LogEncoder) {
    func write<Value>(_ value: Value) {
      guard Self.plainTypes.allSatisfy({ $0 != Value.self }) else { return encoder.value(value) }
      encoder.beginObject()
      encoder.member("type", Self.name(of: Value.self))
      encoder.member("value", value)
      encoder.endObject()
    }
    write(base)
  }

  /// The types of values that are known by their JSON.
  private static var plainTypes: [any (Hashable & Sendable).Type] {
    [String.self, Int.self, Bool.self]
  }

  /// The types that a log names as Swift does.
  ///
  /// All others have their mangled names, by which they are found.
  private static var namedTypes: [any (Hashable & Sendable).Type] {
    [UUID.self, Date.self, URL.self, Double.self, Int64.self, UInt.self]
  }

  private static func name(of type: Any.Type) -> String {
    namedTypes.contains { $0 == type } ? "\(type)" : _mangledTypeName(type) ?? ""
  }

  /// Reads a value of the type that the log names.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    switch decoder.json {
    case .string: return Self(try decoder.value(String.self))
    case .number: return Self(try decoder.value(Int.self))
    case .bool: return Self(try decoder.value(Bool.self))
    default: break
    }
    let members = try decoder.members(of: Self.self)
    defer { members.finish() }
    let name = try members.value("type", String.self)
    let known = namedTypes.first { "\($0)" == name }
    guard let type = known ?? _typeByName(name) as? any (Hashable & Sendable).Type else {
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
