public import ActionLog
public import ComposableArchitecture
import Synchronization

/// An enum that is logged through its case paths.
///
/// Use it for the `State` and `Action` of a `@Reducer enum`, to which no attribute can be attached.
///
/// ```swift
/// extension Path.State: LogCases {}
/// extension Path.Action: LogCases {}
/// ```
///
/// Payloads are written like those of any enum: by their labels, or as `_0`, `_1`. A single one is `_0`.
public protocol LogCases: LogValue, CasePathable
where AllCasePaths: Sequence, AllCasePaths.Element == PartialCaseKeyPath<Self> {}

extension LogCases {
  /// Writes the case and its payload.
  public func encode(to encoder: inout LogEncoder) {
    let (name, payload) = CaseTable.content(of: self)
    encoder.beginObject()
    encoder.key(name)
    encoder.beginObject()
    for (name, value) in CaseTable.parts(of: payload) { encoder.memberOfAnyType(name, value) }
    encoder.endObject()
    encoder.endObject()
  }

  /// Reads the case and its payload.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    let (name, inner) = try decoder.enumCase(of: Self.self)
    let members = try inner.members(of: Self.self)
    defer { members.finish() }
    guard !members.names.isEmpty else {
      for path in allCasePaths {
        if let value = path(()), CaseTable.content(of: value).name == name { return value }
      }
      throw decoder.error(.unknownCase(name), type: Self.self)
    }
    let templatePayload = template.flatMap { template in
      let content = CaseTable.content(of: template)
      return content.name == name ? content.payload : nil
    }
    let payload = PayloadReader(members: members, template: templatePayload)
    if let path = CaseTable.path(named: name, of: Self.self) {
      if let content = try payload.read(CaseTable.payloadType(of: path)),
        let value = path(content)
      {
        return value
      }
      throw decoder.error(.notDecodable, type: Self.self)
    }
    // The name of a case is known once there is a value of it.
    var failure: (any Error)?
    for (position, path) in allCasePaths.enumerated() {
      do {
        guard let content = try payload.read(CaseTable.payloadType(of: path)),
          let value = path(content)
        else { continue }
        let found = CaseTable.content(of: value).name
        CaseTable.note(position, of: Self.self, named: found)
        if found == name { return value }
      } catch {
        // The matching case decodes the largest part of the payload.
        if failure == nil || CaseTable.depth(of: error) > CaseTable.depth(of: failure) {
          failure = error
        }
      }
    }
    throw failure ?? decoder.error(.unknownCase(name), type: Self.self)
  }

  /// Compares the payloads directly if the cases are equal.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    let (before, after) = (CaseTable.content(of: old), CaseTable.content(of: new))
    guard before.name == after.name else { return patch.replace(with: new) }
    let parts = zip(CaseTable.parts(of: before.payload), CaseTable.parts(of: after.payload))
    guard after.payload != nil else { return }
    patch.nested(after.name) { patch in
      for (old, new) in parts { patch.memberOfAnyType(new.name, old.value, new.value) }
    }
  }

  /// Reports the types of the payloads.
  public static func survey(_ type: inout LogTypeSurvey) {
    for path in allCasePaths {
      guard let payload = CaseTable.payloadType(of: path) else { continue }
      if let tuple = TupleType(payload) {
        for element in tuple.elements { type.containsAnyType(element.type) }
      } else {
        type.containsAnyType(payload)
      }
    }
  }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

/// Reads the payload of a case whose type is known only at run time.
private struct PayloadReader {
  let members: LogDecoder.Members
  let template: Any?

  func read(_ type: Any.Type?) throws -> Any? {
    guard let type else { return nil }
    guard let tuple = TupleType(type) else { return try read("_0", type, over: template) }
    let templates = template.flatMap { TupleType.elements(of: $0) } ?? []
    return try tuple.make(type) { element in
      try read(element.name, element.type, over: templates.first { $0.name == element.name }?.value)
    }
  }

  private func read(_ name: String, _ type: Any.Type, over template: Any?) throws -> Any {
    func open<Payload>(_: Payload.Type) throws -> Any {
      try members.value(name, Payload.self, over: template as? Payload)
    }
    return try _openExistential(type, do: open)
  }
}

extension LogEncoder {
  fileprivate mutating func memberOfAnyType(_ name: String, _ value: Any) {
    func open<Value>(_ value: Value) { member(name, value) }
    _openExistential(value, do: open)
  }
}

extension PatchBuilder {
  fileprivate mutating func memberOfAnyType(_ name: String, _ old: Any, _ new: Any) {
    func open<Value>(_ new: Value) {
      if let old = old as? Value { member(name, old, new) }
    }
    _openExistential(new, do: open)
  }
}

extension LogTypeSurvey {
  fileprivate mutating func containsAnyType(_ type: Any.Type) {
    func open<Value>(_: Value.Type) { contains(Value.self) }
    _openExistential(type, do: open)
  }
}

/// The known cases of enums.
private enum CaseTable {
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let name: String
  }

  /// The positions of the cases by type, because key paths are not known to be `Sendable`.
  private static let positions = Mutex<[Key: Int]>([:])

  static func content(of value: some Any) -> (name: String, payload: Any?) {
    guard let child = Mirror(reflecting: value).children.first, let label = child.label else {
      return ("\(value)", nil)
    }
    return (label, child.value)
  }

  /// Returns the values of a payload by their names in the log.
  static func parts(of payload: Any?) -> [(name: String, value: Any)] {
    guard let payload else { return [] }
    return TupleType.elements(of: payload) ?? [("_0", payload)]
  }

  /// Returns the depth at which a value could not be read.
  static func depth(of error: (any Error)?) -> Int {
    (error as? LogDecodingError)?.path.tokens.count ?? 0
  }

  static func path<Enum: LogCases>(
    named name: String,
    of type: Enum.Type
  ) -> PartialCaseKeyPath<Enum>? {
    let key = Key(type: ObjectIdentifier(type), name: name)
    guard let position = positions.withLock({ $0[key] }) else { return nil }
    return type.allCasePaths.dropFirst(position).first { _ in true }
  }

  static func note<Enum>(_ position: Int, of type: Enum.Type, named name: String) {
    let key = Key(type: ObjectIdentifier(type), name: name)
    positions.withLock { $0[key] = position }
  }

  /// Returns the type of a case's payload.
  static func payloadType<Enum>(of path: PartialCaseKeyPath<Enum>) -> Any.Type? {
    (type(of: path).valueType as? any PayloadCase.Type)?.payload
  }
}

private protocol PayloadCase { static var payload: Any.Type { get } }

extension Case: PayloadCase { fileprivate static var payload: Any.Type { Value.self } }
