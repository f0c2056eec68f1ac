import ActionLog

/// A Swift expression or statement of one or more lines.
struct SwiftCode: Equatable {
  /// The lines, indented relative to the first line.
  private(set) var lines: [String]
  /// Whether the statement needs `try`, because an expression in it throws.
  private(set) var canThrow = false

  init(_ text: String, canThrow: Bool = false) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    self.canThrow = canThrow
  }

  private init(lines: [String], canThrow: Bool) {
    self.lines = lines
    self.canThrow = canThrow
  }

  /// The lines, joined with newlines.
  var text: String { lines.joined(separator: "\n") }

  /// The size of the lines in bytes, including newlines.
  var size: Int { lines.reduce(0) { $0 + $1.utf8.count + 1 } }

  /// Returns the code with a prefix on the first line and a suffix on the last line.
  func wrapped(_ before: String, _ after: String = "") -> SwiftCode {
    var copy = self
    copy.lines[0] = before + copy.lines[0]
    copy.lines[copy.lines.count - 1] += after
    return copy
  }

  /// The code, prefixed with `try` if an expression in it throws.
  var marked: SwiftCode { canThrow ? wrapped("try ") : self }

  /// The code, indented by one more level.
  var indented: SwiftCode {
    SwiftCode(lines: lines.map { $0.isEmpty ? $0 : "  \($0)" }, canThrow: canThrow)
  }

  /// Joins expressions with commas.
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

  /// Returns a call with a trailing closure that contains the statements of `body`.
  static func closure(_ head: SwiftCode, _ body: [SwiftCode]) -> SwiftCode {
    guard !body.isEmpty else { return head }
    return SwiftCode(
      lines: head.wrapped("", " {").lines + body.flatMap { $0.indented.lines } + ["}"],
      canThrow: head.canThrow
    )
  }

  /// Returns a copy in which `canThrow` has the given value.
  func throwing(_ canThrow: Bool) -> SwiftCode { SwiftCode(lines: lines, canThrow: canThrow) }
}

extension SwiftCode {
  /// Returns a string as a one-line comment, in which line breaks are escaped.
  static func comment(_ text: some StringProtocol) -> SwiftCode {
    SwiftCode("// \(Notation.visible(text))")
  }

  /// Returns a string as a Swift string literal.
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

  /// The maximum length of JSON that is written on the line of its expression, in characters.
  private static let widest = 64

  /// Returns the JSON text of a value as a Swift string literal.
  static func json(_ json: JSON) -> SwiftCode {
    let text = json.description.visibleJSON
    let fence = RawLiteral.fence(of: [text])
    if !text.contains("\""), !text.contains("\\"), text.count <= widest {
      return SwiftCode("\"\(text)\"")
    }
    if text.count <= widest { return SwiftCode("\(fence)\"\(text)\"\(fence)") }
    let lines = JSONLineWrapper(json).lines
    return SwiftCode(
      "\n"
        + (["\(fence)\"\"\""] + lines + ["\"\"\"\(fence)"])
        .map { "  \($0)" }.joined(separator: "\n") + "\n"
    )
  }

  /// Returns an expression that decodes a value from the log's JSON, whatever its type is.
  static func logged(_ value: JSON) -> SwiftCode {
    json(value).wrapped("logged(", ")").throwing(true)
  }
}

/// Formats JSON, and breaks it into several lines only if it is too long for one.
private struct JSONLineWrapper {
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
