/// What encoders mark in the text for a masker, which cannot tell it from JSON: which names are data, which texts are code, and
/// which values a binding puts into a masked place.
///
/// Marked text is never written; `LogMasker` takes the marks out again.
package final class LogMarkings: Sendable {
  private let members: MaskedMembers

  /// Markings for masks in a state of this type.
  package init(_ masks: LogMasks, of state: Any.Type) {
    members = MaskedMembers(masks.state, in: state)
  }

  /// What is masked of a member of a type, at any of the places in the state where values of the type stand.
  fileprivate func patterns(below names: [String], of root: Any.Type) -> [MaskPath] {
    members.patterns(below: names, of: root)
  }
}

/// A mark at the beginning of a name or a text.
///
/// No value of an app begins with one: marks have 128 random bits, which differ in each process and are in no log.
struct LogMark {
  private let prefix: String

  private init(_ kind: Character) { prefix = Self.start + String(kind) }

  /// A name that is data, such as the key of a dictionary.
  static let data = LogMark("d")
  /// The names of the property that a binding sets.
  static let names = LogMark("n")
  /// The raw value of an enum.
  static let raw = LogMark("r")
  /// The first name of an object around a value of which parts are masked; `paths` are the patterns for it.
  static let masked = LogMark("m")
  /// The first name of an object that stands for a value: the value, which is secret.
  static let secret = LogMark("s")

  /// What all marks begin with: a scalar that Unicode keeps free for private use, so that nearly all texts differ in the first byte.
  private static let start: String = {
    // Swift's generator is the kernel's.
    var generator = SystemRandomNumberGenerator()
    let bits = (0..<2).map { _ in String(generator.next() as UInt64, radix: 36) }
    return "\u{10FFFD}" + bits.joined(separator: ".") + "."
  }()

  private static let first = start.utf8.first

  /// The mark alone.
  var name: String { prefix }

  /// A text with the mark.
  func on(_ text: String) -> String { prefix + text }

  /// The key of a dictionary with the mark; one that begins with `$` gets a second `$`, as names in the log do.
  func on(key: String) -> String { on(key.utf8.first == UInt8(ascii: "$") ? "$" + key : key) }

  /// A text without its mark; `nil` when it does not have this one.
  func text(of text: String) -> String? {
    // Nearly all texts have no mark.
    guard text.utf8.first == Self.first, text.utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  /// A text of code, without its mark; `nil` when the text may be data.
  static func code(of text: String) -> String? { raw.text(of: text) ?? names.text(of: text) }

  /// A text without a mark of data or of code.
  static func removed(from text: String) -> String {
    data.text(of: text) ?? code(of: text) ?? text
  }
}

extension LogEncoder {
  /// Writes the names that lead to a property, and the value that it is set to: the payload of `set`.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - names: The names, with dots between them.
  ///   - root: The type whose property it is.
  package mutating func assignment<Value>(of value: Value, to names: String, in root: Any.Type) {
    guard let marks else {
      member("_0", names)
      member("_1", value)
      return
    }
    member("_0", LogMark.names.on(names))
    key("_1")
    let patterns = marks.patterns(below: names.split(separator: ".").map(String.init), of: root)
    guard !patterns.isEmpty else { return self.value(value) }
    beginObject()
    key(unescaped: LogMark.masked.name)
    self.value(value)
    key(unescaped: "paths")
    self.value(patterns.map(\.description))
    endObject()
  }

  /// Writes that a property is set of which a log has no name: the payload of `set`.
  ///
  /// - Parameters:
  ///   - value: The value, which is left out where there may be a mask for the property.
  ///   - keyPath: The property.
  package mutating func namelessAssignment<Value>(of value: Value, to keyPath: AnyKeyPath) {
    key("_0")
    opaque(type(of: keyPath), because: Wording.namelessVariable)
    key("_1")
    if marks == nil { self.value(value) } else { opaque(Value.self) }
  }

  /// Writes the value that a substitute stands for, where a masker asks for it.
  mutating func secret<Value>(_ value: Value) {
    guard isMarking else { return }
    key(unescaped: LogMark.secret.name)
    self.value(value)
  }
}

extension JSON {
  /// The value that was written with marks, as it stands in a log without masks.
  package var unmarked: JSON {
    switch self {
    case .null, .bool, .number: return self
    case .string(let text): return .string(LogMark.removed(from: text))
    case .array(let elements): return .array(elements.map(\.unmarked))
    case .object(let object):
      if let marked = object.markedValue { return marked.value.unmarked }
      return .object(
        JSON.Object(
          members: object.lazy.filter { LogMark.secret.text(of: $0.key) == nil }.map {
            (key: LogMark.removed(from: $0.key), value: $0.value.unmarked)
          }
        )
      )
    }
  }
}

extension JSON.Object {
  /// The value of which the object only marks that parts are masked, and the patterns for these.
  var markedValue: (value: JSON, paths: [MaskPath])? {
    guard count == 2, LogMark.masked.text(of: keys[0]) != nil else { return nil }
    return (values[0], (values[1].array ?? []).compactMap(\.string).map { MaskPath($0) })
  }
}
