/// The notation for people: actions, values, and paths as the author of the app writes them in Swift.
///
/// ```swift
/// let action: JSON = ["path": ["_0": ["element": ["id": 2, "action": ["report": ["_0": ["reload": [:]]]]]]]]
/// Notation().action(action)                                                // .path[2].report.reload
/// Notation().pathText(try JSON.Pointer(parsing: "/todos/0/title"))         // todos[0].title
/// ```
///
/// The notation follows from the log's JSON alone. `ActionPattern` and `ValuePath` parse it.
package struct Notation: Sendable {
  /// Whether values are written as JSON instead of in Swift notation.
  package var isRaw: Bool
  /// The maximum numbers of columns for a value and for each string inside it.
  ///
  /// The middle of a longer value or string is omitted.
  package var limits: Limits
  /// The ids that this notation has written so far, for unambiguous abbreviations.
  package let ids: IDAbbreviations

  package init(
    isRaw: Bool = false,
    limits: Limits = .standard,
    ids: IDAbbreviations = IDAbbreviations()
  ) {
    self.isRaw = isRaw
    self.limits = limits
    self.ids = ids
  }

  /// The maximum numbers of terminal columns for values and strings.
  package struct Limits: Sendable, Equatable {
    /// The maximum number of columns of a complete value.
    package var value: Int
    /// The maximum number of columns of a string inside a value.
    package var text: Int

    package init(value: Int, text: Int) { (self.value, self.text) = (value, text) }

    /// The default limits: 400 columns for a value, and 120 for a string.
    ///
    /// People don't compare longer values by eye.
    package static let standard = Limits(value: 400, text: 120)
    package static let none = Limits(value: .max / 4, text: .max / 4)
  }

  /// Returns the notation with values and strings limited to a number of columns.
  ///
  /// If `columns` is `nil` or not less than the current limit for values, the limits stay unchanged.
  package func limited(to columns: Int?) -> Notation {
    guard let columns, columns < limits.value else { return self }
    return Notation(
      isRaw: isRaw,
      limits: Limits(value: columns, text: min(limits.text, columns)),
      ids: ids
    )
  }

  /// Whether the limits are off, so that values are complete.
  package var isFull: Bool { limits == .none }
}

extension Notation {
  /// Returns an action in Swift notation, or as JSON if `isRaw` is `true`.
  package func action(_ action: JSON) -> String {
    guard !isRaw else { return raw(action) }
    var writer = NotationWriter(self)
    writer.action(JSONView(action))
    return writer.output.text
  }

  /// Returns a value in Swift notation, or as JSON if `isRaw` is `true`.
  package func value(_ value: JSON) -> String {
    guard !isRaw else { return raw(value) }
    var writer = NotationWriter(self)
    writer.value(JSONView(value))
    return writer.output.text
  }

  /// Returns a value in Swift notation, on several lines if it is long.
  ///
  /// A long value has one line for each member or element.
  package func lines(_ value: JSON) -> String {
    var writer = NotationWriter(self)
    writer.lines(JSONView(value))
    return writer.output.text
  }

  /// Returns the name of an action's case with a dot, such as `.saved`.
  ///
  /// If the name is not an identifier, it has no dot, and hidden characters are made visible.
  package static func caseName(_ name: String) -> String {
    name.isSwiftIdentifier ? ".\(name)" : visible(name)
  }

  /// Returns a patch without changes inside tagged values, because people see a tagged value as a single value.
  ///
  /// Such a change becomes a change to the complete tagged value. If `isRaw` is `true`, the patch stays unchanged.
  package func shown(_ patch: PatchText, _ before: JSON?) -> PatchText {
    isRaw ? patch : patch.outsideTags(in: before)
  }

  /// Returns a string from the app on one line, with hidden characters made visible.
  package static func visible(
    _ text: some StringProtocol,
    quote: Unicode.Scalar = "\u{1}"
  ) -> String {
    EscapedText.of(text, quote: quote, escapesBackslash: false)
  }

  /// Returns the lines of a string from the app, with hidden characters made visible.
  ///
  /// GitHub Actions interprets none of the lines as a command.
  package static func visibleLines(_ text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false) { "\n\r\r\n".contains($0) }
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { visible($0).withoutControls() }
  }

  package func append(action: JSONText, to output: inout [UInt8]) {
    action.withBytes { append($0, to: &output) { $0.action($1) } }
  }

  package func append(value: JSONText, to output: inout [UInt8]) {
    value.withBytes { append(value: $0, to: &output) }
  }

  /// Appends a value in Swift notation, or as JSON if `isRaw` is `true`.
  ///
  /// - Parameters:
  ///   - value: The value as valid JSON text.
  ///   - output: The bytes to which the notation is appended, in UTF-8.
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
    // Moves the bytes out of `output`, so that they have one owner and are changed without a copy.
    output = []
    write(&writer, JSONView(text))
    output = writer.output.bytes
  }

  /// Returns `place`, or the path as a pointer if values are written as JSON.
  package func shown(_ pointer: JSON.Pointer, as place: String) -> String {
    isRaw ? Self.visible(pointer.description) : place
  }

  /// Returns the names of an action's cases, beginning with the root's, with `[]` for an element:
  /// `.path[].report.reload`.
  package func casePath(_ action: JSON) -> String {
    var writer = NotationWriter(self)
    writer.casePath(JSONView(action))
    return writer.output.text
  }

  /// Appends the names of an action's cases, beginning with the root's.
  package func append(casePath action: JSONText, to output: inout [UInt8]) {
    action.withBytes { text in
      var writer = NotationWriter(self, appendingTo: output)
      // Moves the bytes out of `output`, so that they have one owner and are changed without a copy.
      output = []
      writer.casePath(JSONView(text))
      output = writer.output.bytes
    }
  }

  /// Returns the notation of a cancellation id, such as `CancelID.load`.
  ///
  /// If several ids have the same text, all but the first have a number as a suffix: `CancelID.load#2`.
  package func cancelID(_ id: EffectDescription.CancelID) -> String {
    let number = id.number > 1 && !id.value.isOrdinal ? "#\(id.number)" : ""
    guard !isRaw else { return "\(Self.visible(id.type)) \(raw(id.value))\(number)" }
    var writer = NotationWriter(self)
    writer.typed(id.type, JSONView(id.value))
    return writer.output.text + number
  }

  /// Returns the form that ids with different values have in common: `CancelID.load`, `OrderRow.TimerID(id: …)`.
  package func form(of id: EffectDescription.CancelID) -> String {
    var writer = NotationWriter(self)
    writer.form(id.type, JSONView(id.value))
    return writer.output.text
  }
}

// MARK: - Values as JSON

extension Notation {
  private func raw(_ json: JSON) -> String {
    var output: [UInt8] = []
    Array(json.bytes).withUnsafeBufferPointer { appendRaw($0, to: &output) }
    return String(decoding: output, as: UTF8.self)
  }

  private func appendRaw(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    guard text.count > limits.value else { return output.append(visibleJSON: text) }
    // In ASCII, each byte is a character. A combining character can follow the last one, so one more byte is checked.
    if text.prefix(limits.value + 1).allSatisfy({ $0 < 0x80 }) {
      output.append(visibleJSON: UnsafeBufferPointer(rebasing: text.prefix(limits.value)))
    } else {
      // If the characters have more than eight bytes on average, the complete text is decoded.
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
  /// This JSON text with hidden characters inside strings written as JSON escapes.
  package var visibleJSON: String {
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      // A line feed occurs only between values, because strings contain it escaped.
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
