/// A recursive-descent parser for Swift notation.
struct NotationParser {
  private let text: String
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  /// The maximum nesting of values, which limits the use of stack space.
  ///
  /// People don't write deeper values.
  private static let deepest = 600

  private func failure(_ expected: String) -> NotationSyntaxError {
    NotationSyntaxError(
      text: text,
      column: position + 1,
      found: position < scalars.count ? String(scalars[position]) : nil,
      expected: expected
    )
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private var isAtEnd: Bool { position == scalars.count }

  private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private mutating func consume(_ word: String) -> Bool {
    guard scalars[position...].starts(with: word.unicodeScalars) else { return false }
    position += word.unicodeScalars.count
    return true
  }

  private mutating func passSpaces() {
    while consume(" ") {}
  }

  private mutating func run(_ isPart: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while let next, isPart(next) { position += 1 }
    return string(start..<position)
  }

  private func string(_ range: Range<Int>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[range])
    return text
  }

  private mutating func identifier() -> String? {
    guard let next, next == "_" || next.properties.isXIDStart else { return nil }
    return run { $0 == "_" || $0.properties.isXIDContinue }
  }

  private mutating func digits() -> String? {
    let digits = run { ("0"..."9").contains($0) }
    return digits.isEmpty ? nil : digits
  }
}

// MARK: - Parsing paths

extension NotationParser {
  mutating func pathComponents() throws(NotationSyntaxError) -> [ValuePath.PathComponent] {
    var steps: [ValuePath.PathComponent] = []
    _ = consume(".")
    if next != "[" { steps.append(try member()) }
    while !isAtEnd {
      if consume(".") {
        steps.append(try member())
      } else if consume("[") {
        steps.append(try bracket())
      } else {
        throw failure("'.' and a name, or '['")
      }
    }
    return steps
  }

  private mutating func member() throws(NotationSyntaxError) -> ValuePath.PathComponent {
    if let name = identifier() { return .name(name) }
    if let place = digits() { return .name("_\(place)") }
    if consume("*") { return .all }
    throw failure("the name of a member")
  }

  private mutating func bracket() throws(NotationSyntaxError) -> ValuePath.PathComponent {
    let step: ValuePath.PathComponent
    if consume("*") {
      step = .all
    } else if consume("…") || consume("...") {
      step = .id(try idEnd(), isSuffix: true)
    } else if consume("#") {
      if consume("…") || consume("...") {
        step = .id(try idEnd(), isSuffix: true)
      } else if next == "\"" {
        step = .id(try quoted().text, isSuffix: false)
      } else {
        step = .id(try idEnd(), isSuffix: false)
      }
    } else if next == "\"" {
      step = .name(try quoted().token)
    } else if consume("end") {
      step = .name("-")
    } else if let digits = digits() {
      guard next == "]", let index = JSON.Pointer.index(digits) else {
        throw failure("']' after an index; an id is '#' and the id, or '…' and its end")
      }
      step = .index(index)
    } else {
      throw failure("an index, '*', '#' and an id, '…' and the end of an id, or a key in quotes")
    }
    guard consume("]") else { throw failure("']'") }
    return step
  }

  private mutating func idEnd() throws(NotationSyntaxError) -> String {
    let id = run { $0 != "]" && $0 != "." && $0 != "\"" && $0 != " " }
    guard !id.isEmpty else { throw failure("an id or its end") }
    return id
  }

  /// Parses a string in quotes.
  ///
  /// In `token`, a leading dollar sign is doubled unless it was written as an escape.
  ///
  /// - Returns: The string, and its form as a name in a log.
  private mutating func quoted() throws(NotationSyntaxError) -> (text: String, token: String) {
    guard consume("\"") else { throw failure("a text in quotes") }
    let isTag = scalars[position...].starts(with: "\\u{24}".unicodeScalars)
    var text = ""
    while !consume("\"") {
      guard let scalar = next else { throw failure("'\"' at the end of the text") }
      position += 1
      text.unicodeScalars.append(scalar == "\\" ? try escape() : scalar)
    }
    return (text, text.hasPrefix("$") && !isTag ? "$" + text : text)
  }

