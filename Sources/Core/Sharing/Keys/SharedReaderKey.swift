internal import ActionLog

/// A source of a shared value that features only read, such as a server or a system setting.
///
/// All keys with the same id and value type share one reference while at least one shared value uses it.
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
  /// The type of the key's identity, which is the key's own type by default.
  associatedtype ID: Hashable = Self

  /// The identity of this key, which equals that of all keys that share its value.
  var id: ID { get }

  /// Loads the value and resumes a continuation exactly once, before or after this function returns.
  ///
  /// - Parameters:
  ///   - context: The reason for the load, which may contain the default value.
  ///   - continuation: A continuation that receives the value, an error, or the information that there is no value.
  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)

  /// Starts to report changes that other code makes to the value.
  ///
  /// - Parameters:
  ///   - context: The reason for the load that precedes the subscription.
  ///   - subscriber: The subscriber that receives the changes.
  /// - Returns: A subscription whose cancellation stops the reports.
  func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription
}

/// A storage of a shared value, which loads the value and saves changes.
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
  /// Saves a value and resumes a continuation exactly once, before or after this function returns.
  ///
  /// After changes, only one thread at a time calls this function, and the last call has the last value. Values in
  /// between may be skipped. An explicit `save()` may call the function concurrently.
  ///
  /// - Parameters:
  ///   - value: The value to save.
  ///   - context: The reason for the save.
  ///   - continuation: A continuation that receives the success or the error of the save.
  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation)
}

extension SharedReaderKey where ID == Self {
  /// The identity of the key, which is the key itself.
  public var id: ID { self }
}

/// The reason why a key loads a shared value.
///
/// ```swift
/// func load(context: LoadContext<String>, continuation: LoadContinuation<String>) {
///   if case .userInitiated = context { cache.removeAll() }
///   continuation.resume(returning: cache["name"] ?? "")
/// }
/// ```
public enum LoadContext<Value> {
  /// A new reference was created, whose default value is the payload.
  case initialValue(Value)
  /// Code called `load()` or `load(_:)` on the shared value, or created it with `init(require:)`.
  case userInitiated

  /// The default value of a new reference; `nil` if code requested the load.
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

/// The reason why a key saves a shared value.
///
/// ```swift
/// func save(_ value: String, context: SaveContext, continuation: SaveContinuation) {
///   let isUrgent = context == .userInitiated
///   continuation.resume(with: Result { try write(value, isUrgent) })
/// }
/// ```
public enum SaveContext: Sendable, Hashable {
  /// Code changed the shared value.
  case didSet
  /// Code called `save()` on the shared value.
  case userInitiated
}

extension SharedReaderKey {
  /// The type of this key with a default value.
  ///
  /// A property such as `@Shared(.todos) var todos` then needs no initial value.
  public typealias Default = SharedKeyDefault<Self>

  /// A key with a default value, created from a key without one.
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

/// A key with a default value, which applies if the base key has no value.
///
/// ```swift
/// extension SharedKey where Self == FileStorageKey<[Todo]>.Default {
///   static var todos: Self { Self[.fileStorage(todosURL), default: []] }
/// }
/// ```
public struct SharedKeyDefault<Base: SharedReaderKey>: SharedReaderKey {
  let base: Base
  let defaultValue: @Sendable () -> Base.Value

  /// The default value, which is evaluated at each access.
  ///
  /// ```swift
  /// let key: FileStorageKey<[Todo]>.Default = .todos
  /// key.initialValue  // []
  /// ```
  public var initialValue: Base.Value { defaultValue() }

  /// The id of the base key.
  ///
  /// Keys with and without a default value therefore share one reference.
  public var id: Base.ID { base.id }

  /// Loads the value with the base key.
  public func load(context: LoadContext<Base.Value>, continuation: LoadContinuation<Base.Value>) {
    base.load(context: context, continuation: continuation)
  }

  /// Reports the changes that the base key reports.
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

/// A key with a custom name in logs, which is the same on every device.
protocol NamedSharedKey {
  var logName: String { get }
}

/// A function that determines the name of a key in logs.
enum SharedKeyName {
  /// Returns the custom name of a key, or else a name from its type and id.
  static func of(_ key: some SharedReaderKey) -> String {
    if let key = key as? any NamedSharedKey { return key.logName }
    let type = LogTypeName.of(Swift.type(of: key))
    let id = JSON(logging: key.id)
    guard id["$opaque"] != nil else { return "\(type)(\(id))" }
    // Shows the members of the id, which is usually the key itself.
    let members = Mirror(reflecting: key.id).children.map { member in
      (member.label.map { "\($0): " } ?? "") + "\(JSON(logging: member.value))"
    }
    return "\(type)(\(members.joined(separator: ", ")))"
  }
}
