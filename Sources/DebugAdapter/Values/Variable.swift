import ActionLog

/// A line of the client's view of values: a name, a value, and what is below it.
struct Variable {
  var name: String
  var value: String
  /// What `evaluate` gives the value for; `nil` for what has no name of its own.
  var evaluateName: String?
  /// The place in the state, which can be watched; `nil` for anything else.
  var place: String?
  var children: Children?
  /// The words of the debugger that change it, without `=` and the value; `nil` for what cannot be changed.
  var edit: String?
  /// Whether the action has changed the value, or a part of it.
  var isChanged = false

  /// The children of a variable.
  enum Children {
    /// The parts of a value.
    case parts(ValuePart)
    /// Some of its elements, for clients that ask for all children at once.
    case elements(ValuePart, Range<Int>)
    case list([Variable])
  }
}

/// A part of a value that a client looks at, and how it is called.
///
/// The wrappers that the notation leaves out are left out here: what is below `destination` are the members of the presented
/// feature, called `add.name`.
struct ValuePart {
  /// The whole: a state, an action, the answer of a read.
  let whole: Whole
  let pointer: JSON.Pointer
  let value: JSON

  /// A whole value.
  final class Whole {
    let root: JSON
    /// What comes before a place in it when it is evaluated; `nil` for what cannot be evaluated.
    let prefix: String?
    /// What comes before a place in it when it is watched; `nil` for what cannot be watched.
    let watchedPrefix: String?
    /// The places that the action has changed.
    let changed: [JSON.Pointer]
    /// The words of the debugger that change a place in it, without the place; `nil` for what cannot be changed.
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

    /// Whether a place, a part of it or a value around it was changed.
    func isChanged(_ pointer: JSON.Pointer) -> Bool {
      changed.contains { other in
        zip(other.tokens, pointer.tokens).allSatisfy { $0.hasSameBytes(as: $1) }
      }
    }
  }

  /// A whole value.
  init(_ whole: Whole) {
    self.init(whole: whole, pointer: JSON.Pointer(), value: whole.root)
  }

  private init(whole: Whole, pointer: JSON.Pointer, value: JSON) {
    (self.whole, self.pointer, self.value) = (whole, pointer, value)
  }

  /// A part of a whole value; `nil` where there is nothing.
  init?(_ whole: Whole, at pointer: JSON.Pointer) {
    guard let value = whole.root[pointer] else { return nil }
    self.init(whole: whole, pointer: pointer, value: value)
  }
}

extension ValuePart {
  /// The part in which the children are: of a case with a payload, that payload.
  private var unwrapped: ValuePart {
    var part = self
    while true {
      // A payload that has no parts is a child itself.
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

  /// How many children it has, and whether they are elements, which have numbers.
  var count: (named: Int, indexed: Int) {
    switch unwrapped.value {
    case .array(let elements): (0, elements.count)
    case .object(let object) where !object.keys.contains { $0.isTag }: (object.count, 0)
    default: (0, 0)
    }
  }

  /// The children in a range.
  func children(_ range: Range<Int>, _ notation: Notation) -> [Variable] {
    let parent = unwrapped
    // A case without a payload has nothing to show.
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

  /// The part as a line.
  ///
  /// - Parameters:
  ///   - own: The place of the part in which it is shown.
  ///   - notation: How values are written.
  /// - Returns: The line.
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

  /// `before` and `count` make `before.count`, `rows` and `[0]` make `rows[0]`.
  private static func pathText(_ place: String, after prefix: String) -> String {
    prefix.isEmpty || place.isEmpty || place.hasPrefix("[") ? prefix + place : "\(prefix).\(place)"
  }

  /// What is below it; `nil` when nothing is.
  var children: Variable.Children? { count == (0, 0) ? nil : .parts(self) }
}

extension String {
  fileprivate var isTag: Bool { hasPrefix("$") && !hasPrefix("$$") }
}