  /// Parses an escape sequence after its backslash.
  private mutating func escape() throws(NotationSyntaxError) -> Unicode.Scalar {
    switch next {
    case let scalar? where Self.escapes[scalar] != nil:
      position += 1
      return Self.escapes[scalar] ?? scalar
    case "u":
      position += 1
      guard consume("{") else { throw failure("'{'") }
      let digits = run { $0.properties.isASCIIHexDigit }
      guard consume("}"), let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value)
      else { throw failure("a Unicode scalar such as \\u{1F600}") }
      return scalar
    default: throw failure("an escape such as \\n or \\u{1F600}")
    }
  }
}

extension NotationParser {
  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "r": "\r", "t": "\t", "0": "\0", "\"": "\"", "\\": "\\", ">": ">",
  ]
}

// MARK: - Parsing actions and values

extension NotationParser {
  /// Parses a complete action, up to the end of the text.
  mutating func action() throws(NotationSyntaxError) -> ActionPattern.Value {
    passSpaces()
    // The first dot of an action is optional, as in paths.
    let value = next == "." ? try value() : try enumCase()
    passSpaces()
    guard isAtEnd else { throw failure("'.', '[', '(' or the end") }
    return value
  }

  /// Parses a complete value, up to the end of the text.
  mutating func wholeValue() throws(NotationSyntaxError) -> ActionPattern.Value {
    passSpaces()
    let value = try value()
    passSpaces()
    guard isAtEnd else { throw failure("the end") }
    return value
  }

