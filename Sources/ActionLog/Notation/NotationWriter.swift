/// Writes JSON in Swift notation, up to a number of columns: what does not fit is passed over, not written and cut.
struct NotationWriter {
  private(set) var output: [UInt8]
  /// The columns that have been written.
  private var column = 0
  /// Whether anything was left out.
  private(set) var isCut = false
  private let notation: Notation

  init(_ notation: Notation, appendingTo output: [UInt8] = []) {
    self.notation = notation
    self.output = output
  }

  var text: String { String(decoding: output, as: UTF8.self) }

  private mutating func put(_ text: StaticString) {
    output.append(literal: text)
    column += text.utf8CodeUnitCount
  }

  private mutating func put(ellipsisAnd text: String) {
    isCut = true
    output.append("…" + text)
    column += 1 + text.utf8.count
  }

  /// Writes text with hidden characters made visible.
  private mutating func put(visible text: String, quote: Unicode.Scalar = "\"") {
    var visible = VisibleText(quote: quote)
    for scalar in text.unicodeScalars { column += visible.append(scalar, to: &output) }
  }

  /// The columns that are left up to an end.
  private func room(_ end: Int) -> Int { end - column }
}

// MARK: - Actions

extension NotationWriter {
  typealias Case = (name: JSONView.Name, payload: JSONView)

  mutating func action(_ view: JSONView) {
    let end = column + notation.limits.value
    guard let root = Self.enumCase(view) else { return value(view, end) }
    var isInBinding = false
    var current = root
    while true {
      guard room(end) > 0 else { return put(ellipsisAnd: "") }
      put(".")
      put(name: current.name)
      if isInBinding, binding(current, end) { return }
      let step = Self.child(of: current)
      guard let child = step.child else { return arguments(current.payload, end) }
      if let id = step.id {
        put("[")
        value(id, max(end, column + Self.leastRoom))
        put("]")
      }
      isInBinding = current.name.is("binding")
      current = child
    }
  }

  /// Writes the names of the cases alone.
  mutating func casePath(_ view: JSONView) {
    guard var current = Self.enumCase(view) else { return value(view) }
    while true {
      put(".")
      put(name: current.name)
      let step = Self.child(of: current)
      if step.id != nil { put("[]") }
      guard let child = step.child else { return }
      current = child
    }
  }

  /// The case that an enum has, if a value has the form of one: a single name with an object.
  static func enumCase(_ view: JSONView) -> Case? {
    guard let only = view.onlyMember, case .object = only.value.kind, only.name.isCaseName else {
      return nil
    }
    return (only.name, only.value)
  }

  /// The case of an enum in a value, where a structure with one member may have the same form.
  ///
  /// A structure with a case in it is more frequent than a case with a label before a case without a payload or a structure with one
  /// member.
  private static func valueCase(_ view: JSONView) -> Case? {
    guard let enumCase = enumCase(view), Self.enumCase(enumCase.payload) == nil else { return nil }
    return enumCase
  }

  /// The action of a child in an action, and its id when it is an element; `PresentationAction` and `Result` are looked at.
  private static func child(of parent: Case) -> (child: Case?, id: JSONView?) {
    guard let payload = parent.payload.only("_0"), let inner = enumCase(payload), !isResult(inner)
    else { return (nil, nil) }
    if let presented = presented(inner) { return (presented, nil) }
    if let (id, child) = element(inner) { return (child, id) }
    return (inner, nil)
  }

  /// The child's action in `PresentationAction.presented`; `nil` where leaving that out would read as something else.
  private static func presented(_ inner: Case) -> Case? {
    guard inner.name.is("presented"), let payload = inner.payload.only("_0"),
      let child = enumCase(payload), !isResult(child), !child.name.is("dismiss"),
      !child.name.is("presented"), element(child) == nil
    else { return nil }
    return child
  }

  /// The id and the action in `StackAction.element` and `IdentifiedAction.element`.
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

  /// Writes the arguments of `BindingAction.set`, whose first one names a property.
  private mutating func binding(_ inner: Case, _ end: Int) -> Bool {
    guard inner.name.is("set"), let (property, new) = inner.payload.both("_0", "_1"),
      let path = property.string(upTo: 1000), path.isPropertyPath
    else { return false }
    put("(\\.")
    put(visible: path)
    put(", ")
    value(new, end - 1)
    put(")")
    return true
  }
}

// MARK: - Values

extension NotationWriter {
  /// Less room is not worth the beginning of a value.
  private static let leastRoom = 6

  mutating func value(_ view: JSONView) { value(view, column + notation.limits.value) }

