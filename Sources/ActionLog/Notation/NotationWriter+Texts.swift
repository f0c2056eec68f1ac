// Names, strings, and tagged values.
extension NotationWriter {
  mutating func append(_ text: StaticString) { output.append(text) }

  mutating func append(name: JSONView.MemberName) {
    if let identifier = name.identifier, identifier.count <= notation.limits.text {
      output.append(ascii: identifier)
    } else {
      let name = name.string
      let shown = name.unicodeScalars.prefix(notation.limits.text)
      output.append(visible: String(shown))
      if shown.endIndex != name.unicodeScalars.endIndex { output.putEllipsis() }
    }
  }

  /// Writes a label and its colon.
  mutating func append(label: JSONView.MemberName?) {
    guard let label else { return }
    label.isLabel ? append(name: label) : append(quoted: label)
    append(": ")
  }

  private mutating func append(quoted name: JSONView.MemberName) {
    let name = name.string
    append("\"")
    // A log adds a second dollar sign to the app's names that start with one. A name with a single dollar sign is a
    // misplaced tag.
    if name.hasPrefix("$$") {
      output.append(visible: String(name.dropFirst()))
    } else if name.hasPrefix("$") {
      append("\\u{24}")
      output.append(visible: String(name.dropFirst()))
    } else {
      output.append(visible: name)
    }
    append("\"")
  }
}

// MARK: - Strings

extension NotationWriter {
  mutating func string(_ view: JSONView, _ end: Int) {
    let room = max(min(notation.limits.text, room(end) - 2), Self.shortestCut)
    // The fast path for most strings: visible ASCII that isn't cut and can't be an id, a date, or a substitute.
    if let ascii = view.visibleASCII, ascii.count <= room, !Self.mayBePlain(ascii) {
      append("\"")
      output.append(ascii: ascii)
      return append("\"")
    }
    if let short = view.string(upTo: 40), plain(short) { return }
    let start = output.mark
    switch view.text(scalars: room + 1) {
    case .whole(let text):
      append("\"")
      var visible = EscapedText()
      var left = room
      for scalar in text.unicodeScalars {
        guard let width = output.append(scalar, &visible, upTo: left) else {
          output.rewind(to: start)
          return cut(text, text, text.utf8.count, room)
        }
        left -= width
      }
      append("\"")
    case .ends(let head, let tail, let bytes): cut(head, tail, bytes, room)
    }
  }

  /// The minimum number of columns in which both ends of a string and its length can be written.
  ///
  /// A string that fits into this number of columns is never cut.
  private static let shortestCut = 14
  /// Whether a string could be an id, a date, or a mask's substitute, judged by its length and first character.
  private static func mayBePlain(_ ascii: some Collection<UInt8>) -> Bool {
    guard ascii.count >= shortestPlain, let first = ascii.first else { return false }
    return ascii.count == uuidLength || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
      || first == UInt8(ascii: "-") || first == UInt8(ascii: "m")
  }

  /// The length of a date without fractional seconds, in characters.
  private static let shortestPlain = 20
  private static let uuidLength = 36

  /// Writes both ends of a string and its size, as in `"head…tail" (1048576 bytes)`.
  private mutating func cut(_ head: String, _ tail: String, _ bytes: Int, _ room: Int) {
    let length = " (\(bytes) bytes)"
    let room = max(room - length.utf8.count - 1, 3)
    append("\"")
    var visible = EscapedText(escapesEllipsis: true)
    var left = room - room / 3
    for scalar in head.unicodeScalars {
      guard let width = output.append(scalar, &visible, upTo: left) else { break }
      left -= width
    }
    output.putEllipsis()
    left = room / 3
    var last: [Unicode.Scalar] = []
    for scalar in tail.unicodeScalars.reversed() {
      // Each scalar counts as at least one column, because the number of combining marks is unlimited.
      left -= max(visible.columns(of: scalar), 1)
      guard left >= 0, last.count <= room else { break }
      last.append(scalar)
    }
    while last.last?.takesNoColumn == true { last.removeLast() }
    visible = EscapedText(escapesEllipsis: true)
    for scalar in last.reversed() { output.append(scalar, &visible, upTo: .max) }
    append("\"")
    output.append(ascii: length)
  }

  /// Writes an id, a date, or a mask's substitute without quotes.
  ///
  /// - Returns: `false` for other strings, which are not written.
  private mutating func plain(_ text: String) -> Bool {
    if text.isUUID {
      id(text)
    } else if text.isLoggedDate {
      output.append(ascii: text)
    } else if text.isMaskSubstitute {
      masked(text)
    } else {
      return false
    }
    return true
  }

  private mutating func id(_ text: String) {
    guard !notation.isFull else { return output.append(ascii: text) }
    output.append(id: notation.ids.shortest(text), columns: IDAbbreviations.shortest)
  }

  private mutating func masked(_ text: String) {
    append("<masked ")
    output.append(visible: notation.isFull ? String(text.dropFirst(6)) : "…\(text.suffix(4))")
    append(">")
  }
}

// MARK: - Tagged values

