import ActionLog
import Foundation

/// Converts values from a log to Swift expressions.
///
/// If the type of a value is ambiguous, the expression decodes the log's JSON with `logged`, which works for any type.
struct SwiftValues {
  /// The library of the test store.
  let library: StoreTestLibrary
  let places: ValueTypeInference
  /// The dates that reducers have read, as text.
  ///
  /// A string in the log that equals one of these dates is a date.
  let dates: Set<String>
  /// Information that the log lacks about the members of the state.
  let members: StoreTest.StateMemberTraits

  typealias WildcardPath = ValueTypeInference.WildcardPath

  /// Returns an expression for the value at a path.
  func expression(_ value: JSON, at place: WildcardPath) -> SwiftCode {
    guard !members.isWhole(place) else { return .logged(value) }
    return plain(value, at: place) ?? .logged(value)
  }

  /// Returns an expression as a person would write it, or `nil` if the type of the value is ambiguous.
  func plain(_ value: JSON, at place: WildcardPath) -> SwiftCode? {
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

  private func plain(_ text: String, at place: WildcardPath) -> SwiftCode? {
    if let number = text.smallUUID { return SwiftCode("UUID(\(number))") }
    if text.isUUID || text.isDate {
      return dates.contains(text) ? Self.date(text) : nil
    }
    guard !text.isURL, !text.isBase64 else { return nil }
    // A string with a single letter is probably no enum case. A string literal is valid for both `String` and
    // `Character`.
    if text.utf8.count == 1 || !text.isWord || places.isText(place) { return .text(text) }
    guard places.isWordOfEnum(place), !text.isCaseOfOptional else { return nil }
    return SwiftCode(".\(SwiftNameConverter.quotedMember(text))")
  }

  private func enumCase(_ value: JSON, at place: WildcardPath) -> SwiftCode? {
    if let error = value["$error"] { return Self.error(error) }
    guard let (name, payload) = places.enumCase(value, at: place), name != "_",
      // For an optional enum, `.none` and `.some` would be cases of `Optional`.
      !name.isCaseOfOptional || place.count == 1
    else { return nil }
    let head = ".\(SwiftNameConverter.quotedMember(name))"
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

  /// Returns an expression for an error that the log describes by its type and case, or `nil` for other errors.
  private static func error(_ error: JSON) -> SwiftCode? {
    guard let type = error["type"]?.string, SwiftTypeNameValidator.isValid(type),
      let value = error["value"]?.object, value.count == 1, let name = value.firstKey,
      let payload = value.values[0].object, name.isSwiftIdentifier
    else { return nil }
    var parts: [SwiftCode] = []
    for (label, value) in payload {
      guard let part = value.scalar, label.isPlaceOfPayload || label.isSwiftIdentifier, label != "_"
      else { return nil }
      parts.append(label.isPlaceOfPayload ? part : part.wrapped("\(label): "))
    }
    let head = "\(type).\(SwiftNameConverter.quotedMember(name))"
    return parts.isEmpty ? SwiftCode(head) : SwiftCode.list(parts).wrapped("\(head)(", ")")
  }

  /// Returns an expression for a date, or `nil` if no expression results in exactly the same date.
  static func date(_ text: String) -> SwiftCode? {
    guard let date = try? LogDecoder(.string(text)).value(Date.self) else { return nil }
    return SwiftCode("Date(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))")
  }
}

extension JSON {
  /// A literal for a number or a Boolean value, or `nil` for other values.
  fileprivate var scalar: SwiftCode? {
    switch self {
    case .bool(let value): SwiftCode("\(value)")
    case .number(let number): SwiftCode(number.literal)
    default: nil
    }
  }
}

extension String {
  /// Whether `Optional` has a case with this name, which would hide the enum's own case.
  var isCaseOfOptional: Bool { self == "none" || self == "some" }

  /// The number in a UUID from `UUIDGenerator.incrementing`, or `nil` for other strings.
  fileprivate var smallUUID: Int? {
    let zeros = "00000000-0000-0000-0000-00000000"
    guard utf8.count == 36, hasPrefix(zeros) else { return nil }
    return Int(dropFirst(zeros.count), radix: 16)
  }

  /// Whether the string is a UUID as a log contains it, with uppercase digits.
  fileprivate var isUUID: Bool { utf8.count == 36 && UUID(uuidString: self)?.uuidString == self }

  /// Whether the string starts with a URL scheme.
  fileprivate var isURL: Bool {
    guard let end = firstRange(of: "://")?.lowerBound else { return false }
    return self[..<end].allSatisfy { $0.isASCII && $0.isLetter } && !contains(" ")
  }

  /// Whether the string looks like Base64 data, which must end with padding to be told apart from words.
  fileprivate var isBase64: Bool {
    utf8.count % 4 == 0 && hasSuffix("=") && Data(base64Encoded: self) != nil
  }

  /// Whether the string looks like a date as a log contains it.
  fileprivate var isDate: Bool {
    utf8.count >= 20 && utf8.last == UInt8(ascii: "Z") && contains("T") && first?.isNumber == true
      && (try? LogDecoder(.string(self)).value(Date.self)) != nil
  }
}

extension SwiftNameConverter {
  /// Returns a member name in backticks if it needs them after a dot.
  static func quotedMember(_ name: String) -> String {
    ["init", "self", "Type", "Protocol"].contains(name) ? "`\(name)`" : name
  }
}
