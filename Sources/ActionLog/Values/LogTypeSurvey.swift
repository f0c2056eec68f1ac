// swift-format-ignore-file: AmbiguousTrailingClosureOverload

import Foundation
import Synchronization

/// A survey of a type: the types of the parts that its values can contain, and traits that all its values have.
///
/// Recorders use the survey to skip values that can't have changed.
///
/// Generated code lists the members. For a type that is not a `LogValue`, the runtime lists its stored properties. A
/// handwritten type that stores its complete value inline describes itself:
///
/// ```swift
/// extension Celsius {
///   public static func survey(_ type: inout LogTypeSurvey) { type.contains(Double.self) }
/// }
/// ```
///
/// The following type stores its text in an object, and is written as `null` if there is no object:
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
  /// The offset, type, and size of each member of the surveyed type, or `nil` if the offsets are unknown.
  private(set) var members: [MemberLayout]? = []
  private var seen: Set<ObjectIdentifier> = []
  private var isOutermost = true
  /// The direct parts of the surveyed type, or `nil` if the survey includes parts at all depths.
  private(set) var parts: [StoredType]?

  /// A type whose values are stored inside those of the surveyed type.
  struct StoredType {
    let type: Any.Type
    /// The number of names or indexes on the path to the part, or `nil` if the number is unknown.
    let steps: Int?
    /// The offset of a stored property in a value in bytes, or `nil` for other parts.
    var offset: Int?
  }

  /// Lists the direct parts of a type.
  init(listingPartsOf type: any LogValue.Type) {
    parts = []
    type.survey(&self)
  }

  /// Surveys a type and the parts of its values, at all depths.
  init(surveying type: Any.Type) {
    seen = [ObjectIdentifier(type)]
    visitParts(of: type)
  }

  struct MemberLayout {
    let offset: Int
    let type: Any.Type
    let size: Int
  }

  /// Records that values of the surveyed type contain values of another type.
  ///
  /// The contained values are logged completely.
  public mutating func contains<Value>(_ type: Value.Type) { contains(type, below: nil) }

  /// Records that values of the surveyed type contain values of another type.
  ///
  /// The contained values are logged completely.
  ///
  /// - Parameters:
  ///   - type: The type of the contained values.
  ///   - steps: The number of names or indexes on the path to a contained value, or `nil` if the number is unknown.
  package mutating func contains<Value>(_ type: Value.Type, below steps: Int?) {
    if parts != nil {
      parts?.append(StoredType(type: type, steps: steps))
      return
    }
    if isOutermost { members = nil }
    visit(type)
  }

  private mutating func visit(_ type: Any.Type) {
    // A type that was already surveyed, such as a recursive one, adds no information.
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

  /// Surveys the stored properties of a type that isn't a `LogValue`, because they determine its logged form.
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

  /// Whether a Foundation type stores its value in an object that is copied before it changes.
  private static func isImmutable(_ type: Any.Type) -> Bool {
    type == Locale.self || type == Calendar.self || type == TimeZone.self || type == IndexPath.self
      || type == IndexSet.self || type == CharacterSet.self || type == URLComponents.self
      || type == PersonNameComponents.self || type is Dimension.Type
  }

  /// Records the type and offset of the stored property that a key path leads to.
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

  /// Records the payload of an enum case with one value.
  ///
  /// - Parameter make: The case as a function. It determines the type of the value and is not called.
  public mutating func payload<Root, Value>(_ make: (Value) -> Root) {
    payload(Value.self)
  }

  // The compiler crashes if a parameter pack contains a tuple. Separate functions support the usual numbers of values.

  /// Records the payload of an enum case with two values.
  ///
  /// - Parameter make: The case as a function. It determines the types of the values and is not called.
  public mutating func payload<Root, First, Second>(_ make: (First, Second) -> Root) {
    payload(First.self)
    payload(Second.self)
  }

  /// Records the payload of an enum case with three values.
  ///
  /// - Parameter make: The case as a function. It determines the types of the values and is not called.
  public mutating func payload<Root, First, Second, Third>(
    _ make: (First, Second, Third) -> Root
  ) {
    payload(First.self)
    payload(Second.self)
    payload(Third.self)
  }

  /// Records the payload of an enum case with more values, none of which is a tuple.
  ///
  /// - Parameter make: The case as a function. It determines the types of the values and is not called.
  public mutating func payload<Root, each Value>(_ make: (repeat each Value) -> Root) {
    repeat payload((each Value).self)
  }

  private mutating func payload<Value>(_ type: Value.Type) {
    // The path contains the name of the case and the name of the payload.
    contains(type, below: 2)
  }

  /// Records that the logged form can depend on an object, and can change while the value's bits stay the same.
  public mutating func mayHoldReferences() { traits.remove(.plain) }

  /// Records that values can be written as `null` or `{"$some":...}`.
  public mutating func mayBeNull() {
    if isOutermost { traits.remove(.neverNull) }
  }
}

extension LogTypeSurvey {
  /// Returns the types of all stored parts of a type, including those that are not logged.
  ///
  /// ```swift
  /// LogTypeSurvey.storedTypes(of: [Todo].self)  // [Todo.self]
  /// ```
  ///
  /// - Parameter type: The type whose stored parts are listed.
  /// - Returns: The types, or `nil` if values store objects, functions, or parts of unknown types.
  package static func storedTypes(of type: Any.Type) -> [Any.Type]? {
    if isImmutable(type) { return [] }
    // A survey omits members that are excluded from logs, but they are stored, too.
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

  /// Returns the types of the logged parts of a type, which are the types that its `survey` lists.
  ///
  /// - Parameter type: The type whose logged parts are listed.
  /// - Returns: The types, or `nil` if the type doesn't describe itself.
  package static func loggedTypes(of type: Any.Type) -> [Any.Type]? {
    guard let type = type as? any LogValue.Type else { return nil }
    return LogTypeSurvey(listingPartsOf: type).parts?.map(\.type)
  }

  /// Whether a type is an enum other than `Optional`.
  ///
  /// This test is faster than a mirror of a value.
  package static func isEnum(_ type: Any.Type) -> Bool { StoredFields.isEnum(type) }

  /// Whether a type is a struct, whose values all have this type.
  package static func isStruct(_ type: Any.Type) -> Bool { StoredFields.isStruct(type) }
}

/// Traits that all values of a type have, as found by a survey.
struct TypeTraits: OptionSet, Sendable {
  let rawValue: UInt8

  /// The logged form depends only on the bits of the value, and on storage that doesn't change while a copy exists.
  static let plain = TypeTraits(rawValue: 1)
  /// The value is never written as `null` or `{"$some":...}`.
  static let neverNull = TypeTraits(rawValue: 2)

  static let all: TypeTraits = [.plain, .neverNull]
}
