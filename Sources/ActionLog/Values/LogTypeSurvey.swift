// swift-format-ignore-file: AmbiguousTrailingClosureOverload

import Foundation
import Synchronization

/// Finds out what a type's values can hold, so that a recorder knows which of them need no look.
///
/// Generated code names the members; of a type that is no `LogValue` the runtime knows what it stores. A type that is written by
/// hand and keeps its whole value in itself says so:
///
/// ```swift
/// extension Celsius {
///   public static func survey(_ type: inout LogTypeSurvey) { type.contains(Double.self) }
/// }
/// ```
///
/// One whose text lies in an object, and is written as `null` while there is none:
///
/// ```swift
/// extension Document {
///   public static func survey(_ type: inout LogTypeSurvey) {
///     type.mayHoldReferences()
///     type.mayBeNull()
///   }
/// }
/// ```
public struct LogTypeSurvey {
  private(set) var traits = TypeTraits.all
  /// Where the members lie in a value of the outermost type; nil when that cannot be told.
  private(set) var members: [MemberLayout]? = []
  private var seen: Set<ObjectIdentifier> = []
  private var isOutermost = true
  /// The parts of the type alone, when nothing else is asked for.
  private(set) var parts: [StoredType]?

  /// A type whose values stand in those of the surveyed one.
  struct StoredType {
    let type: Any.Type
    /// How many names or indices lead there; `nil` where that is not known.
    let steps: Int?
    /// Where a stored property lies in a value; `nil` for other parts.
    var offset: Int?
  }

  /// The parts of a type, without a look into them.
  init(listingPartsOf type: any LogValue.Type) {
    parts = []
    type.survey(&self)
  }

  /// The survey of a type.
  init(surveying type: Any.Type) {
    seen = [ObjectIdentifier(type)]
    visitParts(of: type)
  }

  struct MemberLayout {
    let offset: Int
    let type: Any.Type
    let size: Int
  }

  /// Notes that values hold values of another type, written in full.
  public mutating func contains<Value>(_ type: Value.Type) { contains(type, below: nil) }

  /// Notes that values hold values of another type, written in full, which so many names or indices lead to.
  package mutating func contains<Value>(_ type: Value.Type, below steps: Int?) {
    if parts != nil {
      parts?.append(StoredType(type: type, steps: steps))
      return
    }
    if isOutermost { members = nil }
    visit(type)
  }

  private mutating func visit(_ type: Any.Type) {
    // A type that contains itself says nothing new.
    guard seen.insert(ObjectIdentifier(type)).inserted else { return }
    let wasOutermost = isOutermost
    isOutermost = false
    visitParts(of: type)
    isOutermost = wasOutermost
  }

  private mutating func visitParts(of type: Any.Type) {
    if let type = type as? any LogValue.Type {
      type.survey(&self)
    } else {
      lookIntoStorage(of: type)
    }
  }

  /// Looks at what a type stores that does not describe itself: what it writes comes from there.
  private mutating func lookIntoStorage(of type: Any.Type) {
    mayBeNull()
    if Self.isImmutable(type) {
      if isOutermost { members = nil }
      return
    }
    switch StoredFields(of: type) {
    case .product(let fields):
      for field in fields {
        if isOutermost {
          let size = StoredFields.size(of: field.type)
          members?.append(MemberLayout(offset: field.offset, type: field.type, size: size))
        }
        visit(field.type)
      }
    case .sum(let payloads):
      if isOutermost { members = nil }
      for payload in payloads { visit(payload) }
    case .number, .metatype:
      if isOutermost { members = nil }
    case .unknown:
      if isOutermost { members = nil }
      mayHoldReferences()
    }
  }

  /// Whether a type of Foundation keeps its value in storage that is copied before it changes.
  private static func isImmutable(_ type: Any.Type) -> Bool {
    type == Locale.self || type == Calendar.self || type == TimeZone.self || type == IndexPath.self
      || type == IndexSet.self || type == CharacterSet.self || type == URLComponents.self
      || type == PersonNameComponents.self || type is Dimension.Type
  }

  /// Notes a stored property: its type, and where in a value it lies.
  public mutating func member<Root, Value>(_ member: KeyPath<Root, Value>) {
    if parts != nil {
      let offset = MemoryLayout<Root>.offset(of: member)
      parts?.append(StoredType(type: Value.self, steps: 1, offset: offset))
      return
    }
    if isOutermost {
      if let offset = MemoryLayout<Root>.offset(of: member) {
        let size = MemoryLayout<Value>.size
        members?.append(MemberLayout(offset: offset, type: Value.self, size: size))
      } else {
        members = nil
      }
    }
    visit(Value.self)
  }

  /// Notes the payload of an enum case that has one value, of which only the type counts.
  public mutating func payload<Root, Value>(_ make: (Value) -> Root) {
    payload(Value.self)
  }

  // The compiler crashes where a pack takes a tuple, so the usual numbers of values have functions of their own.

  /// Notes the payload of an enum case that has two values, of which only the types count.
  public mutating func payload<Root, First, Second>(_ make: (First, Second) -> Root) {
    payload(First.self)
    payload(Second.self)
  }

  /// Notes the payload of an enum case that has three values, of which only the types count.
  public mutating func payload<Root, First, Second, Third>(
    _ make: (First, Second, Third) -> Root
  ) {
    payload(First.self)
    payload(Second.self)
    payload(Third.self)
  }

