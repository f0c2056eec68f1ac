import ActionLog

/// An expression or a statement of Swift, on one line or more.
struct SwiftCode: Equatable {
  /// The lines, indented from the first one on.
  private(set) var lines: [String]
  /// Whether something in it throws.
  private(set) var canThrow = false

  init(_ text: String, canThrow: Bool = false) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    self.canThrow = canThrow
  }

  private init(lines: [String], canThrow: Bool) {
    self.lines = lines
    self.canThrow = canThrow
  }

  /// The text on as many lines as it has.
  var text: String { lines.joined(separator: "\n") }

  /// The number of bytes of the text.
  var size: Int { lines.reduce(0) { $0 + $1.utf8.count + 1 } }

  /// The text with something before and after it.
  func wrapped(_ before: String, _ after: String = "") -> SwiftCode {
    var copy = self
    copy.lines[0] = before + copy.lines[0]
    copy.lines[copy.lines.count - 1] += after
    return copy
  }

  /// The code, marked as throwing where something in it does.
  var marked: SwiftCode { canThrow ? wrapped("try ") : self }

  /// The lines moved to the right.
  var indented: SwiftCode {
    SwiftCode(lines: lines.map { $0.isEmpty ? $0 : "  \($0)" }, canThrow: canThrow)
  }

  /// One expression after the other, with commas.
  static func list(_ parts: [SwiftCode]) -> SwiftCode {
    var result = SwiftCode("")
    for (index, part) in parts.enumerated() {
      let next = index == 0 ? part : part.wrapped(", ")
      result.lines[result.lines.count - 1] += next.lines[0]
      result.lines += next.lines.dropFirst()
      result.canThrow = result.canThrow || part.canThrow
    }
    return result
  }

  /// A call or a case with a closure around statements.
  static func closure(_ head: SwiftCode, _ body: [SwiftCode]) -> SwiftCode {
    guard !body.isEmpty else { return head }
    return SwiftCode(
      lines: head.wrapped("", " {").lines + body.flatMap { $0.indented.lines } + ["}"],
      canThrow: head.canThrow
    )
  }

  /// The code with another answer to whether something in it throws.
  func throwing(_ canThrow: Bool) -> SwiftCode { SwiftCode(lines: lines, canThrow: canThrow) }
}

extension SwiftCode {
  /// A text as a comment of one line, which nothing in it ends.
  static func comment(_ text: some StringProtocol) -> SwiftCode {
    SwiftCode("// \(Notation.visible(text))")
  }

  /// A text as a literal.
  static func text(_ text: String) -> SwiftCode {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        if scalar.isHidden {
          literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        } else {
          literal.unicodeScalars.append(scalar)
        }
      }
    }
    return SwiftCode(literal + "\"")
  }

  /// The longest JSON that stands on the line of the expression that needs it.
  private static let widest = 64

  /// JSON as a literal.
  static func json(_ json: JSON) -> SwiftCode {
    let text = json.description.visibleJSON
    let fence = RawLiteral.fence(of: [text])
    if !text.contains("\""), !text.contains("\\"), text.count <= widest {
      return SwiftCode("\"\(text)\"")
    }
    if text.count <= widest { return SwiftCode("\(fence)\"\(text)\"\(fence)") }
    let lines = JSONLines(json).lines
    return SwiftCode(
      "\n"
        + (["\(fence)\"\"\""] + lines + ["\"\"\"\(fence)"])
        .map { "  \($0)" }.joined(separator: "\n") + "\n"
    )
  }

  /// A value that is read from the log's JSON, whatever its type is.
  static func logged(_ value: JSON) -> SwiftCode {
    json(value).wrapped("logged(", ")").throwing(true)
  }
}

/// JSON on lines that are not longer than necessary.
private struct JSONLines {
  private(set) var lines: [String] = [""]
  private static let widest = 90

  init(_ json: JSON) { write(json, indent: "", end: "") }

  private mutating func write(_ json: JSON, indent: String, end: String) {
    let text = json.description.visibleJSON
    let parts: [(name: String, value: JSON)]
    let marks: (String, String)
    switch json {
    case .array(let elements): (parts, marks) = (elements.map { ("", $0) }, ("[", "]"))
    case .object(let object):
      parts = object.map { ("\(JSON.string($0.key).description.visibleJSON):", $0.value) }
      marks = ("{", "}")
    default: (parts, marks) = ([], ("", ""))
    }
    guard text.count + lines[lines.count - 1].count > Self.widest, !parts.isEmpty else {
      lines[lines.count - 1] += text + end
      return
    }
    lines[lines.count - 1] += marks.0
    for (index, part) in parts.enumerated() {
      lines.append("\(indent)  \(part.name)")
      write(part.value, indent: indent + "  ", end: index < parts.count - 1 ? "," : "")
    }
    lines.append(indent + marks.1 + end)
  }
}
