internal import ActionLog

/// The source of a read-only shared value: a file, a server, a system setting.
///
/// All keys with the same id share one reference while at least one of its users is alive.
///
/// ```swift
/// struct PreferredLocale: SharedReaderKey, Hashable {
///   func load(context: LoadContext<String>, continuation: LoadContinuation<String>) {
///     continuation.resume(returning: Locale.current.identifier)
///   }
///   func subscribe(context: LoadContext<String>, subscriber: SharedSubscriber<String>) -> SharedSubscription {
///     SharedSubscription {}
///   }
/// }
/// ```
public protocol SharedReaderKey<Value>: Sendable {
  /// The type of the shared value.
  associatedtype Value: Sendable
  /// The type of the identity.
  ///
  /// Defaults to the key itself.
  associatedtype ID: Hashable = Self

  /// The identity of this key.
  var id: ID { get }

  /// Loads the value and resumes the continuation exactly once, before or after it returns.
  ///
  /// - Parameters:
  ///   - context: The reason for the load.
  ///   - continuation: Receives the value or an error.
  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)

  /// Starts to report changes that come from elsewhere.
  ///
  /// - Parameters:
  ///   - context: The reason for the load, with the default value.
  ///   - subscriber: Receives the changes.
  /// - Returns: A subscription whose cancellation stops the reports.
  func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription
}

/// The storage of a shared value, which loads the value and saves changes.
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
  /// Saves a value and resumes the continuation exactly once, before or after it returns.
  ///
  /// The saves of a reference are sequential, in the order of the changes.
  ///
  /// - Parameters:
  ///   - value: The value to save.
  ///   - context: The reason for the save.
  ///   - continuation: Receives the result.
  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation)
}

extension SharedReaderKey where ID == Self {
  /// The key itself.
  public var id: ID { self }
}

/// The reason for the load of a shared value.
///
/// ```swift
/// func load(context: LoadContext<String>, continuation: LoadContinuation<String>) {
///   if case .userInitiated = context { cache.removeAll() }
///   continuation.resume(returning: cache["name"] ?? "")
/// }
/// ```
public enum LoadContext<Value> {
  /// A new reference was created.
  ///
  /// The payload is its default value.
  case initialValue(Value)
  /// The user of the reference called `load()`.
  case userInitiated

  /// The default value of a new reference, or `nil` if `load()` was called.
  ///
  /// ```swift
  /// func load(context: LoadContext<String>, continuation: LoadContinuation<String>) {
  ///   continuation.resume(returning: cache["name"] ?? context.initialValue ?? "")
  /// }
  /// ```
  public var initialValue: Value? {
    switch self {
    case .initialValue(let value): value
    case .userInitiated: nil
    }
  }
}

extension LoadContext: Sendable where Value: Sendable {}

/// The reason for the save of a shared value.
///
/// ```swift
/// func save(_ value: String, context: SaveContext, continuation: SaveContinuation) {
///   let isUrgent = context == .userInitiated
///   continuation.resume(with: Result { try write(value, isUrgent) })
/// }
/// ```
public enum SaveContext: Sendable, Hashable {
  /// The value changed.
  case didSet
  /// The user of the reference called `save()`.
  case userInitiated
}

extension SharedReaderKey {
  /// This key with a default value.
  ///
  /// `@Shared(.key) var value` then needs no initial value.
  public typealias Default = SharedKeyDefault<Self>

  /// Returns a key with a default value.
  ///
  /// ```swift
  /// extension SharedKey where Self == FileStorageKey<[Todo]>.Default {
  ///   static var todos: Self { Self[.fileStorage(todosURL), default: []] }
  /// }
  /// ```
  public static subscript<Base: SharedReaderKey>(
    key: Base,
    default value: @autoclosure @escaping @Sendable () -> Base.Value
  ) -> Self where Self == SharedKeyDefault<Base> {
    SharedKeyDefault(base: key, defaultValue: value)
  }
}

/// A key with a default value, which applies if the key has no value.
///
/// ```swift
/// extension SharedKey where Self == FileStorageKey<[Todo]>.Default {
///   static var todos: Self { Self[.fileStorage(todosURL), default: []] }
/// }
/// ```
public struct SharedKeyDefault<Base: SharedReaderKey>: SharedReaderKey {
  let base: Base
  let defaultValue: @Sendable () -> Base.Value

  /// The default value.
  ///
  /// Evaluated at each access.
  ///
  /// ```swift
  /// let key: FileStorageKey<[Todo]>.Default = .todos
  /// key.initialValue  // []
  /// ```
  public var initialValue: Base.Value { defaultValue() }

  /// The id of the base key.
  ///
  /// A key shares its reference with and without a default value.
  public var id: Base.ID { base.id }

  /// Loads the value of the base key.
  public func load(context: LoadContext<Base.Value>, continuation: LoadContinuation<Base.Value>) {
    base.load(context: context, continuation: continuation)
  }

  /// Reports the changes of the base key.
  public func subscribe(
    context: LoadContext<Base.Value>,
    subscriber: SharedSubscriber<Base.Value>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }
}

extension SharedKeyDefault: SharedKey where Base: SharedKey {
  /// Saves the value with the base key.
  public func save(
    _ value: Base.Value,
    context: SaveContext,
    continuation: SaveContinuation
  ) {
    base.save(value, context: context, continuation: continuation)
  }
}

extension SharedKeyDefault: NamedSharedKey {
  var logName: String { SharedKeyName.of(base) }
}

/// A key with a custom name in logs that is the same on every device.
protocol NamedSharedKey {
  var logName: String { get }
}

/// Determines the names of keys in logs.
enum SharedKeyName {
  /// Returns the custom name of a key, or its type and id.
  static func of(_ key: some SharedReaderKey) -> String {
    if let key = key as? any NamedSharedKey { return key.logName }
    let type = LogTypeName.of(Swift.type(of: key))
    let id = JSON(logging: key.id)
    guard id["$opaque"] != nil else { return "\(type)(\(id))" }
    // The id is usually the key itself.
    let members = Mirror(reflecting: key.id).children.map { member in
      (member.label.map { "\($0): " } ?? "") + "\(JSON(logging: member.value))"
    }
    return "\(type)(\(members.joined(separator: ", ")))"
  }
}
