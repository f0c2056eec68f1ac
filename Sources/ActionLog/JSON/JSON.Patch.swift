extension JSON {
  /// A JSON Patch (RFC 6902): a list of operations that turn one value into another.
  ///
  /// ```swift
  /// var state: JSON = ["count": 1]
  /// let patch = JSON.Patch(from: state, to: ["count": 2])
  /// patch.json              // [{"op":"replace","path":"/count","value":2}]
  /// patch.operations.count  // 1
  /// patch.isEmpty           // false
  /// try patch.apply(to: &state)
  /// ```
  public struct Patch: Hashable, Sendable {
    /// The operations, in the order in which they are applied.
    public var operations: [Operation]

    /// Creates a patch from operations in the order in which they are applied.
    public init(_ operations: [Operation] = []) { self.operations = operations }

    /// Whether the patch has no operations.
    public var isEmpty: Bool { operations.isEmpty }
  }
}

extension JSON.Patch {
  /// One operation of a patch (RFC 6902, section 4), or a splice.
  ///
  /// ```swift
  /// let operation = JSON.Patch.Operation.add(JSON.Pointer(["todos", "-"]), ["title": "Milk"])
  /// JSON.Patch([operation]).json  // [{"op":"add","path":"/todos/-","value":{"title":"Milk"}}]
  /// ```
  public enum Operation: Hashable, Sendable {
    /// Adds a member, or inserts an element before the index at the path's end.
    ///
    /// The token `-` appends an element to an array.
    case add(JSON.Pointer, JSON)
    /// Removes the existing value at the path.
    case remove(JSON.Pointer)
    /// Replaces the existing value at the path.
    case replace(JSON.Pointer, JSON)
    /// Moves the value from one path to another.
    case move(from: JSON.Pointer, to: JSON.Pointer)
    /// Copies the value from one path to another.
    case copy(from: JSON.Pointer, to: JSON.Pointer)
    /// Fails unless the value at the path equals the given value.
    case test(JSON.Pointer, JSON)
    /// Changes part of the string at the path.
    ///
    /// RFC 6902 doesn't define this operation. It is an extension of the log format.
    case splice(JSON.Pointer, Splice)
  }
}

extension JSON.Patch.Operation {
  /// The path to which the operation writes, or whose value it tests.
  public var path: JSON.Pointer {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path),
      .copy(_, let path), .test(let path, _), .splice(let path, _):
      path
    }
  }

  /// The value that the operation writes or tests, or `nil` for other operations.
  package var value: JSON? {
    switch self {
    case .add(_, let value), .replace(_, let value), .test(_, let value): value
    case .remove, .move, .copy, .splice: nil
    }
  }

  /// All paths in the operation, including the source path of `move` and `copy`.
  package var paths: [JSON.Pointer] {
    switch self {
    case .move(let from, let path), .copy(let from, let path): [from, path]
    case .add, .remove, .replace, .test, .splice: [path]
    }
  }

  /// Whether the operation is a splice, which RFC 6902 doesn't define.
  package var isSplice: Bool { if case .splice = self { true } else { false } }

  /// Creates an operation from its JSON form (RFC 6902, section 4).
  ///
  /// Ignores unknown members.
  ///
  /// - Throws: A `JSON.Patch.SyntaxError` that contains the invalid operation.
  init(json: JSON) throws(JSON.Patch.SyntaxError) {
    guard let object = json.object else { throw .init(found: json, expected: "an object") }
    func pointer(_ name: String) throws(JSON.Patch.SyntaxError) -> JSON.Pointer {
      guard let text = object[name]?.string else {
        throw .init(found: json, expected: "a string in '\(name)'")
      }
      do { return try JSON.Pointer(parsing: text) } catch {
        throw .init(found: json, expected: "a JSON Pointer in '\(name)'")
      }
    }
    func value() throws(JSON.Patch.SyntaxError) -> JSON {
      guard let value = object["value"] else {
        throw .init(found: json, expected: "a member 'value'")
      }
      return value
    }
    func count(_ name: String) throws(JSON.Patch.SyntaxError) -> Int {
      guard let number = object[name]?.number?.int, number >= 0 else {
        throw .init(found: json, expected: "a number of bytes in '\(name)'")
      }
      return number
    }
    guard let name = object["op"]?.string else {
      throw .init(found: json, expected: "a string in 'op'")
    }
    switch name {
    case "add": self = .add(try pointer("path"), try value())
    case "remove": self = .remove(try pointer("path"))
    case "replace": self = .replace(try pointer("path"), try value())
    case "move": self = .move(from: try pointer("from"), to: try pointer("path"))
    case "copy": self = .copy(from: try pointer("from"), to: try pointer("path"))
    case "test": self = .test(try pointer("path"), try value())
    case "splice":
      let path = try pointer("path")
      let (offset, removedCount) = (try count("at"), try count("remove"))
      guard let inserted = object["insert"]?.string else {
        throw .init(found: json, expected: "a string in 'insert'")
      }
      self = .splice(
        path,
        JSON.Patch.Splice(offset: offset, removedCount: removedCount, inserted: inserted)
      )
    default:
      throw .init(
        found: json,
        expected: "an 'op' of add, remove, replace, move, copy, test or splice"
      )
    }
  }

  package var json: JSON {
    switch self {
    case .add(let path, let value):
      ["op": "add", "path": .string(path.description), "value": value]
    case .remove(let path): ["op": "remove", "path": .string(path.description)]
    case .replace(let path, let value):
      ["op": "replace", "path": .string(path.description), "value": value]
    case .move(let from, let path):
      ["op": "move", "from": .string(from.description), "path": .string(path.description)]
    case .copy(let from, let path):
      ["op": "copy", "from": .string(from.description), "path": .string(path.description)]
    case .test(let path, let value):
      ["op": "test", "path": .string(path.description), "value": value]
    case .splice(let path, let splice):
      [
        "op": "splice", "path": .string(path.description),
        "at": .number(JSON.Number(splice.offset)),
        "remove": .number(JSON.Number(splice.removedCount)), "insert": .string(splice.inserted),
      ]
    }
  }
}

