internal import ActionLog
@_spi(References) @_spi(SharedChangeTracking) internal import ComposableArchitecture
internal import Foundation
import Synchronization

/// The keys of the shared values in a state, such as those in files and settings.
///
/// A reducer that makes such a value reads what is stored. The library has no hook for these reads. They are found by
/// the keys that a state has and the one before it lacked.
package struct SharedKeys: Sendable {
  /// The names of the keys by the identities of their values in the last state; `nil` for a value without a key.
  private var names: [UInt: String?] = [:]
  /// Whether states of this type can have shared values.
  package private(set) var isPossible = true

  /// A value whose key the previous state lacked.
  package struct NewValue {
    /// The name of the read in a log: `shared.fileStorage(documents/notes.json)`.
    package let read: String
    /// The value before the changes of the reducer.
    package let value: Any
  }

  /// Finds the keys of a state.
  package init<State>(of state: State) { _ = update(to: state) }

  /// Finds the keys of the next state.
  ///
  /// - Parameters:
  ///   - state: The state after an action. The previous state must still exist, because identities can be reused.
  ///   - changes: The changes of the reducer that returned it.
  /// - Returns: The values whose keys the previous state lacked, in the order in which they are encoded.
  package mutating func update<State>(
    to state: State,
    before changes: SharedValueChanges = SharedValueChanges()
  ) -> [NewValue] {
    guard isPossible else { return [] }
    let collector = SharedKeyCollector(known: names)
    isPossible = SharedKeyCollector.$current.withValue(collector) {
      StateTracker.encodeReferences(in: state)
    }
    let known = Set(names.values.compactMap { $0 })
    let found = collector.found
    names = found.names
    var new: [NewValue] = []
    for value in found.values where !known.contains(value.name) {
      guard !new.contains(where: { $0.read == Self.read(value.name) }) else { continue }
      // The library has no value before the change for a reader.
      let same = found.values.filter { $0.name == value.name }
      let source = same.first { $0.isChangeable } ?? value
      new.append(NewValue(read: Self.read(value.name), value: changes.undone(source.current)))
    }
    return new
  }

  /// Returns whether the last state has the key of a read.
  package func contains(_ read: String) -> Bool {
    names.values.contains { $0.map(Self.read) == read }
  }

  private static func read(_ name: String) -> String { readPrefix + name }

  /// The start of the names of these reads.
  package static let readPrefix = "shared."

  /// Returns the name of the key of a reference that the library keeps; `nil` for other references.
  package static func read(of reference: Any) -> String? {
    SharedKeyCollector.name(of: reference).map(read)
  }
}

/// The changes that a reducer makes to shared values.
package struct SharedValueChanges: Sendable {
  private let tracker = SharedChangeTracker(reportUnassertedChanges: false)

  /// Creates a value without changes.
  package init() {}

  /// Runs a reducer, and stores the values before its changes.
  package func track<Result>(_ reduce: () -> Result) -> Result { tracker.track(reduce) }

  /// Runs a reducer whose changes do not reach the shared values.
  package func discard<Result>(_ reduce: () -> Result) -> Result { tracker.assert(reduce) }

  /// Reads a value as it was before the tracked changes.
  fileprivate func undone(_ read: () -> Any) -> Any { tracker.assert(read) }
}

/// Finds the keys of the shared values in a state that is being encoded.
final class SharedKeyCollector: Sendable {
  @TaskLocal static var current: SharedKeyCollector?

  /// A value that the previous state did not have.
  struct Found {
    let name: String
    /// Whether the value is a `Shared`.
    let isChangeable: Bool
    /// Returns the entire value.
    let current: () -> Any
  }

  private struct Contents: @unchecked Sendable {
    var names: [UInt: String?] = [:]
    var values: [Found] = []
  }

  private let known: [UInt: String?]
  private let contents = Mutex(Contents())

  init(known: [UInt: String?]) { self.known = known }

  /// The names by identities, and the new values.
  var found: (names: [UInt: String?], values: [Found]) {
    let contents = contents.withLock { $0 }
    return (contents.names, contents.values)
  }

  /// Receives a shared value, or a part of one.
  func note<Value>(_ shared: Shared<Value>) {
    // A part has the identifier of the entire value.
    note(UInt(bitPattern: shared._objectIdentifier)) {
      let root = Self.root(of: shared.reference)
      return Self.name(of: root).map { name in
        Found(name: name, isChangeable: true) { Self.value(of: root) }
      }
    }
  }

  /// Receives the reader of an entire shared value.
  func note<Value>(_ reader: SharedReader<Value>) {
    // The library reveals only the description of a reader's reference, which has the value if there is no key. The
    // address of the reader's storage saves repeated descriptions.
    let address = withUnsafeBytes(of: reader) { bytes in
      bytes.count >= MemoryLayout<UInt>.size ? bytes.load(as: UInt.self) : 0
    }
    note(address) {
      Self.name(ofReader: reader.description).map { name in
        Found(name: name, isChangeable: false) { reader.wrappedValue }
      }
    }
  }

  private func note(_ id: UInt, _ find: () -> Found?) {
    if let name = known[id] { return contents.withLock { $0.names[id] = name } }
    guard contents.withLock({ $0.names[id] }) == nil else { return }
    // Reading a name runs code of the app.
    nonisolated(unsafe) let found = find()
    contents.withLock { contents in
      contents.names[id] = .some(found?.name)
      if let found { contents.values.append(found) }
    }
  }

  private static func root(of reference: any MutableReference) -> any MutableReference {
    let base = Mirror(reflecting: reference).children.first { $0.label == "base" }?.value
    return (base as? any MutableReference).map(root) ?? reference
  }

  private static func value(of reference: some MutableReference) -> Any {
    reference.snapshot ?? reference.wrappedValue
  }

  /// Returns the name of a reference's key; `nil` for a value without one.
  static func name(of reference: Any) -> String? {
    Mirror(reflecting: reference).children.first { $0.label == "key" }
      .map { name(ofKey: String(reflecting: $0.value)) }
  }

  /// Returns the name in a description such as `SharedReader<Int>(.appStorage("count"))`; `nil` for parts of a value
  /// and values without a key.
  private static func name(ofReader description: String) -> String? {
    guard let start = description.firstRange(of: ">(")?.upperBound, description.hasSuffix(")")
    else { return nil }
    let key = description[start...].dropLast()
    let isPart = key.contains("[dynamicMember: ") || key.hasSuffix("!") || key.hasPrefix(".map(")
    return isPart || key.hasPrefix("value: ") ? nil : name(ofKey: String(key))
  }

  /// Returns the name of a key in a log, which is the same on every device: `appStorage(count)` for
  /// `.appStorage("count")`.
  private static func name(ofKey description: String) -> String {
    guard description.hasPrefix("."), description.hasSuffix(")"),
      let open = description.firstIndex(of: "(")
    else { return description }
    let kind = description[..<open].dropFirst()
    let id = description[description.index(after: open)...].dropLast()
    if kind == "fileStorage", let url = URL(string: String(id)), url.isFileURL {
      return "\(kind)(\(PortableFilePath.shortened(url)))"
    }
    let isQuoted = id.count > 1 && id.hasPrefix("\"") && id.hasSuffix("\"")
    return "\(kind)(\(isQuoted ? id.dropFirst().dropLast() : id))"
  }
}
