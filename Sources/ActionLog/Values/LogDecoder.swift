/// Reads a value from what the log holds of it.
///
/// ```swift
/// let decoder = LogDecoder(["count": 1])
/// let members = try decoder.members()
/// try members.value("count", Int.self)  // 1
/// ```
public struct LogDecoder {
  /// The value in the log.
  public let json: JSON
  let context: Context
  /// The name of the enum case whose payload this is: a step of the way to what is in it.
  private var caseName: String?
  /// The text of the template in the log, for a value that is read in step with it; `nil` for any other template.
  package private(set) var earlier: JSON?

  /// A decoder of a whole value.
  public init(_ json: JSON) {
    self.init(json, context: Context())
  }

  /// A decoder that reads a value in step with an earlier one: parts that are the same in the log stay as they are in the template.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - earlier: The template as the log has it.
  ///   - keeper: Keeps the identity of values that have changed.
  package init(_ json: JSON, after earlier: JSON, keeper: any IdentityKeeper) {
    self.init(json, context: Context(keeper: keeper), after: earlier)
  }

  init(_ json: JSON, context: Context, after earlier: JSON? = nil) {
    self.json = json
    self.context = context
    self.earlier = earlier
  }

  /// What all decoders of one value share: where they stand, and what did not fit.
  final class Context {
    var path = JSON.Pointer()
    var drift: [SchemaDrift] = []
    /// Whether a part of the template stands in for a value that the log does not hold.
    var hasStandIns = false
    /// Keeps the identity of values that are read in step with earlier ones.
    let keeper: (any IdentityKeeper)?

    init(keeper: (any IdentityKeeper)? = nil) { self.keeper = keeper }

    func at<Value>(_ token: String, _ body: () throws -> Value) rethrows -> Value {
      path.tokens.append(token)
      defer { path.tokens.removeLast() }
      return try body()
    }
  }
}

extension LogDecoder {
  /// The place of this decoder in the value.
  public var path: JSON.Pointer { caseName.map(context.path.appending) ?? context.path }

  /// Does something within a member or element.
  func at<Value>(_ token: String, _ body: () throws -> Value) rethrows -> Value {
    guard let caseName else { return try context.at(token, body) }
    return try context.at(caseName) { try context.at(token, body) }
  }

  /// The members that only the log or only the code has, as far as the value has been read.
  public var drift: [SchemaDrift] { context.drift }

  /// Whether a part of the template stands in for a value that the log does not hold, as far as the value has been read.
  package var hasStandIns: Bool { context.hasStandIns }

  /// The part of the template that stands in for a value of which the log holds the type alone.
  ///
  /// - Throws: `LogDecodingError` when there is none.
  func standIn<Value>(for opaque: String, _ template: Value?) throws -> Value {
    guard let template else { throw error(.opaque(opaque), type: Value.self) }
    context.hasStandIns = true
    return template
  }

  /// A decoder of a value that stands for the one at this place.
  package func inside(_ json: JSON) -> LogDecoder { LogDecoder(json, context: context) }

  /// An error that names this place.
  public func error(
    _ problem: LogDecodingError.Problem,
    type: Any.Type
  ) -> LogDecodingError {
    LogDecodingError(path: path, type: LogTypeName.of(type), problem: problem)
  }

  /// An error that says what is written here and what the type needs.
  func mismatch(_ type: Any.Type, expected: String) -> LogDecodingError {
    error(.mismatch(expected: expected, found: json), type: type)
  }

  /// The members of the object that is written here.
  ///
  /// - Throws: `LogDecodingError` when it is no object.
  public func members(of type: Any.Type = Any.self) throws -> Members {
    guard let object = json.object else { throw mismatch(type, expected: "an object") }
    return Members(decoder: self, object: object)
  }

  /// The name of the enum case that is written here, and its payload.
  ///
  /// ```swift
  /// let (name, payload) = try LogDecoder(["rename": ["_0": "Milk"]]).enumCase()
  /// name                                            // rename
  /// try payload.members().value("_0", String.self)  // Milk
  /// ```
  ///
  /// - Throws: `LogDecodingError` when it is no object with one member.
  public func enumCase(of type: Any.Type = Any.self) throws -> (name: String, payload: LogDecoder) {
    guard let object = json.object, object.count == 1, let name = object.firstKey,
      let payload = object.values.first
    else { throw mismatch(type, expected: "an object with one member, the name of a case") }
    var inner = LogDecoder(payload, context: context, after: earlier?.payload(of: name))
    inner.caseName = name
    return (Self.unescaped(name), inner)
  }

  /// The elements of the array that is written here.
  ///
  /// ```swift
  /// try LogDecoder([1, 2]).elements(of: Int.self)  // [1, 2]
  /// ```
  ///
  /// - Throws: `LogDecodingError` when it is no array, or when an element is not of this type.
  public func elements<Element>(of type: Element.Type) throws -> [Element] {
    guard let known = type as? any LogValue.Type else {
      return try elements { try $0.value(type) }
    }
    return try elements(as: known)
  }