extension NotationWriter {
  /// Writes a tagged value.
  ///
  /// - Returns: `false` if the value doesn't have exactly the form of a tagged value.
  mutating func tagged(_ view: JSONView, _ end: Int) -> Bool {
    var members = view.members
    guard let first = members.next() else { return false }
    let isAlone = members.next() == nil
    let value = first.value
    if first.name.is("$opaque") { return opaque(view, end) }
    guard isAlone else { return false }
    if first.name.is("$some") {
      append(".some(")
      self.value(value, .line(end: end - 1))
      append(")")
      return true
    }
    if first.name.is("$error") { return error(value, end) }
    if first.name.is("$date"), case .number = value.kind {
      append("Date(")
      number(value.literal, end)
      append(")")
      return true
    }
    if first.name.is("$ordinal"), case .number = value.kind {
      append("<id ")
      number(value.literal, end)
      append(">")
      return true
    }
    guard let text = value.string(upTo: 64) else { return false }
    if first.name.is("$double"), ["nan", "inf", "-inf"].contains(text) {
      output.append(visible: text)
    } else if first.name.is("$decimal"), text == "nan" {
      append("NaN")
    } else if first.name.is("$masked"), text.isMaskSubstitute {
      masked(text)
    } else {
      return false
    }
    return true
  }

  /// Writes an opaque value as `<Type>` or `<Type: reason>`.
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
    append("<")
    output.append(visible: type, quote: ">")
    if let text {
      append(": ")
      let shown = text.unicodeScalars.prefix(max(min(notation.limits.text, room(end)), 12))
      output.append(visible: String(shown), quote: ">")
      if shown.endIndex != text.unicodeScalars.endIndex { output.putEllipsis() }
    }
    append(">")
    return true
  }

  /// Writes an error with its value, as in `SignUpError.busy(retryAfter: 1)`, or with its description.
  ///
  /// The description is used if the log doesn't contain the error's value.
  private mutating func error(_ view: JSONView, _ end: Int) -> Bool {
    guard let type = view["type"]?.string(upTo: 200), type.isPropertyPath,
      let description = view["description"], case .string = description.kind
    else { return false }
    if let value = view["value"] {
      typed(type, value, end)
    } else {
      output.append(visible: type)
      append("(")
      if description.string(upTo: 210) != type + "()" { string(description, end - 1) }
      append(")")
    }
    return true
  }

  /// Writes a value with its type name: `CancelID.save`, `Offline(retries: 3)`, `String("search")`.
  mutating func typed(_ type: String, _ view: JSONView) {
    typed(type, view, output.column + notation.limits.value)
  }

  private mutating func typed(_ type: String, _ view: JSONView, _ end: Int) {
    output.append(visible: type)
    guard case .object = view.kind else {
      append("(")
      value(view, .line(end: end - 1))
      append(")")
      return
    }
    if let enumCase = Self.enumCase(view) {
      append(".")
      append(name: enumCase.name)
      arguments(enumCase.payload, .line(end: end))
    } else if view.isEmptyObject {
      append("()")
    } else {
      let start = output.mark
      value(view, .line(end: end))
      // The notation of a structure already has parentheses.
      output.parenthesize(from: start)
    }
  }
}

// MARK: - Forms of ids

extension NotationWriter {
  /// Writes a type name, and the cases and labels of a value, with an ellipsis for each value inside it.
  mutating func form(_ type: String, _ view: JSONView) {
    switch view.kind {
    // An id that is itself a string is a name that the app chose, so it is written without an ellipsis.
    case .string where type == "String": typed(type, view)
    case .object:
      output.append(visible: type)
      Self.enumCase(view) == nil && view.members.isTagged ? append("(…)") : form(view)
    default:
      output.append(visible: type)
      append("(…)")
    }
  }

  private mutating func form(_ view: JSONView) {
    guard case .object = view.kind, !view.members.isTagged else { return output.putEllipsis() }
    if let enumCase = Self.enumCase(view) {
      append(".")
      append(name: enumCase.name)
      if !enumCase.payload.isEmptyObject { form(members: enumCase.payload.members) }
    } else {
      form(members: view.members)
    }
  }

  private mutating func form(members: JSONView.Members) {
    var rest = members
    var place = 0
    append("(")
    while let member = rest.next() {
      if place > 0 { append(", ") }
      append(label: member.name.place == place ? nil : member.name)
      form(member.value)
      place += 1
    }
    append(")")
  }
}

extension JSONView.Members {
  /// Whether the object is a tagged value, such as a date, and not a structure.
  fileprivate var isTagged: Bool {
    var members = self
    return members.next()?.name.string.hasPrefix("$") ?? false
  }
}

extension JSONView.MemberName {
  /// Whether the name can be a label.
  var isLabel: Bool { identifier != nil || string.isSwiftIdentifier }
}

extension String {
  /// Whether the string is an identifier in Swift.
  package var isSwiftIdentifier: Bool {
    // Most names consist of ASCII. The fast path for these needs no Unicode tables.
    if let isName = utf8.withContiguousStorageIfAvailable(Self.isASCIIName).flatMap(\.self) {
      return isName
    }
    var scalars = unicodeScalars[...]
    guard let first = scalars.popFirst(), first == "_" || first.properties.isXIDStart else {
      return false
    }
    return scalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }

  /// Whether the bytes are an identifier, or `nil` if some bytes are not ASCII.
  private static func isASCIIName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    var isName = !bytes.isEmpty
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        break
      case UInt8(ascii: "0")...UInt8(ascii: "9"): isName = isName && index > 0
      case 0x80...: return nil
      default: isName = false
      }
    }
    return isName
  }

  /// Whether the string consists of identifiers separated by dots.
  package var isPropertyPath: Bool {
    split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
      String($0).isSwiftIdentifier
    }
  }
}