  /// Parses an enum case after its dot.
  private mutating func enumCase() throws(NotationSyntaxError) -> ActionPattern.Value {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw failure("fewer levels") }
    guard let name = identifier() else { throw failure("the name of a case") }
    if consume("(") { return .enumCase(name, try parts(")")) }
    return .enumCase(
      name,
      try chain().map { .init(first: [.init(label: nil, value: $0)]) } ?? .init()
    )
  }

  /// Parses the part of an action after a case's name: a child's case, or an element's id and the element's case.
  ///
  /// Returns `nil` if there is no such part.
  private mutating func chain() throws(NotationSyntaxError) -> ActionPattern.Value? {
    if consume(".") { return try enumCase() }
    // The ellipsis replaces the end of the action, which can be anything.
    if consume("…") { return .anything }
    guard consume("[") else { return nil }
    let id: ActionPattern.Value
    if consume("]") {
      id = .anything
    } else if consume("*]") {
      id = .anything
    } else {
      _ = consume("#")
      id = try value()
      guard consume("]") else { throw failure("']'") }
    }
    return .element(id, try chain() ?? .anything)
  }

  /// Parses a value with an optional label, which is a name or a key in quotes.
  private mutating func part() throws(NotationSyntaxError) -> ActionPattern.PatternPart {
    let start = position
    var label = identifier()
    if label == nil, next == "\"" { label = try quoted().token }
    if let label, consume(":") {
      passSpaces()
      return .init(label: label, value: try value())
    }
    position = start
    return .init(label: nil, value: try value())
  }

  private mutating func parts(
    _ closing: Unicode.Scalar
  ) throws(NotationSyntaxError) -> ActionPattern.PatternParts {
    var parts = ActionPattern.PatternParts()
    passSpaces()
    while !consume(closing) {
      if let passed = passedParts() {
        parts.passed = passed
        parts.last = []
      } else if parts.passed == nil {
        parts.first.append(try part())
      } else {
        parts.last.append(try part())
      }
      passSpaces()
      guard consume(",") || next == closing else {
        throw failure("',' or '\(closing)'")
      }
      passSpaces()
    }
    return parts
  }

  /// Parses a note such as `… 9998 more …`, and returns the number of omitted parts.
  ///
  /// Returns `nil` if no such note is at the position.
  private mutating func passedParts() -> Int? {
    let start = position
    if consume("… "), let digits = digits(), let count = Int(digits), consume(" more …") {
      return count
    }
    position = start
    return nil
  }

  private mutating func value() throws(NotationSyntaxError) -> ActionPattern.Value {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw failure("fewer levels") }
    switch next {
    case ".":
      position += 1
      return try enumCase()
    case "\"": return try textValue()
    case "[":
      position += 1
      return try listPattern()
    case "(":
      position += 1
      return .object(try parts(")"))
    case "\\":
      position += 1
      guard consume(".") else { throw failure("'.' and a name") }
      let path = run { $0 == "." || $0 == "_" || $0.properties.isXIDContinue }
      return .text(path)
    case "…":
      position += 1
      let end = run { $0.properties.isASCIIHexDigit || $0 == "-" }
      return end.isEmpty ? .anything : .textEnd(end)
    case "#":
      position += 1
      guard let digits = digits(), consume(": ") else { throw failure("the id of an element") }
      return .object(
        .init(first: [
          .init(label: "id", value: .number(digits)), .init(label: "element", value: try value()),
        ])
      )
    case "<": return try described()
    default: return try word()
    }
  }

  /// Parses a list or a dictionary after its opening bracket.
  private mutating func listPattern() throws(NotationSyntaxError) -> ActionPattern.Value {
    let parts = try parts("]")
    let all = parts.first + parts.last
    return all.contains { $0.label != nil } ? .object(parts) : .list(parts)
  }

  /// Parses a string, whose middle can be omitted, as in `"head…tail" (1048576 bytes)`.
  private mutating func textValue() throws(NotationSyntaxError) -> ActionPattern.Value {
    let start = position
    let whole = try quoted().text
    let end = position
    guard consume(" ("), let digits = digits(), let count = Int(digits), consume(" bytes)") else {
      position = end
      return .text(whole)
    }
    let after = position
    // An ellipsis that belongs to the string is escaped.
    guard let ellipsis = scalars[start..<end].firstIndex(of: "…") else {
      return .text(whole)
    }
    var head = NotationParser(string(start..<ellipsis) + "\"")
    var tail = NotationParser("\"" + string((ellipsis + 1)..<end))
    position = after
    return .cutText(try head.quoted().text, try tail.quoted().text, bytes: count)
  }

  /// Parses a description in angle brackets: `<Type: reason>`, `<masked …86bd>`, or `<id 3>`.
  private mutating func described() throws(NotationSyntaxError) -> ActionPattern.Value {
    position += 1
    var text = ""
    while !consume(">") {
      guard let scalar = next else { throw failure("'>'") }
      position += 1
      text.unicodeScalars.append(scalar == "\\" ? try escape() : scalar)
    }
    if text.hasPrefix("masked ") {
      let end = text.dropFirst(7)
      return .masked(String(end.hasPrefix("…") ? end.dropFirst() : end))
    }
    if text.hasPrefix("id "), Int(text.dropFirst(3)) != nil {
      return .object(
        .init(first: [.init(label: "$ordinal", value: .number(String(text.dropFirst(3))))])
      )
    }
    let parts = text.split(separator: ":", maxSplits: 1)
    return .opaque(
      type: parts.first.map(String.init) ?? "",
      text: parts.count > 1 ? String(parts[1].dropFirst()) : nil
    )
  }

  /// Parses a number, a date, an id, a literal, or a typed value.
  private mutating func word() throws(NotationSyntaxError) -> ActionPattern.Value {
    let start = position
    let word = run { scalar in
      scalar == "_" || scalar == "-" || scalar == "+" || scalar == "."
        || scalar.properties.isXIDContinue || scalar == ":"
    }
    if word.isUUID || word.isLoggedDate { return .text(word) }
    if next != "…", let literal = JSON.Number(word)?.literal { return .number(literal) }
    position = start
    if consume("-inf") { return .tag("$double", "-inf") }
    let number = run { ("0"..."9").contains($0) || "+-.eE".unicodeScalars.contains($0) }
    if !number.isEmpty, consume("…"), let tail = digits(), consume(" ("), let count = digits(),
      consume(" digits)"), let length = Int(count)
    {
      return .cutNumber(number, tail, digits: length)
    }
    position = start
    guard let name = identifier() else { throw failure("a value") }
    switch name {
    case "nil": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "nan": return .tag("$double", "nan")
    case "inf": return .tag("$double", "inf")
    case "NaN": return .tag("$decimal", "nan")
    case "_" where next != ".": return .anything
    case "Date" where next == "(":
      position += 1
      let literal = run { $0 != ")" }
      guard consume(")"), let number = JSON.Number(literal) else {
        throw failure("a number and ')'")
      }
      return .object(.init(first: [.init(label: "$date", value: .number(number.literal))]))
    default: return try typed(name)
    }
  }

  /// Parses an error after its type's first name, as in `SignUpError.busy(retryAfter: 1)` or `Offline("no route")`.
  private mutating func typed(_ first: String) throws(NotationSyntaxError) -> ActionPattern.Value {
    var names = [first]
    while true {
      let start = position
      guard consume("."), let name = identifier() else {
        position = start
        break
      }
      names.append(name)
    }
    if consume("(") {
      return .typed(names, try parts(")"))
    }
    guard names.count > 1 else { throw failure("a value") }
    return .typed(names, nil)
  }
}
