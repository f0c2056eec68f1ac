import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Puts an answer together, within a budget of bytes.
///
/// ```swift
/// var answer = AnswerBuilder(budget: 16_000)
/// answer.say("The log has 12 actions.")
/// answer["actions"] = 12
/// let isFitting = answer.addRow(["action": 1], to: "rows", quoting: ["   1  .addButtonTapped"])
/// ```
///
/// Lines with values of a log begin with a bar, and nothing else does: they are data.
struct AnswerBuilder {
  /// Begins a line that has values of a log.
  static let bar = "| "

  private let budget: Int
  private var lines: [String] = []
  private var structured = JSON.Object()
  private var rows: [String: [JSON]] = [:]
  private var used = 0

  /// Bytes that stay free for the last lines: the way to the rest, and the next calls.
  private static let reserve = 900

  init(budget: Int) { self.budget = budget }

  /// The member of the answer for programs.
  subscript(name: String) -> JSON? {
    get { structured[name] }
    set {
      let value = newValue?.withVisibleTexts
      structured[name] = value
      used += (value?.bytes.count ?? 0) + name.utf8.count + 6
    }
  }

  /// Sets the member `code`, whose line feeds stay.
  mutating func addCode(_ code: String) {
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map {
      Notation.visible($0)
    }
    let value = JSON.string(lines.joined(separator: "\n"))
    structured["code"] = value
    used += value.bytes.count + 10
  }

  /// Adds a sentence of the server's own.
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

  /// Adds as many of the lines as there is room for.
  ///
  /// - Returns: How many were left out.
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

  /// Adds an element of a list, with its lines, if there is room for both.
  ///
  /// - Parameters:
  ///   - row: The element for programs.
  ///   - list: The name of the list.
  ///   - lines: Its lines for people.
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

  /// The first element of a list.
  func firstRow(of list: String) -> JSON? { rows[list]?.first }

  /// Adds texts with values of a log to a list and as lines, as many as there is room for.
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

  /// Characters of a text in a list.
  private static let longestText = 300

  /// Makes a list appear that has no elements.
  mutating func addList(_ name: String) { rows[name] = rows[name] ?? [] }

  /// Whether so many bytes more fit.
  func hasRoom(for bytes: Int) -> Bool { used + bytes + Self.reserve <= budget }

  /// The bytes that are left.
  var room: Int { max(budget - used - Self.reserve, 0) }

  /// The bytes of a line within a message.
  private static func size(_ line: String) -> Int { JSON.string(line).bytes.count }

  /// A line without anything that would change how it is shown.
  private static func visible(_ text: String) -> String { Notation.visible(text) }

  /// The answer.
  var answer: Answer {
    var object = structured
    for (name, list) in rows.sorted(by: { $0.key < $1.key }) { object[name] = .array(list) }
    return Answer(text: lines.joined(separator: "\n"), structured: object)
  }
}

/// The answer of a tool.
struct Answer: Sendable {
  let text: String
  /// The answer for programs; `nil` for an error.
  let structured: JSON.Object?
  /// The code of an error.
  var errorCode: String?
  /// Content besides the text, which has a limit of its own.
  var attachments: [JSON] = []

  init(text: String, structured: JSON.Object) { (self.text, self.structured) = (text, structured) }

  /// An error that the model can correct.
  init(_ error: any Error) {
    var lines = ["\(error)"]
    lines += (error as? HostFailure)?.standardErrorLines ?? []
    // Messages may quote a log, a name or a host.
    text = lines.prefix(20).map { AnswerBuilder.bar + Notation.visible($0.prefix(600)) }
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
  /// The value with controls, directions and marks in its texts made visible.
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

extension AnswerBuilder {
  /// Whether a list has no elements yet.
  func isEmptyList(_ name: String) -> Bool { firstRow(of: name) == nil }
}
