import ActionLog
import Foundation

extension JSON {
  /// The value as text, with each member or element on its own line, indented by two spaces per level.
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
