import ActionLog
import ReplayEngine

/// The short form of a change: the path, the old value, an arrow, and the new value.
///
/// ```text
/// todos[0].title: "" → "Buy milk"
/// ```
struct ChangeText {
  let style: Style
  /// The notation for old and new values, with limits on their length.
  let value: Notation

  /// Appends the text for one operation of a patch.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - before: The state before the patch, which contains the old value, or `nil` if it is unknown.
  ///   - output: The UTF-8 text to append to.
  func write(
    _ operation: borrowing PatchText.LoggedOperation,
    _ before: JSON?,
    to output: inout [UInt8]
  ) {
    guard let path = operation.path else { return write(operation.operation, before, to: &output) }
    let pointer = operation.pointer ?? JSON.Pointer()
    output.append(Wording.pathText(pointer, style.notation, in: before))
    output.append(literal: ": ")
    let old = operation.isAddition ? nil : before?[text: path]
    if let new = operation.value {
      writeOld(old, isReplaced: true, to: &output)
      output.append(literal: style.opening(.green))
      if old == nil { output.append(literal: "+ ") }
      value.append(value: new, to: &output)
      output.append(literal: style.closing)
    } else {
      writeOld(old, isReplaced: false, to: &output)
    }
  }

  /// Appends the old value, either before an arrow or after a minus sign.
  private func writeOld(_ old: JSON?, isReplaced: Bool, to output: inout [UInt8]) {
    guard let old else { return }
    output.append(literal: style.opening(.red))
    if !isReplaced { output.append(literal: "− ") }
    output.append(value.value(old))
    output.append(literal: style.closing)
    if isReplaced { output.append(literal: " → ") }
  }

  private func write(
    _ operation: JSON.Patch.Operation,
    _ before: JSON?,
    to output: inout [UInt8]
  ) {
    func pathText(_ path: JSON.Pointer) -> String {
      Wording.pathText(path, style.notation, in: before)
    }
    switch operation {
    case .add(let path, let new):
      output.append("\(pathText(path)): " + style.green("+ \(value.value(new))"))
    case .remove(let path):
      let old = before?[path].map { style.red("− \(value.value($0))") } ?? "−"
      output.append("\(pathText(path)): \(old)")
    case .replace(let path, let new):
      let old = before?[path].map { style.red(value.value($0)) + " → " } ?? ""
      output.append("\(pathText(path)): \(old)" + style.green(value.value(new)))
    case .splice(let path, let splice):
      let removed = before?[path]?.string.flatMap { try? splice.removed(from: $0) } ?? ""
      let texts = [
        removed.isEmpty ? nil : style.red("− \(value.value(.string(removed)))"),
        splice.inserted.isEmpty ? nil : style.green("+ \(value.value(.string(splice.inserted)))"),
      ]
      output.append("\(pathText(path)): \(texts.compactMap(\.self).joined(separator: " "))")
    case .move(let from, let path): output.append("\(pathText(path)): moved from \(pathText(from))")
    case .copy(let from, let path):
      output.append("\(pathText(path)): copied from \(pathText(from))")
    case .test(let path, _): output.append("\(pathText(path)): tested")
    }
  }
}
