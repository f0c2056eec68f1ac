import Foundation

/// Renderings of opaque values, for people and for a low-confidence comparison.
///
/// Every process renders equal values equally. Objects are numbered in order of appearance, and unordered collections
/// are sorted. For functions, pointers, and values that a lock protects, only the type is written.
///
/// ```swift
/// OpaqueRendering.text(of: Note(text: "a", tags: ["x"]))  // (text: "a", tags: ["x"])
/// ```
package enum OpaqueRendering {
  /// Whether encoders render opaque values.
  ///
  /// `true` while a recorder with this option writes, and while its log is replayed.
  @TaskLocal package static var isOn = false

  /// Runs an operation in which encoders render opaque values if `isOn` is `true`.
  ///
  /// If `isOn` is `false`, the current setting stays in effect.
  package static func run<Result>(_ isOn: Bool, _ operation: () throws -> Result) rethrows -> Result
  {
    isOn ? try $isOn.withValue(true, operation: operation) : try operation()
  }

  /// Returns the rendering of a value, or `nil` if only its type can be written.
  package static func text(of value: Any) -> String? {
    var text = OpaqueValueRenderer()
    text.write(value, isWhole: true, depth: 0)
    return text.text.isEmpty ? nil : text.finished
  }
}

extension LogEvent.Header {
  /// Runs an operation in which opaque values are rendered if this log's recorder rendered them.
  ///
  /// ```swift
  /// var encoder = LogEncoder()
  /// header.rendering { encoder.value(state) }  // as the recorder of this log would have written it
  /// ```
  ///
  /// A replay encodes the states that it compares in such an operation.
  ///
  /// - Parameter operation: A function that encodes states.
  /// - Returns: The result of the operation.
  /// - Throws: The error that the operation throws.
  public func rendering<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try OpaqueRendering.run(rendersOpaqueValues, operation)
  }
}

private struct OpaqueValueRenderer {
  private(set) var text = ""
  /// The numbers of the objects that have been rendered.
  private var objects: [ObjectIdentifier: Int] = [:]

  /// The maximum size of a rendering in bytes.
  ///
  /// A rendering only shows that a value changed. A type whose values must be logged completely has to conform to
  /// `LogValue`.
  private static let mostBytes = 4096
  private static let deepest = 8
  /// The maximum number of elements in an unordered collection that is rendered.
  ///
  /// Sorting a larger collection would be slow, so only its size is written.
  private static let mostUnordered = 256

  private var isFull: Bool { text.utf8.count > Self.mostBytes }

