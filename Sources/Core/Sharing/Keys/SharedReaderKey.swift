/// Where a shared value comes from that can only be read: a file, a server, a setting of the system.
///
/// References whose keys have the same id are one, anywhere in the program, while any of them is alive.
public protocol SharedReaderKey<Value>: Sendable {
  /// What is shared.
  associatedtype Value: Sendable
  /// What tells one key from another.
  associatedtype ID: Hashable & Sendable = Self

  /// What tells this key from others.
  var id: ID { get }

  /// Loads the value, and resumes the continuation once: before it returns, or later.
  ///
  /// - Parameters:
  ///   - context: Why the value is loaded.
  ///   - continuation: Takes the value or an error.
  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)

  /// Begins to tell of changes that come from elsewhere.
  ///
  /// - Parameters:
  ///   - context: Carries the value that is returned when there is none.
  ///   - subscriber: Takes the changes.
  /// - Returns: What ends it.
  func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription
}

/// Where a shared value is kept: it is loaded from there, and saved there when it changes.
///
/// ```swift
/// struct NoteKey: SharedKey {
///   let number: Int
///   var id: Int { number }
///   func load(context: LoadContext<String>, continuation: LoadContinuation<String>) {
///     continuation.resume(with: Result { try Notes.read(number) })
///   }
///   func subscribe(context: LoadContext<String>, subscriber: SharedSubscriber<String>) -> SharedSubscription {
///     SharedSubscription {}
///   }
///   func save(_ value: String, context: SaveContext, continuation: SaveContinuation) {
///     continuation.resume(with: Result { try Notes.write(value, number) })
///   }
/// }
/// ```
public protocol SharedKey<Value>: SharedReaderKey {
  /// Saves a value, and resumes the continuation once: before it returns, or later.
  ///
  /// Saves of one reference come one after the other, in the order of the changes.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - context: Why it is saved.
  ///   - continuation: Takes the outcome.
  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation)
}

extension SharedReaderKey where ID == Self {
  /// A key that can be compared tells itself from others.
  public var id: ID { self }
}

/// Why a shared value is loaded.
public enum LoadContext<Value> {
  /// A reference is made; the value is the one that it has without the key.
  case initialValue(Value)
  /// `load()` was called.
  case userInitiated

  /// The value that a new reference has without the key, nil when `load()` was called.
  public var initialValue: Value? {
    switch self {
    case .initialValue(let value): value
    case .userInitiated: nil
    }
  }
}

extension LoadContext: Sendable where Value: Sendable {}

/// Why a shared value is saved.
public enum SaveContext: Sendable, Hashable {
  /// The value was changed.
  case didSet
  /// `save()` was called.
  case userInitiated
}
