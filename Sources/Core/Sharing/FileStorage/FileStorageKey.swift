public import Foundation

extension SharedReaderKey {
  /// Stores a value as JSON in a file.
  ///
  /// ```swift
  /// @Shared(.fileStorage(folder.appending(path: "todos.json"))) var todos: [Todo] = []
  /// ```
  ///
  /// If the file is missing or empty, the reference has its default value. If reading fails, the reference keeps the
  /// default and sets `loadError`. If writing fails, it sets `saveError`.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - decoder: Decodes the value. If `nil`, uses a `JSONDecoder` with default settings.
  ///   - encoder: Encodes the value. If `nil`, uses a `JSONEncoder` with default settings.
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

  /// Stores a value in a file, in a custom format.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - decode: Returns the value of the file's data.
  ///   - encode: Returns the data for a value.
  /// - Returns: The key.
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
  /// The data of the file after this key last read or wrote it.
  ///
  /// Identifies changes that the key itself made.
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

  /// The identity of a key: the URL and the storage.
  public struct ID: Hashable, Sendable {
    fileprivate let url: URL
    fileprivate let storage: FileStorage
  }

  /// The URL and the storage.
  public var id: ID { ID(url: url, storage: storage) }

  /// Reads the file.
  ///
  /// If it is missing, the reference has its default value.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume { try found(storage.data(at: url)) }
  }

  private func found(_ data: Data?) throws -> SharedFinding<Value> {
    do {
      return SharedFinding(value: try data.flatMap(value(of:))) { known.setValue(data) }
    } catch {
      // Reports an unreadable file only once.
      known.setValue(data)
      throw error
    }
  }

  /// Returns the value of a file's data.
  ///
  /// Returns `nil` for empty data that doesn't decode. Other programs may create an empty file before they write to it.
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
        // Pending data is newer than data that other code has written.
        try storage.writer.externalChange(at: url) { known.value }.map { try found($0) }
      }
    }
    let use = storage.writer.use(url)
    let subscription = storage.files.watch(url, look)
    // The file may have changed between the load and the subscription.
    look()
    return SharedSubscription {
      subscription.cancel()
      use.cancel()
    }
  }

  /// Writes the file, immediately or at the end of the interval since the last write.
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
  /// The key as in source code.
  public var description: String { ".fileStorage(\(url))" }

  var logName: String { "fileStorage(\(FolderName.shortened(url)))" }
}

/// Shortens file paths to names that are the same on every device.
enum FolderName {
  /// Returns the path of a file, with names in place of user-specific folders.
  static func shortened(_ url: URL) -> String {
    let path = url.standardizedFileURL.path(percentEncoded: false)
    for (name, folder) in known {
      let prefix = folder.standardizedFileURL.path(percentEncoded: false)
      let folderPath = prefix.hasSuffix("/") ? prefix : prefix + "/"
      if path.hasPrefix(folderPath) { return name + "/" + path.dropFirst(folderPath.count) }
    }
    return path
  }

  /// Nested folders come before the folders that contain them.
  private static let known: [(String, URL)] = {
    let users: [(String, FileManager.SearchPathDirectory)] = [
      ("documents", .documentDirectory), ("caches", .cachesDirectory),
      ("applicationSupport", .applicationSupportDirectory),
    ]
    let found = users.flatMap { name, folder in
      FileManager.default.urls(for: folder, in: .userDomainMask).map { (name, $0) }
    }
    return found + [("temporary", .temporaryDirectory), ("home", .homeDirectory)]
  }()
}
