/// A writer for JSON values in Swift notation.
///
/// Parts that don't fit into the available columns are omitted without being formatted.
struct NotationWriter {
  var output: NotationOutput
  let notation: Notation

  init(_ notation: Notation, appendingTo bytes: [UInt8] = []) {
    self.notation = notation
    output = NotationOutput(appendingTo: bytes)
  }

  /// Returns the number of free columns before the column `end`.
  func room(_ end: Int) -> Int { end - output.column }
}

// MARK: - Actions

extension NotationWriter {
  typealias Case = (name: JSONView.MemberName, payload: JSONView)

  /// The minimum number of columns for the names of an action's cases, even if the limit for values is lower.
  ///
  /// The last case is the most informative part of an action.
  private static let leastPath = 60

  mutating func action(_ view: JSONView) {
    let end = output.column + notation.limits.value
    let pathEnd = output.column + max(notation.limits.value, Self.leastPath)
    guard let root = Self.enumCase(view) else { return value(view, .line(end: end)) }
    var isInBinding = false
    var current = root
    while true {
      guard room(pathEnd) > 0 else { return output.putEllipsis() }
      append(".")
      append(name: current.name)
      if isInBinding, binding(current, end) { return }
      let step = Self.child(of: current)
      guard let child = step.child else { return arguments(current.payload, .line(end: end)) }
      if let id = step.id {
        append("[")
        value(id, .line(end: max(end, output.column + Self.leastRoom)))
        append("]")
      }
      isInBinding = current.name.is("binding")
      current = child
    }
  }

  /// Writes the names of an action's cases, without arguments.
  mutating func casePath(_ view: JSONView) {
    guard var current = Self.enumCase(view) else { return value(view) }
    while true {
      append(".")
      append(name: current.name)
      let step = Self.child(of: current)
      if step.id != nil { append("[]") }
      guard let child = step.child else { return }
      current = child
    }
  }

  /// Returns the enum case that a value has the form of: a single name with an object as its payload.
  static func enumCase(_ view: JSONView) -> Case? {
    guard let only = view.onlyMember, case .object = only.value.kind, only.name.isLabel else {
      return nil
    }
    return (only.name, only.value)
  }

  /// Returns the enum case that a value has the form of, unless the value is more likely a structure with one member.
  ///
  /// A structure whose member is a case is more frequent than a labeled case whose payload is a case without arguments
  /// or a structure with one member.
  private static func valueCase(_ view: JSONView) -> Case? {
    guard let enumCase = enumCase(view) else { return nil }
    // A payload whose name is a position is an argument.
    guard let inner = Self.enumCase(enumCase.payload), inner.name.place == nil else {
      return enumCase
    }
    return nil
  }

  /// Returns the child's action inside an action, and the child's id if the child is an element.
  ///
  /// Skips `PresentationAction.presented`. A `Result` is an argument, not a child's action.
  private static func child(of parent: Case) -> (child: Case?, id: JSONView?) {
    guard let payload = parent.payload.only("_0"), let inner = enumCase(payload), !isResult(inner)
    else { return (nil, nil) }
    if let presented = presented(inner) { return (presented, nil) }
    if let (id, child) = element(inner) { return (child, id) }
    return (inner, nil)
  }

  /// Returns the child's action in `PresentationAction.presented`.
  ///
  /// Returns `nil` if the notation would be ambiguous without `presented`.
  private static func presented(_ inner: Case) -> Case? {
    guard inner.name.is("presented"), let payload = inner.payload.only("_0"),
      let child = enumCase(payload), !isResult(child), !child.name.is("dismiss"),
      !child.name.is("presented"), element(child) == nil
    else { return nil }
    return child
  }

  /// Returns the id and the action in a `StackAction.element` or an `IdentifiedAction.element`.
  private static func element(_ inner: Case) -> (JSONView, Case)? {
    guard inner.name.is("element"), let (id, action) = inner.payload.both("id", "action"),
      let child = enumCase(action)
    else { return nil }
    return (id, child)
  }

  private static func isResult(_ inner: Case) -> Bool {
    if inner.name.is("success"), inner.payload.isEmptyObject { return true }
    return (inner.name.is("success") || inner.name.is("failure")) && inner.payload.only("_0") != nil
  }

  /// Writes the arguments of `BindingAction.set`, of which the first one names a property.
  ///
  /// - Returns: `false` if the case isn't such a binding.
  private mutating func binding(_ inner: Case, _ end: Int) -> Bool {
    guard inner.name.is("set"), let (property, new) = inner.payload.both("_0", "_1"),
      let path = property.string(upTo: 1000), path.isPropertyPath
    else { return false }
    append("(\\.")
    output.append(visible: path)
    append(", ")
    value(new, .line(end: end - 1))
    append(")")
    return true
  }
}

// MARK: - Values

extension NotationWriter {
  /// The minimum number of columns in which the start of a value can be written.
  private static let leastRoom = 6

  /// The layout of a value.
  enum Layout {
    /// On a single line, up to the column `end`.
    case line(end: Int)
    /// With one line for each member or element, unless the value fits on one line.
    case lines(indent: Int)

    /// The layout for the parts of a value, which leaves room for the closing bracket.
    fileprivate var inside: Layout {
      switch self {
      case .line(let end): .line(end: end - 1)
      case .lines: self
      }
    }
  }

  mutating func value(_ view: JSONView) {
    value(view, .line(end: output.column + notation.limits.value))
  }

  /// Writes a value with one line for each member or element, unless the value fits on one line.
  mutating func lines(_ view: JSONView) { value(view, .lines(indent: 0)) }

