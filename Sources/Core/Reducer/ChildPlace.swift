/// Where in the parent's state a child stands: a key path, or a case key path, and its name in a log.
///
/// Places are compared by key path. Its text differs from process to process where a property is
/// computed, as all observed ones are, so a log gets a name: that of the property or of the action's
/// case, else the type of what stands there.
struct ChildPlace: Hashable, Sendable {
  /// Key paths never change; the language does not know it of those that are made at run time.
  nonisolated(unsafe) private let keyPath: AnyKeyPath
  private let givenName: (@Sendable () -> String?)?
  /// The case, where there is no key path that leads to it.
  private let caseName: String?

  init(_ keyPath: AnyKeyPath, name: (@Sendable () -> String?)? = nil) {
    self.keyPath = keyPath
    givenName = name
    caseName = nil
  }

  /// A case of what stands at a key path.
  init(_ keyPath: AnyKeyPath, case caseName: String?) {
    self.keyPath = keyPath
    givenName = { caseName }
    self.caseName = caseName
  }

  static func == (lhs: ChildPlace, rhs: ChildPlace) -> Bool {
    lhs.keyPath == rhs.keyPath && lhs.caseName == rhs.caseName
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(keyPath)
    hasher.combine(caseName)
  }

  /// The name, the same in every process.
  var name: String {
    givenName?() ?? memberName ?? writtenName
      ?? LogTypeName.of(type(of: keyPath).valueType)
  }

  /// The names of the members that lead there, where the type has a table of them.
  var memberName: String? {
    func name<Root: LogMembers>(in _: Root.Type) -> String? {
      guard let keyPath = keyPath as? PartialKeyPath<Root> else { return nil }
      return Root.names(of: keyPath)?.joined(separator: ".")
    }
    return (type(of: keyPath).rootType as? any LogMembers.Type).flatMap { name(in: $0) }
  }

  /// What stands behind the last dot of `\State.child`.
  private var writtenName: String? {
    let text = String(reflecting: keyPath)
    let name = text.split(separator: ".").last.map(String.init)
    return name.flatMap { name in
      name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : nil
    }
  }
}

extension ChildPlace: LogValue {
  /// Writes the name.
  func encode(to encoder: inout LogEncoder) {
    encoder.value(name)
  }

  /// Places are code, and never read from a log.
  static func decode(from decoder: LogDecoder, over _: ChildPlace?) throws -> ChildPlace {
    throw decoder.error(.notDecodable, type: Self.self)
  }
}
