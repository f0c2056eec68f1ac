internal import ActionLog

/// The source of a shared value that can only be read: a file, a server, a setting of the system.
///
/// References whose keys have the same id are one, anywhere in the program, while any of them is alive.
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
  /// The identity of a key.
  associatedtype ID: Hashable = Self

  /// The identity of this key.
  var id: ID { get }

  /// Loads the value, and resumes the continuation once: before it returns, or later.
  ///
  /// - Parameters:
  ///   - context: Why the value is loaded.
  ///   - continuation: Takes the value or an error.
  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)

  /// Begins to report changes that come from elsewhere.
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

/// The storage of a shared value, which is loaded from there and saved there when it changes.
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
  /// A hashable key is its own id.
  public var id: ID { self }
}

/// Why a shared value is loaded.
///
/// ```swift
/// func load(context: LoadContext<String>, continuation: LoadContinuation<String>) {
///   if case .userInitiated = context { cache.removeAll() }
///   continuation.resume(returning: cache["name"] ?? "")
/// }
/// ```
public enum LoadContext<Value> {
  /// A reference is made; the value is the one that it has without the key.
  case initialValue(Value)
  /// `load()` was called.
  case userInitiated

  /// The value that a new reference has without the key, nil when `load()` was called.
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

/// Why a shared value is saved.
///
/// ```swift
/// func save(_ value: String, context: SaveContext, continuation: SaveContinuation) {
///   let isUrgent = context == .userInitiated
///   continuation.resume(with: Result { try write(value, isUrgent) })
/// }
/// ```
public enum SaveContext: Sendable, Hashable {
  /// The value was changed.
  case didSet
  /// `save()` was called.
  case userInitiated
}

extension SharedReaderKey {
  /// This key with a default value, so that `@Shared(.key) var value` needs none.
  public typealias Default = SharedKeyDefault<Self>

  /// A key with a default value.
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

/// A key with the value that is shared when the key has none.
///
/// ```swift
/// extension SharedKey where Self == FileStorageKey<[Todo]>.Default {
///   static var todos: Self { Self[.fileStorage(todosURL), default: []] }
/// }
/// ```
public struct SharedKeyDefault<Base: SharedReaderKey>: SharedReaderKey {
  let base: Base
  let defaultValue: @Sendable () -> Base.Value

  /// The value that is shared when the key has none, made anew.
  ///
  /// ```swift
  /// let key: FileStorageKey<[Todo]>.Default = .todos
  /// key.initialValue  // []
  /// ```
  public var initialValue: Base.Value { defaultValue() }

  /// The id of the key: with the default or without it, the reference is one.
  public var id: Base.ID { base.id }

  /// Loads what the key loads.
  public func load(context: LoadContext<Base.Value>, continuation: LoadContinuation<Base.Value>) {
    base.load(context: context, continuation: continuation)
  }

  /// Reports the changes of the key.
  public func subscribe(
    context: LoadContext<Base.Value>,
    subscriber: SharedSubscriber<Base.Value>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }
}

extension SharedKeyDefault: SharedKey where Base: SharedKey {
  /// Saves with the key.
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

/// A key that knows its name in logs, which is the same on every machine.
protocol NamedSharedKey {
  var logName: String { get }
}

/// The names of keys in logs.
enum SharedKeyName {
  /// The name of a key: its own, else its type and id.
  static func of(_ key: some SharedReaderKey) -> String {
    if let key = key as? any NamedSharedKey { return key.logName }
    let type = LogTypeName.of(Swift.type(of: key))
    let id = JSON(logging: key.id)
    guard id["$opaque"] != nil else { return "\(type)(\(id))" }
    // An id that is the key itself, as a rule.
    let members = Mirror(reflecting: key.id).children.map { member in
      (member.label.map { "\($0): " } ?? "") + "\(JSON(logging: member.value))"
    }
    return "\(type)(\(members.joined(separator: ", ")))"
  }
}