  /// The rendering, cut at `mostBytes`.
  var finished: String {
    guard isFull else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: Self.mostBytes - 3)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return text[..<end] + "…"
  }

  mutating func write(_ value: Any, isWhole: Bool = false, depth: Int) {
    guard !isFull else { return }
    guard depth <= Self.deepest else {
      text += "…"
      return
    }
    if let plain = Self.plain(value) {
      text += plain
      return
    }
    let mirror = Mirror(reflecting: value)
    let type = mirror.subjectType
    let name = isWhole ? "" : LogTypeName.of(type)
    guard !Self.isTypeAlone(type) else {
      text += name
      return
    }
    switch mirror.displayStyle {
    case .optional:
      if let child = mirror.children.first {
        write(child.value, depth: depth)
      } else {
        text += "nil"
      }
    case .enum: writeCase(value, mirror, depth)
    case .struct:
      text += name
      writeMembers(mirror.children.map { $0 }, depth)
    case .tuple: writeMembers(mirror.children.map { $0 }, depth)
    case .class: writeObject(value, mirror, name, depth)
    case .collection:
      text += "["
      for (index, child) in mirror.children.enumerated() {
        guard !isFull else { break }
        if index > 0 { text += ", " }
        write(child.value, depth: depth + 1)
      }
      text += "]"
    case .set: writeSorted(mirror, depth) { $0.write($1, depth: depth + 1) }
    case .dictionary:
      writeSorted(mirror, depth) { text, entry in
        for (index, part) in Mirror(reflecting: entry).children.enumerated() {
          if index > 0 { text.text += ": " }
          text.write(part.value, depth: depth + 1)
        }
      }
    default: text += name
    }
  }

  /// Returns the rendering of a value that has no parts, or `nil` for other values.
  private static func plain(_ value: Any) -> String? {
    switch value {
    case let value as String: String(value.unicodeScalars.prefix(mostBytes)).debugDescription
    case let value as Substring: String(value.unicodeScalars.prefix(mostBytes)).debugDescription
    case let value as Character: String(value).debugDescription
    case let value as Bool: "\(value)"
    case let value as any BinaryInteger: "\(value)"
    case let value as Double: "\(value)"
    case let value as Float: "\(value)"
    case let value as Data:
      "\(value.count) bytes \(value.prefix(48).base64EncodedString())"
    case is Date, is UUID, is URL, is Decimal, is Duration:
      String(decoding: LogEncoder(writing: value).releaseBytes(), as: UTF8.self)
    case is any Any.Type: "\(LogTypeName.of(Swift.type(of: value)))"
    default: nil
    }
  }

  private mutating func writeCase(_ value: Any, _ mirror: Mirror, _ depth: Int) {
    guard let child = mirror.children.first else {
      // The value's own description could differ between processes.
      let isNamed = !(value is any CustomStringConvertible)
      text += isNamed ? ".\(value)" : LogTypeName.of(mirror.subjectType)
      return
    }
    text += ".\(child.label ?? "")"
    let payload = Mirror(reflecting: child.value)
    if payload.displayStyle == .tuple {
      writeMembers(payload.children.map { $0 }, depth)
    } else {
      writeMembers([(label: nil, value: child.value)], depth)
    }
  }

  private mutating func writeMembers(_ members: [Mirror.Child], _ depth: Int) {
    let members = members.filter { !Self.isOfProcess(type(of: $0.value)) }
    text += "("
    for (index, member) in members.enumerated() {
      guard !isFull else { break }
      if index > 0 { text += ", " }
      if let label = member.label, !label.hasPrefix(".") { text += "\(label): " }
      write(member.value, depth: depth + 1)
    }
    text += ")"
  }

  private mutating func writeObject(_ value: Any, _ mirror: Mirror, _ name: String, _ depth: Int) {
    let id = ObjectIdentifier(value as AnyObject)
    if let number = objects[id] {
      text += "\(name)#\(number)"
      return
    }
    objects[id] = objects.count + 1
    text += "\(name)#\(objects.count)"
    var members: [Mirror.Child] = []
    var next: Mirror? = mirror
    while let mirror = next {
      members = mirror.children.map { $0 } + members
      next = mirror.superclassMirror
    }
    // Values that a lock protects must not be read without the lock.
    guard !members.isEmpty, !members.contains(where: { Self.isLock(type(of: $0.value)) }) else {
      return
    }
    writeMembers(members, depth)
  }

  /// Writes the elements of an unordered collection, sorted by their renderings.
  ///
  /// Objects are numbered separately for each element.
  private mutating func writeSorted(
    _ mirror: Mirror,
    _ depth: Int,
    _ write: (inout OpaqueValueRenderer, Any) -> Void
  ) {
    guard mirror.children.count <= Self.mostUnordered else {
      text += "[\(mirror.children.count) elements]"
      return
    }
    let texts = mirror.children.map { child in
      var element = OpaqueValueRenderer()
      element.objects = objects
      write(&element, child.value)
      return element.finished
    }
    text += "["
    for (index, element) in texts.sorted(by: { $0.precedesInBytes($1) }).enumerated() {
      guard !isFull else { break }
      text += index > 0 ? ", \(element)" : element
    }
    text += "]"
  }

  /// Whether only the type's name can be rendered, because values differ between processes or are unsafe to read.
  private static func isTypeAlone(_ type: Any.Type) -> Bool {
    if type is AnyKeyPath.Type || type is NSObject.Type { return true }
    let name = String(reflecting: type)
    return name.contains("->") || name.hasPrefix("Builtin.") || isLock(type)
      || typesAlone.contains { name.hasPrefix($0) }
  }

  private static let typesAlone = [
    "Swift.Unsafe", "Swift.OpaquePointer", "Swift.ObjectIdentifier", "Swift.AutoreleasingUnsafe",
    "Swift.Unmanaged", "Swift.Task", "Swift.AsyncStream", "Swift.AsyncThrowingStream",
    "Swift.ManagedBuffer",
  ]

  /// Whether values of a type depend on the process and are irrelevant to features, as observation registrars are.
  private static func isOfProcess(_ type: Any.Type) -> Bool {
    let name = String(reflecting: type)
    return ["ObservationStateRegistrar", "ObservationRegistrar", "ObservableStateID"]
      .contains { name.hasSuffix($0) }
  }

  /// Whether a type is a lock or another synchronization primitive.
  private static func isLock(_ type: Any.Type) -> Bool {
    let name = String(reflecting: type)
    return ["Lock", "Mutex", "Atomic", "Semaphore", "DispatchQueue", "pthread", "DefaultActor"]
      .contains { name.contains($0) }
  }
}