  private func elements<Known: LogValue, Element>(as type: Known.Type) throws -> [Element] {
    guard let given = TypeEquality<Known, Element>() else { throw error(.notDecodable, type: type) }
    return given(try elements { try $0.value(type) })
  }

  /// The elements of the array that is written here, each read by a function.
  ///
  /// - Throws: `LogDecodingError` when it is no array, and what the function throws.
  package func elements<Element>(_ read: (LogDecoder) throws -> Element) throws -> [Element] {
    try elements(after: { _ in nil }, read)
  }

  /// The same, each in step with an earlier element.
  ///
  /// - Parameters:
  ///   - earlier: The earlier element of one, as the log has it.
  ///   - read: Reads an element.
  /// - Returns: The elements.
  /// - Throws: `LogDecodingError` when it is no array, and what the function throws.
  package func elements<Element>(
    after earlier: (JSON) throws -> JSON?,
    _ read: (LogDecoder) throws -> Element
  ) throws -> [Element] {
    guard let elements = json.array else { throw mismatch([Element].self, expected: "an array") }
    var values: [Element] = []
    values.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      values.append(
        try at(String(index)) {
          try read(LogDecoder(element, context: context, after: try earlier(element)))
        }
      )
    }
    return values
  }

  /// Reads the elements of an array in step with those of the template; equal ones at either end stay.
  ///
  /// - Returns: The elements; `nil` when there is nothing to be in step with.
  /// - Throws: `LogDecodingError`.
  func elementsInStep<Element>(over template: [Element]?) throws -> [Element]? {
    guard let template, let earlier = earlier?.array, let elements = json.array,
      earlier.count == template.count
    else { return nil }
    let shorter = min(earlier.count, elements.count)
    var (start, end) = (0, 0)
    while start < shorter, earlier[start] == elements[start] { start += 1 }
    while end < shorter - start,
      earlier[earlier.count - 1 - end] == elements[elements.count - 1 - end]
    { end += 1 }
    let isPaired = earlier.count == elements.count
    var changed: [Element] = []
    for index in start..<elements.count - end {
      changed.append(
        try element(
          index,
          after: isPaired ? earlier[index] : nil,
          over: isPaired ? template[index] : nil
        )
      )
    }
    var values = template
    values.replaceSubrange(start..<template.count - end, with: changed)
    return values
  }

  /// Reads an element in step with an earlier one.
  ///
  /// - Parameters:
  ///   - index: Its index, which exists.
  ///   - earlier: The template as the log has it.
  ///   - template: The earlier element.
  /// - Returns: The element.
  /// - Throws: `LogDecodingError`.
  package func element<Element>(
    _ index: Int,
    after earlier: JSON?,
    over template: Element?
  ) throws -> Element {
    try at(String(index)) {
      let element = json.array?[index] ?? .null
      return try LogDecoder(element, context: context, after: earlier).value(over: template)
    }
  }

  /// The user's name of a member that was written with one `$` more.
  static func unescaped(_ name: String) -> String {
    name.hasPrefix("$$") ? String(name.dropFirst()) : name
  }
}

extension LogDecoder {
  /// The members of an object, each to be asked for once by the user's name.
  ///
  /// ```swift
  /// let decoder = LogDecoder(["count": 1, "old": true])
  /// let members = try decoder.members()
  /// try members.value("count", Int.self)  // 1
  /// members.finish()
  /// decoder.drift                         // /old is unknownToCode
  /// ```
  public struct Members {
    private let decoder: LogDecoder
    private let object: JSON.Object
    private let asked = Asked()

    /// The slots of the members that were asked for, as bits; beyond those that a word has, in a set.
    private final class Asked {
      private var bits: UInt64 = 0
      private var beyond: Set<Int> = []

      func insert(_ position: Int) {
        if position < UInt64.bitWidth {
          bits |= 1 << UInt64(position)
        } else {
          beyond.insert(position)
        }
      }

      func contains(_ position: Int) -> Bool {
        position < UInt64.bitWidth ? bits & 1 << UInt64(position) != 0 : beyond.contains(position)
      }
    }

    init(decoder: LogDecoder, object: JSON.Object) {
      self.decoder = decoder
      self.object = object
    }

    /// The user's names of all members, in order.
    public var names: [String] { object.keys.map(LogDecoder.unescaped) }

    /// Whether one of these members is not in the log.
    ///
    /// ```swift
    /// let members = try LogDecoder(["width": 3]).members()
    /// members.lackAny(of: "width", "height")  // true: not the case `rectangle(width:height:)`
    /// ```
    public func lackAny(of names: String...) -> Bool {
      names.contains { object.slot(of: Self.key($0)) == nil }
    }

    /// Reads a member.
    ///
    /// What the log lacks comes from the template, which is noted as drift; without one it is what the member's
    /// declaration gives it, and an optional is `nil`.
    ///
    /// - Throws: `LogDecodingError` when the member is missing or is not of this type.
    public func value<Value>(
      _ name: String,
      _ type: Value.Type = Value.self,
      over template: Value? = nil,
      declared: Value? = nil
    ) throws -> Value {
      try value(name, over: template ?? declared) { try $0.value(type, over: template) }
    }

