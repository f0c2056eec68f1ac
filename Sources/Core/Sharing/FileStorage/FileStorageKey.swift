public import Foundation

extension SharedReaderKey {
  /// Keeps a value as JSON in a file.
  ///
  /// ```swift
  /// @Shared(.fileStorage(folder.appending(path: "todos.json"))) var todos: [Todo] = []
  /// ```
  ///
  /// Without a file, or with an empty one, the default holds. A file that cannot be read leaves the default and the `loadError`; one
  /// that cannot be written leaves the `saveError`.
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
  /// The contents of the file when it was last taken or written for this key, to recognize the key's own changes.
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
    continuation.resume { try found(storage.data(at: url)) }
  }

  private func found(_ data: Data?) throws -> SharedFinding<Value> {
    do {
      return SharedFinding(value: try data.flatMap(value(of:))) { known.setValue(data) }
    } catch {
      // Once is enough to say that it cannot be read.
      known.setValue(data)
      throw error
    }
  }

  /// The value of a file; nil for an empty one, which other programs make before they write, unless that is a value.
  private func value(of data: Data) throws -> Value? {
    data.isEmpty ? try? decode(data) : try decode(data)
  }

  /// Reports changes by other code.
  public func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    let look: @Sendable () -> Void = {
      subscriber.yield {
        // Data that waits to be written is newer than data that other code has written.
        try storage.writer.externalChange(at: url) { known.value }.map { try found($0) }
      }
    }
    let use = storage.writer.use(url)
    let subscription = storage.files.watch(url, look)
    // It may have been written after it was loaded.
    look()
    return SharedSubscription {
      subscription.cancel()
      use.cancel()
    }
  }

  /// Writes the file at once, or as soon as it may be written again.
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
  /// The key as it is written in code.
  public var description: String { ".fileStorage(\(url))" }

  var logName: String { "fileStorage(\(FolderName.shortened(url)))" }
}

/// Names of files that are the same on every machine.
enum FolderName {
  /// The path of a file, with the folders that differ from user to user by their names.
  static func shortened(_ url: URL) -> String {
    let path = url.standardizedFileURL.path(percentEncoded: false)
    for (name, folder) in known {
      let prefix = folder.standardizedFileURL.path(percentEncoded: false)
      let folderPath = prefix.hasSuffix("/") ? prefix : prefix + "/"
      if path.hasPrefix(folderPath) { return name + "/" + path.dropFirst(folderPath.count) }
    }
    return path
  }

  /// Inner folders before those that they are in.
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
