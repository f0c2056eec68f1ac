// Only the adapter can make types of the library loggable.
// swift-format-ignore-file: AvoidRetroactiveConformances

public import ActionLog
public import ComposableArchitecture
import ComposableBindings

extension BindingAction: @retroactive LogValue {
  /// Writes the names on the path to the property, and the value: `{"set":{"_0":"user.name","_1":"Blob"}}`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.writeCase("set") { encoder in
      let keyPath = keyPath as PartialKeyPath<Root>
      func names<Known: LogMembers>(_: Known.Type) -> [String]? {
        (keyPath as? PartialKeyPath<Known>).flatMap { LogMember<Known>.names(of: $0) }
      }
      let names = (Root.self as? any LogMembers.Type).flatMap { names($0) }
      if let names {
        encoder.member("_0", names.joined(separator: "."))
      } else {
        // Without the attribute on the type, the property has no name, and the action cannot be read back.
        RecordingAttachment.noteNamelessBinding(of: Root.self, to: type(of: keyPath).valueType)
        encoder.key("_0")
        encoder.encodeNull()
      }
      encoder.key("_1")
      func write<Value>(_ value: Value) { encoder.value(value) }
      if let value = Mirror(reflecting: self).children.first(where: { $0.label == "value" }) {
        _openExistential(value.value, do: write)
      } else {
        encoder.encodeNull()
      }
    }
  }

  /// Reads a change of the property that the log names.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    let (name, payload) = try decoder.enumCase(of: Self.self)
    guard name == "set" else { throw decoder.error(.unknownCase(name), type: Self.self) }
    let members = try payload.members(of: Self.self)
    defer { members.finish() }
    guard let written = try members.value("_0", String?.self) else {
      throw decoder.error(.refused(Self.missingName), type: Self.self)
    }
    let names = written.split(separator: ".").map(String.init)
    func keyPath<Known: LogMembers>(_: Known.Type) -> PartialKeyPath<Root>? {
      LogMember<Known>.keyPath(named: names) as? PartialKeyPath<Root>
    }
    guard let keyPath = (Root.self as? any LogMembers.Type).flatMap({ keyPath($0) }) else {
      throw decoder.error(
        .mismatch(
          expected: "the name of a variable",
          found: .string(names.joined(separator: "."))
        ),
        type: Root.self
      )
    }
    let action = try erased(keyPath) { type in
      func read<Value>(_: Value.Type) throws -> Any { try members.value("_1", Value.self) }
      return try _openExistential(type, do: read)
    }
    guard let action else { throw decoder.error(.notDecodable, type: Self.self) }
    return action
  }

  private static var missingName: String {
    "its property had no name; add @Loggable to the state and to the types of the properties on the way"
  }
}