  /// Notes the payload of an enum case that has more values, none of them a tuple, of which only the types count.
  public mutating func payload<Root, each Value>(_ make: (repeat each Value) -> Root) {
    repeat payload((each Value).self)
  }

  private mutating func payload<Value>(_ type: Value.Type) {
    // The name of the case, and that of the payload.
    contains(type, below: 2)
  }

  /// Notes that what is written can lie behind a reference, and change while the value stays the same.
  public mutating func mayHoldReferences() { traits.remove(.plain) }

  /// Notes that values can be written as `null`, or as `{"$some":...}`.
  public mutating func mayBeNull() {
    if isOutermost { traits.remove(.neverNull) }
  }
}

extension LogTypeSurvey {
  /// The types of all that values of a type store, also of what no log has.
  ///
  /// ```swift
  /// LogTypeSurvey.storedTypes(of: [Todo].self)  // [Todo.self]
  /// ```
  ///
  /// - Parameter type: The type.
  /// - Returns: The types; `nil` when values store objects, functions, or something of which nothing is known.
  package static func storedTypes(of type: Any.Type) -> [Any.Type]? {
    if isImmutable(type) { return [] }
    // Members that are left out of logs are stored all the same.
    if let type = type as? any LogValue.Type, !(type is any LogMembers.Type) {
      let survey = LogTypeSurvey(listingPartsOf: type)
      return survey.traits.contains(.plain) ? survey.parts?.map(\.type) : nil
    }
    return switch StoredFields(of: type) {
    case .product(let fields): fields.map(\.type)
    case .sum(let payloads): payloads
    case .number, .metatype: []
    case .unknown: nil
    }
  }

  /// The types of the parts that a log has of values of a type: what its `survey` names, which is always written.
  ///
  /// - Parameter type: The type.
  /// - Returns: The types; `nil` when the type does not describe itself.
  package static func loggedTypes(of type: Any.Type) -> [Any.Type]? {
    guard let type = type as? any LogValue.Type else { return nil }
    return LogTypeSurvey(listingPartsOf: type).parts?.map(\.type)
  }

  /// Whether a type is an enum other than an optional, which is found out faster than by a mirror of a value.
  package static func isEnum(_ type: Any.Type) -> Bool { StoredFields.isEnum(type) }
}

/// What the values of a type have in common, as a survey found it.
struct TypeTraits: OptionSet, Sendable {
  let rawValue: UInt8

  /// What is written depends on the bits of the value and on storage that no one changes while a copy is kept.
  static let plain = TypeTraits(rawValue: 1)
  /// The value is written neither as `null` nor as `{"$some":...}`.
  static let neverNull = TypeTraits(rawValue: 2)

  static let all: TypeTraits = [.plain, .neverNull]
}

/// Names of types as they stand in a log.
///
/// ```swift
/// LogTypeName.of(Todos.State.self)  // "Todos.State"
/// ```
public enum LogTypeName {
  /// The name of a type without its module and without what changes from build to build.
  ///
  /// `Todos.State` for the nested type `App.Todos.State`; of a private type and a type within a function, the
  /// `(unknown context at $...)` that Swift prints between the names is left out, for it holds an address.
  public static func of(_ type: Any.Type) -> String {
    // A program has so many types and no more, and asks for the same ones again with each effect.
    let id = ObjectIdentifier(type)
    if let name = names.withLock({ $0[id] }) { return name }
    let name = spelled(type)
    names.withLock { $0[id] = name }
    return name
  }

  private static let names = Mutex<[ObjectIdentifier: String]>([:])

  private static func spelled(_ type: Any.Type) -> String {
    var name = ""
    // The same text as that of `String(reflecting:)`, which asks first whether the type of the type describes itself.
    var rest = Substring(_typeName(type, qualified: true))
    while let open = rest.firstRange(of: "(unknown context at "),
      let close = rest[open.upperBound...].firstIndex(of: ")")
    {
      name += rest[..<open.lowerBound]
      rest = rest[rest.index(after: close)...].drop { $0 == "." }
    }
    name += rest
    return withoutModules(name)
  }

  /// Drops the first component of every dotted name, which is the module: `Swift.Array<App.Row>` is `Array<Row>`.
  private static func withoutModules(_ name: String) -> String {
    var result = ""
    var word = ""
    var isFirstComponent = true
    for character in name {
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
      } else if character == ".", isFirstComponent, !word.isEmpty {
        word = ""
        isFirstComponent = false
      } else {
        result += word
        word = ""
        result.append(character)
        isFirstComponent = character != "."
      }
    }
    return result + word
  }
}

extension LogTypeName {
  /// A name by which every process with the same code finds the type again; nil when there is none, as for private types.
  static func symbol(of type: Any.Type) -> String? {
    guard let symbol = _mangledTypeName(type), _typeByName(symbol) == type else { return nil }
    return symbol
  }

  /// Whether the log can hold values of a type so that they are read back.
  static func readsBack(_ type: Any.Type) -> Bool {
    type is any LogValue.Type || type is any Encodable.Type && type is any Decodable.Type
      || type is any RawRepresentable.Type
  }

  /// The type of this name, nil when the code has none.
  static func type(for symbol: String) -> Any.Type? { _typeByName(symbol) }
}