extension JSON.Patch {
  /// Creates a patch from its JSON form, an array of operations.
  ///
  /// - Throws: A `JSON.Patch.SyntaxError` that contains the invalid operation.
  public init(json: JSON) throws(SyntaxError) {
    guard let elements = json.array else { throw .init(found: json, expected: "an array") }
    operations = []
    for element in elements { operations.append(try Operation(json: element)) }
  }

  /// The patch in its JSON form, an array of operations.
  public var json: JSON { .array(operations.map(\.json)) }

  /// An error for a JSON value that is not a patch.
  ///
  /// ```swift
  /// do { _ = try JSON.Patch(json: [["op": "remove"]]) } catch { print(error) }
  /// // {"op":"remove"} is not a JSON Patch operation (RFC 6902): expected a string in 'path'
  /// ```
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value that is not a patch or an operation.
    public let found: JSON
    /// The expected form, as text for people.
    let expected: String
    /// The invalid value and the expected form, as text for people.
    public var description: String {
      "\(found) is not a JSON Patch operation (RFC 6902): expected \(expected)"
    }
  }
}

extension JSON.Patch {
  /// Creates the patch that turns one value into another.
  ///
  /// Compares both values recursively while their kinds agree. In arrays, equal elements at both ends stay. The
  /// elements between them are paired in order, and surplus elements are inserted or removed. An array, or an object
  /// whose members were added or removed, is replaced if that makes the patch shorter.
  ///
  /// - Parameters:
  ///   - old: The value before the patch.
  ///   - new: The value after the patch.
  ///   - splices: Whether partial changes of long strings become splices, which RFC 6902 doesn't define.
  public init(from old: JSON, to new: JSON, splices: Bool = false) {
    self.init(from: old, to: new, PatchOptions(splices: splices, prefix: 0))
  }

  /// The options that determine the form of a patch.
  struct PatchOptions {
    /// Whether partial changes of long strings become splices.
    let splices: Bool
    /// The number of bytes that precede each path when the patch becomes part of another one.
    let prefix: Int
  }

  init(from old: JSON, to new: JSON, _ form: PatchOptions) {
    self.init()
    append(from: old, to: new, at: JSON.Pointer(), form)
  }

  private mutating func append(
    from old: JSON,
    to new: JSON,
    at path: JSON.Pointer,
    _ form: PatchOptions
  ) {
    switch (old, new) {
    // The log doesn't contain the content of an opaque value, so the value is replaced as one.
    case _ where old.opaqueType != nil || new.opaqueType != nil:
      if old != new { operations.append(.replace(path, new)) }
    case (.object(let old), .object(let members)):
      let start = operations.count
      var areSame = old.count == members.count
      for (key, value) in old {
        if let changed = members[key] {
          append(from: value, to: changed, at: path.appending(key), form)
        } else {
          areSame = false
          operations.append(.remove(path.appending(key)))
        }
      }
      for (key, value) in members where old.slot(of: key) == nil {
        operations.append(.add(path.appending(key), value))
      }
      if !areSame { shorten(from: start, to: new, at: path, form) }
    case (.array(let old), .array(let elements)):
      let start = operations.count
      append(from: old, to: elements, at: path, form)
      shorten(from: start, to: new, at: path, form)
    case (.string(let old), .string(let text)) where form.splices:
      guard !old.hasSameBytes(as: text) else { return }
      operations.append(
        Splice(from: old, to: text).map { .splice(path, $0) } ?? .replace(path, new)
      )
    default:
      if old != new { operations.append(.replace(path, new)) }
    }
  }

  /// Replaces the operations for a value with a single `replace`, if that is shorter.
  private mutating func shorten(
    from start: Int,
    to new: JSON,
    at path: JSON.Pointer,
    _ form: PatchOptions
  ) {
    guard operations.count > start + 1 else { return }
    func length(of operations: some Sequence<Operation>) -> Int {
      operations.reduce(0) { $0 + $1.json.bytes.count + 1 + form.prefix }
    }
    let replacement = Operation.replace(path, new)
    if length(of: [replacement]) < length(of: operations[start...]) {
      operations.replaceSubrange(start..., with: [replacement])
    }
  }

  private mutating func append(
    from old: [JSON],
    to new: [JSON],
    at path: JSON.Pointer,
    _ form: PatchOptions
  ) {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let paired = shorter - start - end
    for index in start..<start + paired {
      append(from: old[index], to: new[index], at: path.appending(String(index)), form)
    }
    // Elements are removed from the end, so that no removal shifts the index of another one.
    for index in (start + paired..<old.count - end).reversed() {
      operations.append(.remove(path.appending(String(index))))
    }
    for index in start + paired..<new.count - end {
      operations.append(.add(path.appending(String(index)), new[index]))
    }
  }
}
