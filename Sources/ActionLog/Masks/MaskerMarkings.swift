/// Marks in encoded values, which give a masker information that plain JSON doesn't contain.
///
/// Marks distinguish names that are data, strings that come from the app's code, and values that a binding assigns to a
/// masked property. Marked strings are never written to a log, because `LogMasker` removes the marks.
package final class MaskerMarkings: Sendable {
  private let members: MaskedMembers

  /// Creates markings for masks that apply to a state of type `state`.
  package init(_ masks: LogMasks, of state: Any.Type) {
    members = MaskedMembers(masks.state, in: state)
  }

  /// Returns the patterns for the parts of a member, combined from all paths in the state at which `root` occurs.
  fileprivate func patterns(below names: [String], of root: Any.Type) -> [MaskPath] {
    members.patterns(below: names, of: root)
  }
}

extension LogEncoder {
  /// Writes the payload of a `set` action: the names of a property, and its new value.
  ///
  /// - Parameters:
  ///   - value: The property's new value.
  ///   - names: The names on the path to the property, separated by dots.
  ///   - root: The type in which the path starts.
  package mutating func assignment<Value>(of value: Value, to names: String, in root: Any.Type) {
    guard let marks else {
      member("_0", names)
      member("_1", value)
      return
    }
    member("_0", MaskerMark.names.on(names))
    key("_1")
    let patterns = marks.patterns(below: names.split(separator: ".").map(String.init), of: root)
    guard !patterns.isEmpty else { return self.value(value) }
    beginObject()
    key(unescaped: MaskerMark.masked.name)
    self.value(value)
    key(unescaped: "paths")
    self.value(patterns.map(\.description))
    endObject()
  }

  /// Writes the payload of a `set` action for a property that has no name in the log.
  ///
  /// - Parameters:
  ///   - value: The property's new value. Omitted if the encoder has markings, because a mask could cover the property.
  ///   - keyPath: The key path of the property.
  package mutating func namelessAssignment<Value>(of value: Value, to keyPath: AnyKeyPath) {
    key("_0")
    opaque(type(of: keyPath), because: Wording.namelessVariable)
    key("_1")
    if marks == nil { self.value(value) } else { opaque(Value.self) }
  }

  /// Writes the secret value behind a substitute, if the encoder has markings for a masker.
  mutating func secret<Value>(_ value: Value) {
    guard isMarking else { return }
    key(unescaped: MaskerMark.secret.name)
    self.value(value)
  }
}

extension JSON {
  /// The value without marks, as a log without masks contains it.
  package var unmarked: JSON {
    switch self {
    case .null, .bool, .number: return self
    case .string(let text): return .string(MaskerMark.removed(from: text))
    case .array(let elements): return .array(elements.map(\.unmarked))
    case .object(let object):
      if let marked = object.markedValue { return marked.value.unmarked }
      return .object(
        JSON.Object(
          members: object.lazy.filter { MaskerMark.secret.text(of: $0.key) == nil }.map {
            (key: MaskerMark.removed(from: $0.key), value: $0.value.unmarked)
          }
        )
      )
    }
  }
}

extension JSON.Object {
  /// The value with masked parts that the object wraps, and the patterns for these parts.
  ///
  /// `nil` if the object isn't marked as such a wrapper.
  var markedValue: (value: JSON, paths: [MaskPath])? {
    guard count == 2, MaskerMark.masked.text(of: keys[0]) != nil else { return nil }
    return (values[0], (values[1].array ?? []).compactMap(\.string).map { MaskPath($0) })
  }
}
