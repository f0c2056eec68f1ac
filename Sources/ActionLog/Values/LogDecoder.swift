/// A decoder for a value in a log.
///
/// ```swift
/// let decoder = LogDecoder(["count": 1])
/// let members = try decoder.members()
/// try members.value("count", Int.self)  // 1
/// ```
public struct LogDecoder {
  /// The JSON value to decode.
  public let json: JSON
  let context: Context
  /// The name of the enum case whose payload this decoder reads, which is part of the path.
  ///
  /// `nil` for other values.
  private var caseName: String?
  /// The template in its logged form, or `nil` if no parts of the template are reused.
  package private(set) var earlier: JSON?

  /// Creates a decoder for a complete value.
  public init(_ json: JSON) {
    self.init(json, context: Context())
  }

  /// Creates a decoder that reuses the unchanged parts of a template.
  ///
  /// A part is unchanged if its logged form is equal in `json` and `earlier`.
  ///
  /// - Parameters:
  ///   - json: The JSON value to decode.
  ///   - earlier: The template in its logged form.
  ///   - keeper: An object that gives changed values the identity of their predecessors.
  package init(_ json: JSON, after earlier: JSON, keeper: any IdentityRestorer) {
    self.init(json, context: Context(keeper: keeper), after: earlier)
  }

  init(_ json: JSON, context: Context, after earlier: JSON? = nil) {
    self.json = json
    self.context = context
    self.earlier = earlier
  }

  /// The data that all decoders of a value share: the path, and the differences that were found.
  final class Context {
    var path = JSON.Pointer()
    var drift: [SchemaDrift] = []
    /// Whether a part of the template was used instead of a value that the log lacks.
    var hasStandIns = false
    /// The object that gives decoded values the identity of their templates, or `nil` if identity doesn't matter.
    let keeper: (any IdentityRestorer)?

    init(keeper: (any IdentityRestorer)? = nil) { self.keeper = keeper }

    func at<Value>(_ token: String, _ body: () throws -> Value) rethrows -> Value {
      path.tokens.append(token)
      defer { path.tokens.removeLast() }
      return try body()
    }
  }
}

extension LogDecoder {
  /// The path of this decoder's value within the complete value.
  public var path: JSON.Pointer { caseName.map(context.path.appending) ?? context.path }

  /// Calls a closure with the token of a member or element appended to the path.
  func at<Value>(_ token: String, _ body: () throws -> Value) rethrows -> Value {
    guard let caseName else { return try context.at(token, body) }
    return try context.at(caseName) { try context.at(token, body) }
  }

  /// The members that exist only in the log or only in the code, in the parts decoded so far.
  public var drift: [SchemaDrift] { context.drift }

  /// Whether a part of the template was used instead of a value that the log lacks, in the parts decoded so far.
  package var hasStandIns: Bool { context.hasStandIns }

  /// Returns the template as a substitute for a value of which the log holds only the type.
  ///
  /// - Throws: A `LogDecodingError` if there is no template.
  func standIn<Value>(for opaque: String, _ template: Value?) throws -> Value {
    guard let template else { throw error(.opaque(opaque), type: Value.self) }
    context.hasStandIns = true
    return template
  }

  /// Returns a decoder for other JSON at the same path.
  package func inside(_ json: JSON) -> LogDecoder { LogDecoder(json, context: context) }

  /// Returns an error with this decoder's path.
  public func error(
    _ problem: LogDecodingError.Problem,
    type: Any.Type
  ) -> LogDecodingError {
    LogDecodingError(path: path, type: LogTypeName.of(type), problem: problem)
  }

  /// Returns an error with the value that was found, and the form that the type requires.
  func mismatch(_ type: Any.Type, expected: String) -> LogDecodingError {
    error(.mismatch(expected: expected, found: json), type: type)
  }

  /// Returns the members of the object to decode.
  ///
  /// - Throws: A `LogDecodingError` if the value is not an object.
  public func members(of type: Any.Type = Any.self) throws -> Members {
    guard let object = json.object else { throw mismatch(type, expected: "an object") }
    return Members(decoder: self, object: object)
  }