  mutating func value(_ view: JSONView, _ layout: Layout) {
    let end: Int
    switch layout {
    case .line(let last): end = last
    case .lines(let indent):
      var line = NotationWriter(notation)
      line.value(view, .line(end: Self.lineLength - indent))
      guard line.output.isCut else { return output.append(line.output) }
      end = output.column + notation.limits.value
    }
    switch view.kind {
    case .null: append("nil")
    case .bool(let value): value ? append("true") : append("false")
    case .number: number(view.literal, end)
    case .string: string(view, end)
    case .array:
      guard room(end) >= Self.leastRoom else { return output.putEllipsis() }
      append("[")
      parts(LabeledElements(view.elements), layout.inside)
      append("]")
    case .object:
      guard room(end) >= Self.leastRoom else { return output.putEllipsis() }
      object(view, layout, end)
    }
  }

  /// The maximum width of a value that `lines(_:)` writes on one line, in columns and with indentation.
  private static let lineLength = 80

  mutating func number(_ literal: String, _ end: Int) {
    guard literal.utf8.count > max(room(end), 40) else { return output.append(ascii: literal) }
    output.append(ascii: String(literal.prefix(20)))
    output.putEllipsis(and: "\(literal.suffix(8)) (\(literal.utf8.count) digits)")
  }

  private mutating func object(_ view: JSONView, _ layout: Layout, _ end: Int) {
    if let (id, element) = view.both("id", "element"), case .number = id.kind {
      append("#")
      value(id, .line(end: end))
      append(": ")
      return value(element, layout)
    }
    if let enumCase = Self.valueCase(view) {
      append(".")
      append(name: enumCase.name)
      return arguments(enumCase.payload, layout)
    }
    if tagged(view, end) { return }
    if view.only("indexes") != nil, let indexes = view.json.indexSet {
      append("[")
      parts(LabeledElements(JSONView(.array(indexes)).elements), layout.inside)
      return append("]")
    }
    var members = view.members
    guard let first = members.next() else { return append("()") }
    // Dictionaries whose keys are all valid labels are rare.
    let isDictionary = !first.name.isLabel
    isDictionary ? append("[") : append("(")
    parts(LabeledElements(view.members, labelsPlaces: isDictionary), layout.inside)
    isDictionary ? append("]") : append(")")
  }

  /// Writes the payload of a case in parentheses.
  mutating func arguments(_ payload: JSONView, _ layout: Layout) {
    guard !payload.isEmptyObject else { return }
    append("(")
    if case .lines = layout, let only = payload.only("_0") {
      value(only, layout)
    } else {
      parts(LabeledElements(payload.members, labelsPlaces: false), layout.inside)
    }
    append(")")
  }
}

// MARK: - Elements and members

extension NotationWriter {
  /// The elements of an array, or the members of an object with their labels.
  private struct LabeledElements {
    private enum ElementIterator {
      case elements(JSONView.Elements)
      case members(JSONView.Members)
    }

    private var rest: ElementIterator
    private let labelsPlaces: Bool
    private var place = 0

    init(_ elements: JSONView.Elements) {
      rest = .elements(elements)
      labelsPlaces = false
    }

    /// Creates the parts of an object.
    ///
    /// - Parameters:
    ///   - members: An iterator over the object's members.
    ///   - labelsPlaces: Whether a member that is named by position, such as `_1`, keeps its name as a label.
    init(_ members: JSONView.Members, labelsPlaces: Bool) {
      rest = .members(members)
      self.labelsPlaces = labelsPlaces
    }

    mutating func next() -> (label: JSONView.MemberName?, value: JSONView)? {
      defer { place += 1 }
      switch rest {
      case .elements(var elements):
        let value = elements.next()
        rest = .elements(elements)
        return value.map { (nil, $0) }
      case .members(var members):
        let member = members.next()
        rest = .members(members)
        return member.map { ($0.name.place == place && !labelsPlaces ? nil : $0.name, $0.value) }
      }
    }
  }

  private mutating func parts(_ parts: LabeledElements, _ layout: Layout) {
    switch layout {
    case .line(let end): line(of: parts, end)
    case .lines(let indent): lines(of: parts, indent)
    }
  }

  /// Writes parts on one line, separated by commas.
  ///
  /// If the parts don't fit, writes the first ones and the last one.
  private mutating func line(of parts: LabeledElements, _ end: Int) {
    var rest = parts
    var next = rest.next()
    var isFirst = true
    while var part = next {
      if !isFirst { append(", ") }
      next = rest.next()
      if next != nil, !isFirst, room(end) < Self.roomForRest {
        // All parts before the last one are skipped.
        var passed = 0
        while let following = next {
          passed += 1
          part = following
          next = rest.next()
        }
        output.putEllipsis(and: " \(passed) more ")
        output.putEllipsis(and: ", ")
      }
      append(label: part.label)
      // A part gets two thirds of the free columns, so that later parts fit, too.
      let share = next == nil ? end : output.column + max(room(end) * 2 / 3, Self.leastRoom)
      value(part.value, .line(end: share))
      isFirst = false
    }
  }

  /// The number of columns in which the number of omitted parts and the last part can be written.
  private static let roomForRest = 28

  /// Writes each part on its own line.
  private mutating func lines(of parts: LabeledElements, _ indent: Int) {
    var rest = parts
    var isFirst = true
    while let part = rest.next() {
      isFirst ? append("\n") : append(",\n")
      for _ in 0..<indent + 2 { append(" ") }
      append(label: part.label)
      value(part.value, .lines(indent: indent + 2))
      isFirst = false
    }
    append("\n")
    for _ in 0..<indent { append(" ") }
  }
}
