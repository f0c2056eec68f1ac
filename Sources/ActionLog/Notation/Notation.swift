/// How people read a log: actions, values and places as the author of the app writes them in Swift.
///
/// ```swift
/// let action: JSON = ["path": ["_0": ["element": ["id": 2, "action": ["report": ["_0": ["reload": [:]]]]]]]]
/// Notation().action(action)                                                // .path[2].report.reload
/// Notation().place(try JSON.Pointer(parsing: "/todos/0/title"))            // todos[0].title
/// ```
///
/// It is written from the log's JSON alone, and what is written is read back by `ActionPattern` and `Place`.
package struct Notation: Sendable {
  /// Whether values are written as the log has them.
  package var isRaw: Bool
  /// How many columns a value and a text in it may take; more is cut in the middle.
  package var limits: Limits
  /// The ids so far.
  package let ids: IDTable

  package init(isRaw: Bool = false, limits: Limits = .standard, ids: IDTable = IDTable()) {
    self.isRaw = isRaw
    self.limits = limits
    self.ids = ids
  }

  /// The columns that values may take.
  package struct Limits: Sendable, Equatable {
    /// Of a whole value.
    package var value: Int
    /// Of a text within it.
    package var text: Int

    package init(value: Int, text: Int) { (self.value, self.text) = (value, text) }

    /// Longer values are not compared by eye.
    package static let standard = Limits(value: 400, text: 120)
    package static let none = Limits(value: .max / 4, text: .max / 4)
  }

  /// The same for values that have less room; `nil` changes nothing.
  package func limited(to columns: Int?) -> Notation {
    guard let columns, columns < limits.value else { return self }
    return Notation(
      isRaw: isRaw,
      limits: Limits(value: columns, text: min(limits.text, columns)),
      ids: ids
    )
  }

  /// Whether nothing is cut.
  package var isFull: Bool { limits == .none }
}

extension Notation {
  /// An action.
  package func action(_ action: JSON) -> String {
    guard !isRaw else { return raw(action) }
    var writer = NotationWriter(self)
    writer.action(JSONView(action))
    return writer.output.text
  }

  /// A value of the state, a read, or any other.
  package func value(_ value: JSON) -> String {
    guard !isRaw else { return raw(value) }
    var writer = NotationWriter(self)
    writer.value(JSONView(value))
    return writer.output.text
  }

  /// A value, with a line for each member or element where it does not fit on one line.
  package func lines(_ value: JSON) -> String {
    var writer = NotationWriter(self)
    writer.lines(JSONView(value))
    return writer.output.text
  }

  /// The name of an action's case: `.saved`; a name that is none stays as it is.
  package static func caseName(_ name: String) -> String {
    name.isSwiftIdentifier ? ".\(name)" : visible(name)
  }

  /// A patch as its places and values are written: in the log's own form, its parts of tagged values are none.
  package func shown(_ patch: PatchText, _ before: JSON?) -> PatchText {
    isRaw ? patch : patch.outsideTags(in: before)
  }

  /// Text of the app's own on one line, with hidden characters made visible.
  package static func visible(
    _ text: some StringProtocol,
    quote: Unicode.Scalar = "\u{1}"
  ) -> String {
    VisibleText.of(text, quote: quote, escapesBackslash: false)
  }

  /// Text of the app's own with the lines that it has, and other hidden characters made visible.
  ///
  /// None of the lines is a command for GitHub Actions.
  package static func visibleLines(_ text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false) { "\n\r\r\n".contains($0) }
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { visible($0).withoutControls() }
  }

  /// Appends an action.
  package func append(action: JSONText, to output: inout [UInt8]) {
    action.withBytes { append($0, to: &output) { $0.action($1) } }
  }

  /// Appends a value.
  package func append(value: JSONText, to output: inout [UInt8]) {
    value.withBytes { append(value: $0, to: &output) }
  }

  /// Appends a value that is text, which is known to be JSON.
  package func append(value: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    append(value, to: &output) { $0.value($1) }
  }

  private func append(
    _ text: UnsafeBufferPointer<UInt8>,
    to output: inout [UInt8],
    _ write: (inout NotationWriter, JSONView) -> Void
  ) {
    guard !isRaw else { return appendRaw(text, to: &output) }
    var writer = NotationWriter(self, appendingTo: output)
    // One owner, so that it is not copied.
    output = []
    write(&writer, JSONView(text))
    output = writer.output.bytes
  }

  /// A place whose text is at hand, or its pointer where values are written as the log has them.
  package func shown(_ pointer: JSON.Pointer, as place: String) -> String {
    isRaw ? Self.visible(pointer.description) : place
  }

  /// The names of an action's cases from the root on, with `[]` for an element: `.path[].report.reload`.
  package func casePath(_ action: JSON) -> String {
    var writer = NotationWriter(self)
    writer.casePath(JSONView(action))
    return writer.output.text
  }

  /// Appends the names of an action's cases.
  package func append(casePath action: JSONText, to output: inout [UInt8]) {
    action.withBytes { text in
      var writer = NotationWriter(self, appendingTo: output)
      // One owner, so that it is not copied.
      output = []
      writer.casePath(JSONView(text))
      output = writer.output.bytes
    }
  }

  /// An id that effects are cancelled by: `CancelID.load`, and `CancelID.load#2` for another one that prints alike.
  package func cancelID(_ id: EffectDescription.CancelID) -> String {
    let number = id.number > 1 && !id.value.isOrdinal ? "#\(id.number)" : ""
    guard !isRaw else { return "\(Self.visible(id.type)) \(raw(id.value))\(number)" }
    var writer = NotationWriter(self)
    writer.typed(id.type, JSONView(id.value))
    return writer.output.text + number
  }

  /// The form that ids have in common if they differ in their values alone: `CancelID.load`, `OrderRow.TimerID(id: …)`.
  package func form(of id: EffectDescription.CancelID) -> String {
    var writer = NotationWriter(self)
    writer.form(id.type, JSONView(id.value))
    return writer.output.text
  }
}

// MARK: - As the log has it

extension Notation {
  private func raw(_ json: JSON) -> String {
    var output: [UInt8] = []
    Array(json.bytes).withUnsafeBufferPointer { appendRaw($0, to: &output) }
    return String(decoding: output, as: UTF8.self)
  }

  private func appendRaw(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    guard text.count > limits.value else { return output.append(visibleJSON: text) }
    // In ASCII each byte is a character, also the last one if no combining character follows.
    if text.prefix(limits.value + 1).allSatisfy({ $0 < 0x80 }) {
      output.append(visibleJSON: UnsafeBufferPointer(rebasing: text.prefix(limits.value)))
    } else {
      // Characters with more bytes than these on average need the whole text.
      let start = String(decoding: text.prefix(limits.value * 8), as: UTF8.self)
      var shown = start.prefix(limits.value)
      if shown.endIndex == start.endIndex {
        shown = String(decoding: text, as: UTF8.self).prefix(limits.value)
      }
      output.append(contentsOf: String(shown).visibleJSON.utf8)
    }
    output.append("… (\(text.count) bytes)")
  }
}

extension [UInt8] {
  fileprivate mutating func append(visibleJSON text: UnsafeBufferPointer<UInt8>) {
    guard text.contains(where: { $0 >= 0x7F }) else { return append(contentsOf: text) }
    append(contentsOf: String(decoding: text, as: UTF8.self).visibleJSON.utf8)
  }
}

extension String {
  /// JSON text in which hidden characters, which stand within its strings, are written with the escapes of JSON.
  package var visibleJSON: String {
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      // Between values alone: within a string it is escaped already.
      if scalar.isHidden, scalar != "\n" {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
