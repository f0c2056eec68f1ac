/// What makes one value of a child's state another child than the next: the case of an enum, and the
/// id of an identifiable value or payload.
struct ChildIdentity: Hashable, Sendable {
  let caseName: String?
  /// Not every id is `Sendable`, but it is a value that is only compared and described here.
  nonisolated(unsafe) private let id: AnyHashable?
  /// Whether the id is made up anew in every process, so that no log may hold it.
  private let isPassing: Bool

  /// Reads the identity of a value, nil when all values of its type are the same child.
  init?<Value>(of value: Value) {
    var payload: Any = value
    if let name = enumCase(of: value) {
      caseName = name.label
      payload = name.payload ?? value
    } else {
      caseName = nil
    }
    id = Self.id(of: value) ?? (caseName == nil ? nil : Self.id(of: payload))
    isPassing = payload is any _EphemeralState
    if caseName == nil && id == nil { return nil }
  }

  private static func id(of value: Any) -> AnyHashable? {
    func id<Child: Identifiable>(_ child: Child) -> AnyHashable { AnyHashable(child.id) }
    return (value as? any Identifiable).map { id($0) }
  }
}

extension ChildIdentity: LogValue {
  /// Writes the id, or an object that names the case.
  func encode(to encoder: inout LogEncoder) {
    let id = isPassing ? nil : id?.base
    guard let caseName else { return encoder.value(id) }
    encoder.beginObject()
    encoder.member("case", caseName)
    if let id { encoder.member("id", id) }
    encoder.endObject()
  }

  /// Identities are read from states, never from a log.
  static func decode(from decoder: LogDecoder, over _: ChildIdentity?) throws -> ChildIdentity {
    throw decoder.error(.notDecodable, type: Self.self)
  }
}

/// The case that an enum stands in and what it holds, as far as reflection tells; nil for all else.
func enumCase(of value: Any) -> (label: String, payload: Any?)? {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum else { return nil }
  guard let child = mirror.children.first else { return (DumpText.caseName(of: value), nil) }
  return child.label.map { ($0, child.value) }
}
