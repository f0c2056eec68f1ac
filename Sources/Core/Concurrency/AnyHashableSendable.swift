/// A hashable value of any type that can be handed to other tasks.
///
/// ```swift
/// let ids: Set<AnyHashableSendable> = [AnyHashableSendable(1), AnyHashableSendable("a")]
/// ```
///
/// Values of different types are equal when they are equal as `AnyHashable`.
public struct AnyHashableSendable: Hashable, Sendable {
  /// The value itself.
  public let base: any Hashable & Sendable

  /// Hides the type of a value; a value whose type is hidden already is taken as it is.
  public init(_ base: some Hashable & Sendable) {
    self.base = (base as? AnyHashableSendable)?.base ?? base
  }

  /// Takes a value whose type is not known.
  @_disfavoredOverload
  public init(_ base: any Hashable & Sendable) {
    self.init(base)
  }

  /// Whether two values are equal as `AnyHashable`.
  public static func == (lhs: AnyHashableSendable, rhs: AnyHashableSendable) -> Bool {
    AnyHashable(lhs.base) == AnyHashable(rhs.base)
  }

  /// Feeds the value to a hasher.
  public func hash(into hasher: inout Hasher) {
    // As the hash of `AnyHashable`: equal numbers of different types hash alike.
    hasher.combine(AnyHashable(base))
  }
}

extension AnyHashableSendable: CustomStringConvertible, CustomDebugStringConvertible {
  /// The description of the value.
  public var description: String { String(describing: base) }
  /// The description of the value with its type.
  public var debugDescription: String { "AnyHashableSendable(\(String(reflecting: base)))" }
}

extension AnyHashableSendable: CustomReflectable {
  /// Shows what the value shows.
  public var customMirror: Mirror { Mirror(reflecting: base) }
}

extension AnyHashableSendable: ExpressibleByBooleanLiteral {
  /// A Boolean value.
  public init(booleanLiteral value: Bool) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral value: Int) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByFloatLiteral {
  /// A number.
  public init(floatLiteral value: Double) { self.init(value) }
}

extension AnyHashableSendable: ExpressibleByStringLiteral {
  /// A string.
  public init(stringLiteral value: String) { self.init(value) }
}
