import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Builds an answer within a budget of bytes.
///
/// ```swift
/// var answer = ToolResultBuilder(budget: 16_000)
/// answer.say("The log has 12 actions.")
/// answer["actions"] = 12
/// let isFitting = answer.addRow(["action": 1], to: "rows", quoting: ["   1  .addButtonTapped"])
/// ```
///
/// Lines with values of a log start with a bar, and no other line does. They are data.
struct ToolResultBuilder {
  /// The prefix of a line with values of a log.
  static let bar = "| "

  private let budget: Int
  private var lines: [String] = []
  private var structured = JSON.Object()
  private var rows: [String: [JSON]] = [:]
  private var used = 0

  /// The number of bytes that are reserved for the last lines: the cursor of the remaining data, and the suggested
  /// calls.
  private static let reserve = 900

  init(budget: Int) { self.budget = budget }

  /// A member of the structured answer.
  subscript(name: String) -> JSON? {
    get { structured[name] }
    set {
      let value = newValue?.withVisibleTexts
      structured[name] = value
      used += (value?.bytes.count ?? 0) + name.utf8.count + 6
    }
  }

  /// Sets the member `code` and keeps its line feeds.
  mutating func addCode(_ code: String) {
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map {
      Notation.visible($0)
    }
    let value = JSON.string(lines.joined(separator: "\n"))
    structured["code"] = value
    used += value.bytes.count + 10
  }

  /// Adds a sentence of the server.
  mutating func say(_ text: String) {
    let text = Self.visible(text)
    lines.append(text)
    used += Self.size(text)
  }

  /// Adds a sentence before all others.
  mutating func open(with text: String) {
    say(text)
    lines.insert(lines.removeLast(), at: 0)
  }

  /// Adds lines with values of a log.
  mutating func quote(_ added: [String]) {
    for line in added {
      let line = Self.bar + Self.visible(line)
      lines.append(line)
      used += Self.size(line)
    }
  }

  /// Adds lines until the budget is exhausted.
  ///
  /// - Returns: The number of omitted lines.
  @discardableResult
  mutating func quoteFitting(_ added: [String]) -> Int {
    for (index, line) in added.enumerated() {
      guard hasRoom(for: Self.size(Self.bar + Self.visible(line))) else {
        return added.count - index
      }
      quote([line])
    }
    return 0
  }

  /// Adds an element of a list and its lines, if both fit.
  ///
  /// - Parameters:
  ///   - row: The structured element.
  ///   - list: The name of the list.
  ///   - lines: The lines of text.
  /// - Returns: Whether it was added.
  mutating func addRow(_ row: JSON.Object, to list: String, quoting lines: [String]) -> Bool {
    let value = JSON.object(row).withVisibleTexts
    let size =
      value.bytes.count + 1
      + lines.reduce(0) { $0 + Self.size(Self.bar + Self.visible($1)) }
    guard hasRoom(for: size) else { return false }
    rows[list, default: []].append(value)
    used += value.bytes.count + 1
    quote(lines)
    return true
  }

  /// Returns the first element of a list.
  func firstRow(of list: String) -> JSON? { rows[list]?.first }

  /// Adds texts with values of a log to a list and as lines, until the budget is exhausted.
  mutating func add(_ texts: [String], to list: String) {
    addList(list)
    for text in texts {
      let text = String(text.prefix(Self.longestText))
      guard hasRoom(for: 2 * Self.size(Self.bar + Self.visible(text))) else { return }
      let value = JSON.string(Self.visible(text))
      rows[list, default: []].append(value)
      used += value.bytes.count + 1
      quote([text])
    }
  }

  /// The maximum number of characters of a text in a list.
  private static let longestText = 300

  /// Adds an empty list.
  mutating func addList(_ name: String) { rows[name] = rows[name] ?? [] }

  /// Returns whether the given number of bytes still fits.
  func hasRoom(for bytes: Int) -> Bool { used + bytes + Self.reserve <= budget }

  /// The number of bytes that are left.
  var room: Int { max(budget - used - Self.reserve, 0) }

  /// Returns the number of bytes of a line inside a message.
  private static func size(_ line: String) -> Int { JSON.string(line).bytes.count }

  /// Returns a line without characters that would change its display.
  private static func visible(_ text: String) -> String { Notation.visible(text) }

  /// The answer.
  var answer: ToolResult {
    var object = structured
    for (name, list) in rows.sorted(by: { $0.key < $1.key }) { object[name] = .array(list) }
    return ToolResult(text: lines.joined(separator: "\n"), structured: object)
  }
}

/// The answer of a tool.
struct ToolResult: Sendable {
  let text: String
  /// The structured answer; `nil` for an error.
  let structured: JSON.Object?
  /// The code of an error.
  var errorCode: String?
  /// Content other than text, which has its own limit.
  var attachments: [JSON] = []

  init(text: String, structured: JSON.Object) { (self.text, self.structured) = (text, structured) }

  /// Creates an answer for an error that the model can correct.
  init(_ error: any Error) {
    var lines = ["\(error)"]
    lines += (error as? HostFailure)?.standardErrorLines ?? []
    // Messages may quote a log, a name or the output of a host.
    text = lines.prefix(20).map { ToolResultBuilder.bar + Notation.visible($0.prefix(600)) }
      .joined(separator: "\n")
    structured = nil
    errorCode = ToolError.code(of: error)
  }

  /// The members of the result.
  var members: JSON.Object {
    let content: [JSON] = [["type": "text", "text": .string(text)]]
    var object: JSON.Object = ["content": .array(content + attachments)]
    if let structured { object["structuredContent"] = .object(structured) }
    if let errorCode {
      object["isError"] = true
      object["_meta"] = ["tca-replay/errorCode": .string(errorCode)]
    }
    return object
  }
}

extension JSON {
  /// The value with visible escapes for control characters, text directions and combining marks.
  var withVisibleTexts: JSON {
    switch self {
    case .string(let text): .string(Notation.visible(text))
    case .array(let elements): .array(elements.map(\.withVisibleTexts))
    case .object(let object):
      .object(
        JSON.Object(
          members: object.map { (key: Notation.visible($0.key), value: $0.value.withVisibleTexts) }
        )
      )
    case .null, .bool, .number: self
    }
  }
}

extension ToolResultBuilder {
  /// Returns whether a list has no elements yet.
  func isEmptyList(_ name: String) -> Bool { firstRow(of: name) == nil }
}
