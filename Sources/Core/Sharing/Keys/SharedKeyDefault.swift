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
public struct SharedKeyDefault<Base: SharedReaderKey>: SharedReaderKey {
  let base: Base
  let defaultValue: @Sendable () -> Base.Value

  /// The value that is shared when the key has none, made anew.
  public var initialValue: Base.Value { defaultValue() }

  /// The id of the key: with the default or without it, the reference is one.
  public var id: Base.ID { base.id }

  /// Loads what the key loads.
  public func load(context: LoadContext<Base.Value>, continuation: LoadContinuation<Base.Value>) {
    base.load(context: context, continuation: continuation)
  }

  /// Tells of what the key tells of.
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