  /// Returns the name and payload of the enum case to decode.
  ///
  /// ```swift
  /// let (name, payload) = try LogDecoder(["rename": ["_0": "Milk"]]).enumCase()
  /// name                                            // rename
  /// try payload.members().value("_0", String.self)  // Milk
  /// ```
  ///
  /// - Throws: A `LogDecodingError` if the value is not an object with one member.
  public func enumCase(of type: Any.Type = Any.self) throws -> (name: String, payload: LogDecoder) {
    guard let object = json.object, object.count == 1, let name = object.firstKey,
      let payload = object.values.first
    else { throw mismatch(type, expected: "an object with one member, the name of a case") }
    var inner = LogDecoder(payload, context: context, after: earlier?.payload(of: name))
    inner.caseName = name
    return (Self.unescaped(name), inner)
  }

  /// Decodes the elements of an array.
  ///
  /// ```swift
  /// try LogDecoder([1, 2]).elements(of: Int.self)  // [1, 2]
  /// ```
  ///
  /// - Throws: A `LogDecodingError` if the value is not an array, or if an element can't be decoded.
  public func elements<Element>(of type: Element.Type) throws -> [Element] {
    guard let known = type as? any LogValue.Type else {
      return try elements { try $0.value(type) }
    }
    return try elements(as: known)
  }

  private func elements<Known: LogValue, Element>(as type: Known.Type) throws -> [Element] {
    guard let given = SameTypeProof<Known, Element>() else {
      throw error(.notDecodable, type: type)
    }
    return given(try elements { try $0.value(type) })
  }

  /// Decodes the elements of an array with a function.
  ///
  /// - Throws: A `LogDecodingError` if the value is not an array, or the error that `read` throws.
  package func elements<Element>(_ read: (LogDecoder) throws -> Element) throws -> [Element] {
    try elements(after: { _ in nil }, read)
  }

  /// Decodes the elements of an array with a function, and pairs each with an earlier element.
  ///
  /// - Parameters:
  ///   - earlier: A closure that returns the logged form of the earlier element that corresponds to an element, or
  ///     `nil` if there is none.
  ///   - read: A closure that decodes an element.
  /// - Returns: The decoded elements.
  /// - Throws: A `LogDecodingError` if the value is not an array, or the error that one of the closures throws.
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

  /// Decodes the elements of an array, and reuses elements of the template.
  ///
  /// Reuses the equal elements at both ends. If the arrays have the same length, each element in between reuses the
  /// unchanged parts of the one at the same index.
  ///
  /// - Returns: The elements. `nil` if the value is not an array, if there is no template, or if the template's logged
  ///   form is not an array of the template's length.
  /// - Throws: A `LogDecodingError` if an element can't be decoded.
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
    let decode = elementDecoder(Element.self)
    let changed = try (start..<elements.count - end).map { index in
      try decode(index, isPaired ? earlier[index] : nil, isPaired ? template[index] : nil)
    }
    var values = template
    values.replaceSubrange(start..<template.count - end, with: changed)
    return values
  }

  /// Returns a function that decodes an element and reuses the unchanged parts of an earlier one.
  ///
  /// The function takes the index of the element, which must exist, and the earlier element as JSON and as a value. It
  /// throws `LogDecodingError`. The type is examined once for all elements.
  package func elementDecoder<Element>(
    _ type: Element.Type
  ) -> (_ index: Int, _ earlier: JSON?, _ template: Element?) throws -> Element {
    let elements = json.array ?? []
    func typed<Known: LogValue>(
      _ type: Known.Type
    ) -> ((LogDecoder, Element?) throws -> Element)? {
      guard let own = SameTypeProof<Element, Known>(), let given = SameTypeProof<Known, Element>()
      else { return nil }
      return { given(try $0.value(type, over: $1.map { own($0) })) }
    }
    let read = (type as? any LogValue.Type).flatMap { typed($0) } ?? { try $0.value(over: $1) }
    return { index, earlier, template in
      try at(String(index)) {
        try read(LogDecoder(elements[index], context: context, after: earlier), template)
      }
    }
  }

  /// Returns a member's name in the app, without the second `$` that a log adds.
  static func unescaped(_ name: String) -> String {
    name.hasPrefix("$$") ? String(name.dropFirst()) : name
  }
}

extension LogDecoder {
  /// The members of an object to decode.
  ///
  /// Each member is read once, by its name in the app.
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
    /// The members of the template in its logged form, or `nil` if the template isn't reused.
    private let earlier: JSON.Object?
    private let asked = DecodedMemberSlots()

    /// The slots of the members that were read.
    ///
    /// Slots below 64 are bits of a word. Larger ones are stored in a set.
    private final class DecodedMemberSlots {
      private var bits: UInt64 = 0
      private var beyond: Set<Int> = []

      var count: Int { bits.nonzeroBitCount + beyond.count }

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
      earlier = decoder.earlier?.object
    }