    /// Reads a member of a type that describes itself.
    ///
    /// - Throws: As for any type.
    public func value<Value: LogValue>(
      _ name: String,
      _ type: Value.Type = Value.self,
      over template: Value? = nil,
      declared: Value? = nil
    ) throws -> Value {
      try value(name, over: template ?? declared) { try $0.value(type, over: template) }
    }

    private func value<Value>(
      _ name: String,
      over fallback: Value?,
      _ read: (LogDecoder) throws -> Value
    ) throws -> Value {
      let key = Self.key(name)
      return try decoder.at(key) {
        if let slot = object.slot(of: key) {
          asked.insert(slot)
          let earlier = decoder.earlier?.object?[key]
          return try read(
            LogDecoder(object.value(in: slot), context: decoder.context, after: earlier)
          )
        }
        if let fallback {
          decoder.context.drift.append(SchemaDrift(path: decoder.context.path, kind: .missingInLog))
          return fallback
        }
        if let optional = Value.self as? any AnyOptional.Type, let none = optional.null as? Value {
          decoder.context.drift.append(SchemaDrift(path: decoder.context.path, kind: .missingInLog))
          return none
        }
        throw decoder.inside(.null).error(.missing, type: Value.self)
      }
    }

    /// The name under which a member is written: a dollar of the user's is written with one more.
    private static func key(_ name: String) -> String {
      name.hasPrefix("$") ? "$" + name : name
    }

    /// Notes the members that were not asked for as drift.
    public func finish() {
      for (slot, key) in object.namesBySlot where !asked.contains(slot) {
        decoder.context.drift.append(
          SchemaDrift(path: decoder.path.appending(key), kind: .unknownToCode)
        )
      }
    }
  }
}

extension JSON {
  /// The payload of an enum case that is written here; `nil` for another case.
  fileprivate func payload(of name: String) -> JSON? {
    guard let object, object.count == 1, object.firstKey == name else { return nil }
    return object.values.first
  }
}

/// Keeps the identity of a value that is read in step with an earlier one.
package protocol IdentityKeeper {
  /// Gives a value the identity of an earlier one.
  ///
  /// - Parameters:
  ///   - template: The earlier value.
  ///   - value: What it has become.
  ///   - names: The members that have changed, where the log has it as an object.
  /// - Returns: The value.
  func keepIdentity<Value: LogValue>(
    of template: Value,
    in value: Value,
    changed names: [String]
  ) -> Value
}

/// An optional type of which only the metatype is at hand.
protocol AnyOptional {
  static var null: Any { get }
}
extension Optional: AnyOptional {
  static var null: Any { Self.none as Any }
}

/// Why a value cannot be read from what the log holds of it.
///
/// ```swift
/// do { _ = try LogDecoder(["isDone": 1]).members().value("isDone", Bool.self) } catch { print(error) }
/// // 'isDone' should be a boolean for Bool; found 1
/// ```
public struct LogDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place within the value.
  public let path: JSON.Pointer
  /// The type that was to be read there.
  public let type: String
  /// The problem at that place.
  public let problem: Problem

  /// A problem of a value in the log.
  ///
  /// ```swift
  /// guard let color = Color(rawValue: name) else { throw decoder.error(.unknownCase(name), type: Color.self) }
  /// ```
  public enum Problem: Hashable, Sendable {
    /// The log has no such member, and there is no value to stand in for it.
    case missing
    /// The log holds something else than the type is written as.
    case mismatch(expected: String, found: JSON)
    /// The enum has no such case.
    case unknownCase(String)
    /// The log holds only the name of the type, for the type could not be written.
    case opaque(String)
    /// The type has no way of being read.
    case notDecodable
    /// The type is a box, such as `any Sendable`, and the log does not have the type of what is in it.
    case boxed
    /// The type's own `init(from:)` refused it.
    case refused(String)
  }

  /// The place, what was found and what was expected.
  public var description: String { Wording.describe(self) }

  /// The same, with the lines of code that the log names itself.
  package func description(_ remedies: LogRemedies) -> String { Wording.describe(self, remedies) }
}

/// A part of a value that the log has and the code has not, or the other way round.
///
/// ```swift
/// for drift in decoder.drift { print(drift.path, drift.kind) }  // /todos/0/isDone missingInLog
/// ```
public struct SchemaDrift: Hashable, Sendable {
  /// The place of the part.
  public let path: JSON.Pointer
  /// The side that lacks it.
  public let kind: Kind

  /// A drift at a place.
  public init(path: JSON.Pointer, kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// The side that lacks the part.
  ///
  /// ```swift
  /// let isOlderLog = decoder.drift.contains { $0.kind == .missingInLog }
  /// ```
  public enum Kind: String, Hashable, Sendable {
    /// The code has a member that the log lacks; it keeps the value that a fresh state has.
    case missingInLog
    /// The log has a member that the code no longer has.
    case unknownToCode
  }
}
