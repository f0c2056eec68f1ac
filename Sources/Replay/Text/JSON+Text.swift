import ActionLog
import Foundation

extension JSON {
  /// The value on one line; of a large one the beginning.
  package var abbreviated: String {
    let text = description
    guard text.utf8.count > Self.longestOnOneLine else { return text }
    return "\(text.prefix(Self.longestOnOneLine))… (\(text.utf8.count) bytes)"
  }

  /// Longer values are not compared by eye.
  static let longestOnOneLine = 400

  /// The value with one member or element on each line, indented by two spaces for each level.
  package var indented: String {
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

// Text that is written piece by piece: in a long log, making a string of each piece would take most of the time.
extension [UInt8] {
  /// Appends a text.
  package mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// Appends a literal.
  @inline(__always)
  package mutating func append(literal text: StaticString) {
    guard text.utf8CodeUnitCount > 0 else { return }
    append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
  }

  /// Appends the name of an effect.
  package mutating func append(_ id: EffectID) {
    append(decimal: id.seq)
    append(UInt8(ascii: "."))
    append(decimal: id.index)
  }

  /// Appends a value on one line; of a large one the beginning.
  package mutating func append(abbreviating json: JSON) {
    let start = count
    append(json)
    guard count - start > JSON.longestOnOneLine else { return }
    let text = Array(self[start...])
    removeLast(text.count)
    text.withUnsafeBufferPointer { append(abbreviating: $0) }
  }

  /// Appends a value that is text already, as `append(abbreviating:)` appends a value.
  package mutating func append(abbreviating text: SkimmedEvent.Text) {
    let longest = JSON.longestOnOneLine
    guard text.count > longest else { return append(contentsOf: text) }
    // In ASCII each byte is a character, also the last one if no combining character follows.
    if text.prefix(longest + 1).allSatisfy({ $0 < 0x80 }) {
      append(contentsOf: text.prefix(longest))
    } else {
      // Characters with more bytes than these on average need the whole text.
      let start = String(decoding: text.prefix(longest * 8), as: UTF8.self)
      var shown = start.prefix(longest)
      if shown.endIndex == start.endIndex {
        shown = String(decoding: text, as: UTF8.self).prefix(longest)
      }
      append(contentsOf: shown.utf8)
    }
    append("… (\(text.count) bytes)")
  }
}