  private mutating func value(_ view: JSONView, _ end: Int) {
    switch view.kind {
    case .null: put("nil")
    case .bool(let value): value ? put("true") : put("false")
    case .number: number(view.literal, end)
    case .string: string(view, end)
    case .array:
      guard room(end) >= Self.leastRoom else { return put(ellipsisAnd: "") }
      put("[")
      parts(.elements(view.elements), end - 1) { _, _ in nil }
      put("]")
    case .object: object(view, end)
    }
  }

  private mutating func number(_ literal: String, _ end: Int) {
    guard literal.utf8.count > max(room(end), 40) else {
      output.append(literal)
      column += literal.utf8.count
      return
    }
    output.append("\(literal.prefix(20))…\(literal.suffix(8)) (\(literal.utf8.count) digits)")
    column += 45
  }

  private mutating func object(_ view: JSONView, _ end: Int) {
    guard room(end) >= Self.leastRoom else { return put(ellipsisAnd: "") }
    if let (id, element) = view.both("id", "element"), case .number = id.kind {
      put("#")
      value(id, end)
      put(": ")
      return value(element, end)
    }
    if let enumCase = Self.valueCase(view) {
      put(".")
      put(name: enumCase.name)
      return arguments(enumCase.payload, end)
    }
    if tagged(view, end) { return }
    var members = view.members
    guard let first = members.next() else { return put("()") }
    // The keys of a dictionary are seldom all names.
    let isDictionary = !first.name.isLabel
    isDictionary ? put("[") : put("(")
    parts(.members(view.members), end - 1) { name, place in
      name?.place == place && !isDictionary ? nil : name
    }
    isDictionary ? put("]") : put(")")
  }

  /// Writes the payload of a case.
  private mutating func arguments(_ payload: JSONView, _ end: Int) {
    guard !payload.isEmptyObject else { return }
    put("(")
    parts(.members(payload.members), end - 1) { name, place in name?.place == place ? nil : name }
    put(")")
  }

  private enum Parts {
    case elements(JSONView.Elements)
    case members(JSONView.Members)

    mutating func next() -> (name: JSONView.Name?, value: JSONView)? {
      switch self {
      case .elements(var elements):
        let value = elements.next()
        self = .elements(elements)
        return value.map { (nil, $0) }
      case .members(var members):
        let member = members.next()
        self = .members(members)
        return member.map { ($0.name, $0.value) }
      }
    }
  }

  /// Writes elements or members with commas; of many, the first and the last.
  private mutating func parts(
    _ all: Parts,
    _ end: Int,
    label: (JSONView.Name?, Int) -> JSONView.Name?
  ) {
    var rest = all
    var next = rest.next()
    var place = 0
    while var part = next {
      if place > 0 { put(", ") }
      next = rest.next()
      if next != nil, place > 0, room(end) < Self.roomForRest {
        // All up to the last one are passed over.
        var passed = 0
        while let following = next {
          passed += 1
          part = following
          next = rest.next()
        }
        put(ellipsisAnd: " \(passed) more …, ")
        place += passed
      }
      if let name = label(part.name, place) {
        put(label: name)
        put(": ")
      }
      // Of what is left, the first part may take most, but not all.
      let share = next == nil ? end : column + max(room(end) * 2 / 3, Self.leastRoom)
      value(part.value, share)
      place += 1
    }
  }

  /// Room for the words that say how many are left out, and the last one.
  private static let roomForRest = 28
}

// MARK: - Names

extension NotationWriter {
  private mutating func put(name: JSONView.Name) {
    if let identifier = name.identifier, identifier.count <= notation.limits.text {
      output.append(contentsOf: identifier)
      column += identifier.count
    } else {
      let name = name.string
      let shown = name.unicodeScalars.prefix(notation.limits.text)
      put(visible: String(shown))
      if shown.endIndex != name.unicodeScalars.endIndex { put(ellipsisAnd: "") }
    }
  }

  private mutating func put(label name: JSONView.Name) {
    guard !name.isLabel else { return put(name: name) }
    let name = name.string
    put("\"")
    // A user's name with a dollar sign has another one in the log; without that one, it is a tag out of place.
    if name.hasPrefix("$$") {
      put(visible: String(name.dropFirst()))
    } else if name.hasPrefix("$") {
      put("\\u{24}")
      put(visible: String(name.dropFirst()))
    } else {
      put(visible: name)
    }
    put("\"")
  }
}

extension JSONView.Name {
  /// Whether it can be the name of a case.
  fileprivate var isCaseName: Bool { isLabel && place == nil }

  /// Whether it can be a label.
  fileprivate var isLabel: Bool { identifier != nil || string.isSwiftIdentifier }
}

extension String {
  /// Whether this is a name in Swift.
  var isSwiftIdentifier: Bool {
    var scalars = unicodeScalars[...]
    guard let first = scalars.popFirst(), first == "_" || first.properties.isXIDStart else {
      return false
    }
    return scalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }

