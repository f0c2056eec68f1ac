/// A shared value that can only be read.
///
/// ```swift
/// @SharedReader(.appStorage("isCompact")) var isCompact = false
/// ```
@dynamicMemberLookup
@propertyWrapper
public struct SharedReader<Value> {
  private let place: SharedReferencePlace<any ReadableReference<Value>>

  var reference: any ReadableReference<Value> { place.reference }

  init(_ reference: any ReadableReference<Value>) {
    place = SharedReferencePlace(reference)
  }

  /// A value that nobody changes.
  public init(value: sending Value) {
    self.init(SharedRoot(value))
  }

  /// A value that nobody changes.
  public static func constant(_ value: sending Value) -> SharedReader {
    SharedReader(value: value)
  }

  /// Reads what others may change.
  public init(_ shared: Shared<Value>) {
    self.init(shared.reference)
  }

  /// Takes over what is shared already.
  public init(projectedValue: SharedReader) {
    self = projectedValue
  }

  /// The value as it is now.
  public var wrappedValue: Value {
    reference.root.access()
    return reference.current
  }

  /// What is shared, to be handed on.
  ///
  /// When something else takes its place, copies read that too.
  public var projectedValue: SharedReader {
    get { self }
    nonmutating set { place.replace(with: newValue.reference) { $0.root } }
  }
}

extension SharedReader: Sendable where Value: Sendable {}
