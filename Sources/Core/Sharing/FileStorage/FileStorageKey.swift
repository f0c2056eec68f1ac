public import Foundation

extension SharedReaderKey {
  /// Keeps a value as JSON in a file.
  ///
  /// ```swift
  /// @Shared(.fileStorage(folder.appending(path: "todos.json"))) var todos: [Todo] = []
  /// ```
  ///
  /// A file that cannot be read leaves the default and the `loadError`; one that cannot be written leaves the `saveError`.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - decoder: Reads the value, a plain decoder if nil.
  ///   - encoder: Writes the value, a plain encoder if nil.
  /// - Returns: The key.
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

  /// Keeps a value in a file, in any form.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - decode: Reads the value.
  ///   - encode: Writes the value.
  /// - Returns: The key.
  public static func fileStorage<Value: Sendable>(
    _ url: URL,
    decode: @escaping @Sendable (Data) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Data
  ) -> Self where Self == FileStorageKey<Value> {
    FileStorageKey(url: url, decode: decode, encode: encode)
  }
}

/// Keeps a value in a file.
public struct FileStorageKey<Value: Sendable>: SharedKey {
  private let url: URL
  private let storage: FileStorage
  private let decode: @Sendable (Data) throws -> Value
  private let encode: @Sendable (Value) throws -> Data
  /// What the file held when it was last read or written for this key, by which a change is known to be its own.
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

  /// The file and the storage.
  public struct ID: Hashable, Sendable {
    fileprivate let url: URL
    fileprivate let storage: FileStorage
  }

  /// The file and the storage.
  public var id: ID { ID(url: url, storage: storage) }

  /// Reads the file; without one the default holds.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume(with: Result { try read() })
  }

  private func read() throws -> Value? {
    let data = try storage.data(at: url)
    known.withValue { $0 = data }
    return try data.map(decode)
  }

  /// Tells of changes by others.
  public func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    storage.files.watch(url) {
      // What waits to be written is newer.
      guard storage.writer.pending(for: url) == nil else { return }
      do {
        let data = try storage.files.read(url)
        guard known.withValue({ $0 }) != data else { return }
        known.withValue { $0 = data }
        subscriber.yield(with: .success(try data.map(decode)))
      } catch { subscriber.yield(throwing: error) }
    }
  }

  /// Writes the file at once, or as soon as it may be written again.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    do {
      let data = try encode(value)
      known.withValue { $0 = data }
      storage.writer.save(data, to: url, isUrgent: context == .userInitiated) {
        continuation.resume(with: $0)
      }
    } catch { continuation.resume(throwing: error) }
  }
}

extension FileStorageKey: NamedSharedKey, CustomStringConvertible {
  /// How the key is written in code.
  public var description: String { ".fileStorage(\(url))" }

  var logName: String { "fileStorage(\(FolderName.shortened(url)))" }
}