  /// Whether these are names with dots between them.
  var isPropertyPath: Bool {
    split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
      String($0).isSwiftIdentifier
    }
  }
}

// MARK: - Texts

extension NotationWriter {
  private mutating func string(_ view: JSONView, _ end: Int) {
    let room = max(min(notation.limits.text, room(end) - 2), 1)
    // Most texts, which can be none of the others for their length.
    if let ascii = view.visibleASCII, ascii.count <= room, ascii.count < Self.shortestPlain {
      put("\"")
      output.append(contentsOf: ascii)
      column += ascii.count
      return put("\"")
    }
    if let short = view.string(upTo: 40), plain(short) { return }
    let start = (output.count, column)
    switch view.text(scalars: room + 1) {
    case .whole(let text):
      put("\"")
      var visible = VisibleText()
      var columns = 0
      for scalar in text.unicodeScalars {
        columns += visible.append(scalar, to: &output)
        guard columns > room else { continue }
        output.removeSubrange(start.0...)
        column = start.1
        return cut(text, text, text.utf8.count, room)
      }
      column += columns
      put("\"")
    case .ends(let head, let tail, let bytes): cut(head, tail, bytes, room)
    }
  }

  /// The length of a date without a fraction.
  private static let shortestPlain = 20

  /// Writes the ends of a text: `"head…tail" (1048576 bytes)`.
  private mutating func cut(_ head: String, _ tail: String, _ bytes: Int, _ room: Int) {
    let length = " (\(bytes) bytes)"
    let room = max(room - length.utf8.count - 1, 3)
    put("\"")
    var visible = VisibleText(escapesEllipsis: true)
    var left = room - room / 3
    for scalar in head.unicodeScalars {
      let start = output.count
      let width = visible.append(scalar, to: &output)
      guard width <= left else {
        output.removeSubrange(start...)
        break
      }
      left -= width
      column += width
    }
    put(ellipsisAnd: "")
    left = room / 3
    var last: [Unicode.Scalar] = []
    for scalar in tail.unicodeScalars.reversed() {
      // Marks count here, for there may be no end of them.
      left -= max(visible.columns(of: scalar), 1)
      guard left >= 0, last.count <= room else { break }
      last.append(scalar)
    }
    while last.last?.takesNoColumn == true { last.removeLast() }
    visible = VisibleText(escapesEllipsis: true)
    for scalar in last.reversed() { column += visible.append(scalar, to: &output) }
    put("\"")
    output.append(length)
    column += length.utf8.count
  }

  /// Writes ids, dates and what a mask has put in the place of a text, without quotes.
  private mutating func plain(_ text: String) -> Bool {
    if text.isUUID {
      id(text)
    } else if text.isLoggedDate {
      output.append(text)
      column += text.utf8.count
    } else if text.isMaskSubstitute {
      masked(text)
    } else {
      return false
    }
    return true
  }

  private mutating func id(_ text: String) {
    guard !notation.isFull else {
      output.append(text)
      column += text.utf8.count
      return
    }
    output.append("…\(notation.ids.shortest(text))")
    column += 1 + IDTable.shortest
  }

  private mutating func masked(_ text: String) {
    put("<masked ")
    put(visible: notation.isFull ? String(text.dropFirst(6)) : "…\(text.suffix(4))")
    put(">")
  }
}

// MARK: - Tagged values

extension NotationWriter {
  /// Writes a value that the log tags; `false` for one that is not tagged exactly as the format says.
  private mutating func tagged(_ view: JSONView, _ end: Int) -> Bool {
    var members = view.members
    guard let first = members.next() else { return false }
    let isAlone = members.next() == nil
    let value = first.value
    if first.name.is("$opaque") { return opaque(view, end) }
    guard isAlone else { return false }
    if first.name.is("$some") {
      put(".some(")
      self.value(value, end - 1)
      put(")")
      return true
    }
    if first.name.is("$error") { return error(value, end) }
    if first.name.is("$date"), case .number = value.kind {
      put("Date(")
      number(value.literal, end)
      put(")")
      return true
    }
    if first.name.is("$ordinal"), case .number = value.kind {
      put("<id ")
      number(value.literal, end)
      put(">")
      return true
    }
    guard let text = value.string(upTo: 64) else { return false }
    if first.name.is("$double"), ["nan", "inf", "-inf"].contains(text) {
      put(visible: text)
    } else if first.name.is("$decimal"), text == "nan" {
      put("NaN")
    } else if first.name.is("$masked"), text.isMaskSubstitute {
      masked(text)
    } else {
      return false
    }
    return true
  }

