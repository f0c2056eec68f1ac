import ActionLog
import Foundation

/// Writes values of a log as Swift expressions.
///
/// A value that may not be expressible as a literal is read from the log's JSON by `logged`, which accepts any type.
struct SwiftValues {
  let places: ValuePlaces
  /// The dates that reducers have read.
  ///
  /// An equal text in the log is therefore a date.
  let dates: Set<String>
  /// Further information about members.
  let members: StoreTest.StateMembers

  typealias Place = ValuePlaces.Place

  /// Returns an expression for a value.
  func expression(_ value: JSON, at place: Place) -> SwiftCode {
    guard !members.isWhole(place) else { return .logged(value) }
    return plain(value, at: place) ?? .logged(value)
  }

  /// Returns a handwritten expression for a value; `nil` if its type is ambiguous.
  func plain(_ value: JSON, at place: Place) -> SwiftCode? {
    switch value {
    case .null: return SwiftCode("nil")
    case .bool(let value): return SwiftCode("\(value)")
    case .number(let number): return members.readsAll ? nil : SwiftCode(number.literal)
    case .string(let text): return members.readsAll ? nil : plain(text, at: place)
    case .array(let elements):
      let parts = elements.map { plain($0, at: place + ["*"]) }
      guard parts.allSatisfy({ $0.map { $0.lines.count == 1 && !$0.canThrow } ?? false }) else {
        return nil
      }
      return SwiftCode.list(parts.compactMap(\.self)).wrapped("[", "]")
    case .object: return self.enumCase(value, at: place)
    }
  }

  private func plain(_ text: String, at place: Place) -> SwiftCode? {
    if let number = text.smallUUID { return SwiftCode("UUID(\(number))") }
    if text.isUUID || text.isDate {
      return dates.contains(text) ? Self.date(text) : nil
    }
    guard !text.isURL, !text.isBase64 else { return nil }
    // A single letter is no name, and as a literal it may be a character.
    if text.utf8.count == 1 || !text.isWord || places.isText(place) { return .text(text) }
    guard places.isWordOfEnum(place), !text.isCaseOfOptional else { return nil }
    return SwiftCode(".\(SwiftName.quotedMember(text))")
  }

  private func enumCase(_ value: JSON, at place: Place) -> SwiftCode? {
    if let error = value["$error"] { return Self.error(error) }
    guard let (name, payload) = places.enumCase(value, at: place), name != "_",
      // For an optional enum, the compiler would choose the case of `Optional`.
      !name.isCaseOfOptional || place.count == 1
    else { return nil }
    let head = ".\(SwiftName.quotedMember(name))"
    guard !payload.isEmpty else { return SwiftCode(head) }
    let inner = place + [name]
    if name == "set", let path = payload["_0"]?.string, let value = payload["_1"],
      payload.count == 2
    {
      guard path.isPropertyPath else { return nil }
      let new = expression(value, at: inner + [path])
      return SwiftCode.list([SwiftCode("\\.\(path)"), new]).wrapped(".set(", ")")
    }
    var parts: [SwiftCode] = []
    for (label, value) in payload {
      let part = expression(value, at: inner + [label])
      guard label.isPlaceOfPayload || label.isSwiftIdentifier, label != "_" else { return nil }
      parts.append(label.isPlaceOfPayload ? part : part.wrapped("\(label): "))
    }
    return SwiftCode.list(parts).wrapped("\(head)(", ")")
  }

  /// Returns an error that the log identifies by its type and case.
  private static func error(_ error: JSON) -> SwiftCode? {
    guard let type = error["type"]?.string, SwiftTypeName.isValid(type),
      let value = error["value"]?.object, value.count == 1, let name = value.firstKey,
      let payload = value.values[0].object, name.isSwiftIdentifier
    else { return nil }
    var parts: [SwiftCode] = []
    for (label, value) in payload {
      guard let part = value.scalar, label.isPlaceOfPayload || label.isSwiftIdentifier, label != "_"
      else { return nil }
      parts.append(label.isPlaceOfPayload ? part : part.wrapped("\(label): "))
    }
    let head = "\(type).\(SwiftName.quotedMember(name))"
    return parts.isEmpty ? SwiftCode(head) : SwiftCode.list(parts).wrapped("\(head)(", ")")
  }

  /// Returns a date expression that reads back as the same date.
  static func date(_ text: String) -> SwiftCode? {
    guard let date = try? LogDecoder(.string(text)).value(Date.self) else { return nil }
    return SwiftCode("Date(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))")
  }
}

extension JSON {
  /// A number or Boolean value as a literal.
  fileprivate var scalar: SwiftCode? {
    switch self {
    case .bool(let value): SwiftCode("\(value)")
    case .number(let number): SwiftCode(number.literal)
    default: nil
    }
  }
}

extension String {
  /// Whether `Optional` has a case with this name.
  var isCaseOfOptional: Bool { self == "none" || self == "some" }

  /// The number of a UUID from an incrementing generator.
  fileprivate var smallUUID: Int? {
    let zeros = "00000000-0000-0000-0000-00000000"
    guard utf8.count == 36, hasPrefix(zeros) else { return nil }
    return Int(dropFirst(zeros.count), radix: 16)
  }

  /// Whether the text is a UUID in the form of a log.
  fileprivate var isUUID: Bool { utf8.count == 36 && UUID(uuidString: self)?.uuidString == self }

  /// Whether the text starts with the scheme of a URL.
  fileprivate var isURL: Bool {
    guard let end = firstRange(of: "://")?.lowerBound else { return false }
    return self[..<end].allSatisfy { $0.isASCII && $0.isLetter } && !contains(" ")
  }

  /// Whether the text looks like data in the form of a log.
  ///
  /// Without padding, Base64 looks like any word.
  fileprivate var isBase64: Bool {
    utf8.count % 4 == 0 && hasSuffix("=") && Data(base64Encoded: self) != nil
  }

  /// Whether the text looks like a date in the form of a log.
  fileprivate var isDate: Bool {
    utf8.count >= 20 && utf8.last == UInt8(ascii: "Z") && contains("T") && first?.isNumber == true
      && (try? LogDecoder(.string(self)).value(Date.self)) != nil
  }
}

extension SwiftName {
  /// Returns a name after a dot.
  static func quotedMember(_ name: String) -> String {
    ["init", "self", "Type", "Protocol"].contains(name) ? "`\(name)`" : name
  }
}