    /// The names that the members have in the app, in the order of the log.
    public var names: [String] { object.keys.map(LogDecoder.unescaped) }

    /// Whether the log lacks at least one of the members with these names.
    ///
    /// ```swift
    /// let members = try LogDecoder(["width": 3]).members()
    /// members.lackAny(of: "width", "height")  // true: not the case `rectangle(width:height:)`
    /// ```
    public func lackAny(of names: String...) -> Bool {
      names.contains { object.slot(of: Self.key($0)) == nil }
    }

    /// Decodes a member.
    ///
    /// If the log lacks the member, its value is taken from the template, and drift is recorded. Without a template,
    /// the value is the member's default value, or `nil` for an optional.
    ///
    /// - Throws: A `LogDecodingError` if the member is missing without a substitute, or if its value doesn't fit the
    ///   type.
    public func value<Value>(
      _ name: String,
      _ type: Value.Type = Value.self,
      over template: Value? = nil,
      declared: Value? = nil
    ) throws -> Value {
      try value(name, over: template, declared: declared) { try $0.value(type, over: template) }
    }

    /// Decodes a member whose type conforms to `LogValue`.
    ///
    /// - Throws: A `LogDecodingError` if the member is missing without a substitute, or if its value doesn't fit the
    ///   type.
    public func value<Value: LogValue>(
      _ name: String,
      _ type: Value.Type = Value.self,
      over template: Value? = nil,
      declared: Value? = nil
    ) throws -> Value {
      try value(name, over: template, declared: declared) { try $0.value(type, over: template) }
    }

    private func value<Value>(
      _ name: String,
      over template: Value?,
      declared: Value?,
      _ read: (LogDecoder) throws -> Value
    ) throws -> Value {
      let key = Self.key(name)
      guard let slot = object.slot(of: key) else {
        return try decoder.at(key) { try substitute(template ?? declared) }
      }
      asked.insert(slot)
      let json = object.value(in: slot)
      let earlier = earlier.flatMap { $0.slot(of: key, expectedAt: slot).map($0.value) }
      // Most members of a changed state are unchanged. They need neither a decoder nor a path.
      if let template, earlier == json { return template }
      return try decoder.at(key) {
        try read(LogDecoder(json, context: decoder.context, after: earlier))
      }
    }

    /// Returns the value of a member that the log lacks, and records drift.
    ///
    /// - Throws: A `LogDecodingError` if there is no fallback, and the value isn't an optional.
    private func substitute<Value>(_ fallback: Value?) throws -> Value {
      var value = fallback
      if value == nil, let optional = Value.self as? any AnyOptional.Type {
        value = optional.null as? Value
      }
      guard let value else { throw decoder.inside(.null).error(.missing, type: Value.self) }
      decoder.context.drift.append(SchemaDrift(path: decoder.context.path, kind: .missingInLog))
      return value
    }

    /// Returns the name that a member has in the log.
    ///
    /// A name that starts with a dollar sign gets a second one.
    private static func key(_ name: String) -> String {
      name.hasPrefix("$") ? "$" + name : name
    }

    /// Records drift for each member in the log that was not read.
    public func finish() {
      guard asked.count < object.count else { return }
      for (slot, key) in object.namesBySlot where !asked.contains(slot) {
        decoder.context.drift.append(
          SchemaDrift(path: decoder.path.appending(key), kind: .unknownToCode)
        )
      }
    }
  }
}

extension JSON {
  /// Returns the payload of an enum case, or `nil` if the value is another case.
  fileprivate func payload(of name: String) -> JSON? {
    guard let object, object.count == 1, object.firstKey == name else { return nil }
    return object.values.first
  }
}

/// An object that gives decoded values the identity of their templates.
package protocol IdentityRestorer {
  /// Gives a value the identity of an earlier one.
  ///
  /// - Parameters:
  ///   - template: The earlier value.
  ///   - value: The decoded value.
  ///   - isWithin: A closure that returns whether the names of all changed members are in the given set.
  /// - Returns: The value with the template's identity, or the unchanged value if it can't have that identity.
  func keepIdentity<Value: LogValue>(
    of template: Value,
    in value: Value,
    changesOnly isWithin: (Set<String>) -> Bool
  ) -> Value
}

/// An optional type, for generic code that knows only the metatype.
protocol AnyOptional {
  static var null: Any { get }
}
extension Optional: AnyOptional {
  static var null: Any { Self.none as Any }
}
