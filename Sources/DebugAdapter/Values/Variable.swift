import ActionLog

/// A line in the client's variables view: a name, a value, and children.
struct Variable {
  var name: String
  var value: String
  /// The expression that evaluates to the value, or `nil` if there is none.
  var evaluateName: String?
  /// The path of the value in the state, which can be watched, or `nil` if the value is not in the state.
  var place: String?
  var children: Children?
  /// The debugger command that changes the value, without `=` and the new value, or `nil` if the value can't be
  /// changed.
  var edit: String?
  /// Whether the action has changed the value or a part of it.
  var isChanged = false

  /// The children of a variable.
  enum Children {
    /// The parts of a value.
    case parts(ValuePart)
    /// A range of elements, for clients that request all children at once.
    case elements(ValuePart, Range<Int>)
    case list([Variable])
  }
}

/// A part of a value in the client's view, with its expression.
///
/// Wrappers that the notation omits are skipped: the children of `destination` are the members of the presented
/// feature, with expressions such as `add.name`.
struct ValuePart {
  /// The complete value: a state, an action, or the result of a read.
  let whole: FullValue
  let pointer: JSON.Pointer
  let value: JSON

  /// A value that is not a part of another one, such as a state or an action.
  final class FullValue {
    let root: JSON
    /// The prefix of a path in an expression, or `nil` if the value can't be evaluated.
    let prefix: String?
    /// The prefix of a path in a watchpoint, or `nil` if the value can't be watched.
    let watchedPrefix: String?
    /// The paths that the action has changed.
    let changed: [JSON.Pointer]
    /// The debugger command that changes a path, without the path, or `nil` if the value can't be changed.
    let edit: String?

    init(
      _ root: JSON,
      prefix: String?,
      watchedPrefix: String? = nil,
      changed: [JSON.Pointer] = [],
      edit: String? = nil
    ) {
      (self.root, self.prefix, self.watchedPrefix) = (root, prefix, watchedPrefix)
      (self.changed, self.edit) = (changed, edit)
    }

    /// Returns whether the value at a path, a part of it, or an enclosing value was changed.
    func isChanged(_ pointer: JSON.Pointer) -> Bool {
      changed.contains { other in
        zip(other.tokens, pointer.tokens).allSatisfy { $0.hasSameBytes(as: $1) }
      }
    }
  }

  /// Creates the part that is the complete value.
  init(_ whole: FullValue) {
    self.init(whole: whole, pointer: JSON.Pointer(), value: whole.root)
  }

  private init(whole: FullValue, pointer: JSON.Pointer, value: JSON) {
    (self.whole, self.pointer, self.value) = (whole, pointer, value)
  }

  /// Creates a part of a complete value, or returns `nil` if there is no value at the path.
  init?(_ whole: FullValue, at pointer: JSON.Pointer) {
    guard let value = whole.root[pointer] else { return nil }
    self.init(whole: whole, pointer: pointer, value: value)
  }
}

extension ValuePart {
  /// The part that contains the children, which is the payload of an enum case.
  private var unwrapped: ValuePart {
    var part = self
    while true {
      // A payload without parts is a child itself.
      if let wrapper = part.value.wrapper,
        wrapper.value.object != nil || wrapper.value.array != nil
      {
        part = ValuePart(
          whole: whole,
          pointer: JSON.Pointer(part.pointer.tokens + wrapper.tokens),
          value: wrapper.value
        )
      } else if let object = part.value.object, object.count == 1,
        let payload = object.values.first,
        case .object(let members) = payload, !members.isEmpty, !object.keys[0].hasPrefix("$")
      {
        part = ValuePart(
          whole: whole,
          pointer: part.pointer.appending(object.keys[0]),
          value: payload
        )
      } else {
        return part
      }
    }
  }

  /// The number of named children, and the number of indexed children, which are elements of an array.
  var count: (named: Int, indexed: Int) {
    switch unwrapped.value {
    case .array(let elements): (0, elements.count)
    case .object(let object) where !object.keys.contains { $0.isTag }: (object.count, 0)
    default: (0, 0)
    }
  }

  /// Returns the children in a range.
  func children(_ range: Range<Int>, _ notation: Notation) -> [Variable] {
    let parent = unwrapped
    // A case without a payload has no children.
    guard count != (0, 0) else { return [] }
    let own = notation.pathText(pointer, in: whole.root)
    switch parent.value {
    case .array(let elements):
      return range.clamped(to: elements.indices).map { index in
        parent.child(String(index), elements[index], below: own, notation)
      }
    case .object(let object):
      let (names, values) = (object.keys, object.values)
      return range.clamped(to: names.indices).map { index in
        parent.child(names[index], values[index], below: own, notation)
      }
    default: return []
    }
  }

  private func child(
    _ token: String,
    _ value: JSON,
    below own: String,
    _ notation: Notation
  ) -> Variable {
    let part = ValuePart(whole: whole, pointer: pointer.appending(token), value: value)
    return part.variable(below: own, notation)
  }

  /// Returns the part as a line of the variables view.
  ///
  /// - Parameters:
  ///   - own: The path of the part that contains this one.
  ///   - notation: The notation in which the value is formatted.
  /// - Returns: The line, with the children of the part.
  func variable(below own: String = "", _ notation: Notation) -> Variable {
    let place = notation.pathText(pointer, in: whole.root)
    var name = place
    if !own.isEmpty, place.hasPrefix(own), place.count > own.count {
      name = String(place.dropFirst(own.count))
      if name.hasPrefix(".") { name.removeFirst() }
    }
    return Variable(
      name: name,
      value: notation.value(value),
      evaluateName: whole.prefix.map { Self.pathText(place, after: $0) },
      place: whole.watchedPrefix.map { Self.pathText(place, after: $0) },
      children: children,
      edit: whole.edit.map { "\($0) \(place)" },
      isChanged: whole.isChanged(pointer)
    )
  }

  /// Joins two paths: `before` and `count` to `before.count`, and `rows` and `[0]` to `rows[0]`.
  private static func pathText(_ place: String, after prefix: String) -> String {
    prefix.isEmpty || place.isEmpty || place.hasPrefix("[") ? prefix + place : "\(prefix).\(place)"
  }

  /// The children, or `nil` if there are none.
  var children: Variable.Children? { count == (0, 0) ? nil : .parts(self) }
}

extension String {
  fileprivate var isTag: Bool { hasPrefix("$") && !hasPrefix("$$") }
}
