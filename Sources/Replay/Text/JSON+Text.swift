import ActionLog
import Foundation

extension JSON {
  /// The value on one line; of a large one the beginning.
  var abbreviated: String {
    let text = description
    guard text.utf8.count > Self.longestOnOneLine else { return text }
    return "\(text.prefix(Self.longestOnOneLine))… (\(text.utf8.count) bytes)"
  }

  /// As much as an eye takes in before it looks for the difference by other means.
  fileprivate static let longestOnOneLine = 400

  /// The value with one member or element on each line, indented by two spaces for each level.
  var indented: String {
    var text = ""
    write(to: &text, indent: "")
    return text
  }

  private func write(to text: inout String, indent: String) {
    let deeper = indent + "  "
    switch self {
    case .array(let elements) where !elements.isEmpty:
      text += "["
      for (index, element) in elements.enumerated() {
        text += index == 0 ? "\n\(deeper)" : ",\n\(deeper)"
        element.write(to: &text, indent: deeper)
      }
      text += "\n\(indent)]"
    case .object(let object) where !object.isEmpty:
      text += "{"
      for (index, member) in object.enumerated() {
        text += index == 0 ? "\n\(deeper)" : ",\n\(deeper)"
        text += "\(JSON.string(member.key)): "
        member.value.write(to: &text, indent: deeper)
      }
      text += "\n\(indent)}"
    default: text += description
    }
  }
}

extension [UInt8] {
  /// Appends a text.
  mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// Appends texts.
  mutating func append(_ first: String, _ second: String, _ third: String = "") {
    append(first)
    append(second)
    append(third)
  }

  /// Appends a value on one line; of a large one the beginning.
  mutating func append(abbreviating json: JSON) {
    let bytes = json.bytes
    if bytes.count <= JSON.longestOnOneLine {
      self += bytes
    } else {
      append(json.abbreviated)
    }
  }

  /// Appends a value that is text already, as `append(abbreviating:)` appends a value.
  mutating func append(abbreviating text: SkimmedEvent.Text) {
    // Escapes are written as values have them.
    guard let base = text.baseAddress, memchr(base, 0x5C, text.count) == nil else {
      if let json = try? JSON(parsing: text) { append(abbreviating: json) }
      return
    }
    guard text.count > JSON.longestOnOneLine else { return append(contentsOf: text) }
    // Characters of more bytes than these on average are read as values.
    let start = String(decoding: text.prefix(JSON.longestOnOneLine * 8), as: UTF8.self)
    let shown = start.prefix(JSON.longestOnOneLine)
    guard shown.endIndex < start.endIndex else {
      if let json = try? JSON(parsing: text) { append(abbreviating: json) }
      return
    }
    append("\(shown)… (\(text.count) bytes)")
  }
}