  /// Writes `<Type>` or `<Type: reason>`.
  private mutating func opaque(_ view: JSONView, _ end: Int) -> Bool {
    guard let type = view["$opaque"]?.string(upTo: 200) else { return false }
    var text: String?
    var members = view.members
    while let member = members.next() {
      if member.name.is("$opaque") { continue }
      guard text == nil, member.name.is("reason") || member.name.is("shown"),
        case .string = member.value.kind
      else { return false }
      switch member.value.text(scalars: notation.limits.text) {
      case .whole(let whole): text = whole
      case .ends(let head, _, _): text = head + "…"
      }
    }
    put("<")
    put(visible: type, quote: ">")
    if let text {
      put(": ")
      let shown = text.unicodeScalars.prefix(max(min(notation.limits.text, room(end)), 12))
      put(visible: String(shown), quote: ">")
      if shown.endIndex != text.unicodeScalars.endIndex { put(ellipsisAnd: "") }
    }
    put(">")
    return true
  }

  /// Writes an error: `SignUpError.busy(retryAfter: 1)`, or its description where it cannot be read back.
  private mutating func error(_ view: JSONView, _ end: Int) -> Bool {
    guard let type = view["type"]?.string(upTo: 200), type.isPropertyPath,
      let description = view["description"], case .string = description.kind
    else { return false }
    if let value = view["value"] {
      typed(type, value, end)
    } else {
      put(visible: type)
      put("(")
      if description.string(upTo: 210) != type + "()" { string(description, end - 1) }
      put(")")
    }
    return true
  }

  /// Writes a value with its type: `CancelID.save`, `Offline(retries: 3)`, `String("search")`.
  mutating func typed(_ type: String, _ view: JSONView) {
    typed(type, view, column + notation.limits.value)
  }

  private mutating func typed(_ type: String, _ view: JSONView, _ end: Int) {
    put(visible: type)
    guard case .object = view.kind else {
      put("(")
      value(view, end - 1)
      put(")")
      return
    }
    if let enumCase = Self.enumCase(view) {
      put(".")
      put(name: enumCase.name)
      arguments(enumCase.payload, end)
    } else if view.isEmptyObject {
      put("()")
    } else {
      let start = output.count
      value(view, end)
      // A structure has its own parentheses.
      guard output.count > start, output[start] != UInt8(ascii: "(") else { return }
      output.insert(UInt8(ascii: "("), at: start)
      output.append(UInt8(ascii: ")"))
      column += 2
    }
  }
}

// MARK: - Many lines

extension NotationWriter {
  /// Writes a value with a line for each member or element, where it does not fit on one line.
  mutating func lines(_ view: JSONView, indent: Int = 0) {
    var line = NotationWriter(notation)
    line.value(view, Self.lineLength - indent)
    guard line.isCut else {
      output += line.output
      return
    }
    switch view.kind {
    case .array:
      put("[")
      lines(.elements(view.elements), indent) { _, _ in nil }
      put("]")
    case .object:
      if let (id, element) = view.both("id", "element"), case .number = id.kind {
        put("#")
        value(id)
        put(": ")
        lines(element, indent: indent)
      } else if let enumCase = Self.valueCase(view) {
        put(".")
        put(name: enumCase.name)
        put("(")
        if let only = enumCase.payload.only("_0") {
          lines(only, indent: indent)
        } else {
          lines(.members(enumCase.payload.members), indent) { name, place in
            name?.place == place ? nil : name
          }
        }
        put(")")
      } else if view.isTagged {
        column = 0
        value(view)
      } else {
        var members = view.members
        let isDictionary = members.next().map { !$0.name.isLabel } ?? false
        isDictionary ? put("[") : put("(")
        lines(.members(view.members), indent) { name, place in
          name?.place == place && !isDictionary ? nil : name
        }
        isDictionary ? put("]") : put(")")
      }
    default:
      column = 0
      value(view)
    }
  }

  /// A longer line is broken.
  private static let lineLength = 80

  private mutating func lines(
    _ all: Parts,
    _ indent: Int,
    label: (JSONView.Name?, Int) -> JSONView.Name?
  ) {
    var rest = all
    var place = 0
    while let part = rest.next() {
      place > 0 ? put(",\n") : put("\n")
      for _ in 0..<indent + 2 { put(" ") }
      if let name = label(part.name, place) {
        put(label: name)
        put(": ")
      }
      lines(part.value, indent: indent + 2)
      place += 1
    }
    put("\n")
    for _ in 0..<indent { put(" ") }
  }
}

extension JSONView {
  /// Whether the first name is a tag of the format.
  fileprivate var isTagged: Bool {
    var members = members
    guard let name = members.next()?.name.string else { return false }
    return name.hasPrefix("$") && !name.hasPrefix("$$")
  }
}
