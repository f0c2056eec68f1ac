internal import ActionLog
public import Foundation

extension SharedReaderKey {
  /// Returns a key that stores a value as JSON in a file.
  ///
  /// ```swift
  /// @Shared(.fileStorage(folder.appending(path: "todos.json"))) var todos: [Todo] = []
  /// ```
  ///
  /// If the file is missing or empty, a new shared value has its default. If reading fails, the shared value stays
  /// unchanged and `loadError` is set. If writing fails, `saveError` is set.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - decoder: The decoder of the value; `nil` for a `JSONDecoder` with default settings.
  ///   - encoder: The encoder of the value; `nil` for a `JSONEncoder` with default settings.
  /// - Returns: A key for the file in the current `defaultFileStorage`.
  public static func fileStorage<Value: Codable & Sendable>(
    _ url: URL,
    decoder: JSONDecoder? = nil,
    encoder: JSONEncoder? = nil
  ) -> Self where Self == FileStorageKey<Value> {
    let decoder = decoder ?? JSONDecoder()
    let encoder = encoder ?? JSONEncoder()
    return FileStorageKey(
      url: url,
      decode: { try decoder.decode(Value.self, from: $0) },
      encode: { try encoder.encode($0) }
    )
  }

  /// Returns a key that stores a value in a file, in a custom format.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - decode: A function that returns the value for the data of the file.
  ///   - encode: A function that returns the data for a value.
  /// - Returns: A key for the file in the current `defaultFileStorage`.
  public static func fileStorage<Value: Sendable>(
    _ url: URL,
    decode: @escaping @Sendable (Data) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Data
  ) -> Self where Self == FileStorageKey<Value> {
    FileStorageKey(url: url, decode: decode, encode: encode)
  }
}

/// A key that stores a value in a file.
///
/// ```swift
/// extension SharedKey where Self == FileStorageKey<[Todo]> {
///   static var todos: Self { .fileStorage(todosURL) }
/// }
/// ```
public struct FileStorageKey<Value: Sendable>: SharedKey {
  private let url: URL
  private let storage: FileStorage
  private let decode: @Sendable (Data) throws -> Value
  private let encode: @Sendable (Value) throws -> Data
  /// The data of the file after this key last read or wrote it, which identifies changes made by the key itself.
  private let known = LockIsolated<Data?>(nil)

  fileprivate init(
    url: URL,
    decode: @escaping @Sendable (Data) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Data
  ) {
    self.url = url.standardizedFileURL
    self.decode = decode
    self.encode = encode
    storage = DependencyValues._current.defaultFileStorage
  }

  /// The identity of a key, which consists of the URL and the storage.
  public struct ID: Hashable, Sendable {
    fileprivate let url: URL
    fileprivate let storage: FileStorage
  }

  /// The URL of the file, and the storage that contains it.
  public var id: ID { ID(url: url, storage: storage) }

  /// Reads the value from the file.
  ///
  /// If the file is missing or empty, the shared value stays unchanged.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume { try found(storage.data(at: url)) }
  }

  private func found(_ data: Data?) throws -> SharedLookupResult<Value> {
    do {
      return SharedLookupResult(value: try data.flatMap(value(of:))) { known.setValue(data) }
    } catch {
      // Stores the data before throwing, so that an unreadable file is reported only once.
      known.setValue(data)
      throw error
    }
  }

  /// Returns the value for the data of a file.
  ///
  /// Returns `nil` for empty data that doesn't decode, because other programs may create an empty file before they
  /// write to it.
  private func value(of data: Data) throws -> Value? {
    data.isEmpty ? try? decode(data) : try decode(data)
  }

  /// Reports changes that other code makes to the file.
  public func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    let look: @Sendable () -> Void = {
      subscriber.yield {
        // While data is pending, only a removal of the file is reported, because the pending data is newer than data
        // that other code has written.
        try storage.writer.externalChange(at: url) { known.value }.map { try found($0) }
      }
    }
    let use = storage.writer.use(url)
    let subscription = storage.files.watch(url, look)
    // Looks immediately, because the file may have changed between the load and the subscription.
    look()
    return SharedSubscription {
      subscription.cancel()
      use.cancel()
    }
  }

  /// Writes the value to the file, immediately or at the end of the interval since the last write.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    do {
      let data = try encode(value)
      let save = FileWriter.Save(
        data: data,
        didHandOver: continuation.didHandOver,
        didWrite: { known.setValue(data) },
        completion: { continuation.resume(with: $0) }
      )
      storage.writer.save(save, to: url, isUrgent: context == .userInitiated)
    } catch { continuation.resume(throwing: error) }
  }
}

extension FileStorageKey: NamedSharedKey, CustomStringConvertible {
  /// The key as it appears in source code, with the URL of the file.
  public var description: String { ".fileStorage(\(url))" }

  var logName: String { "fileStorage(\(PortableFilePath.shortened(url)))" }
}
