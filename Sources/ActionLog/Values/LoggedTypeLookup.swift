import Synchronization

/// A lookup for error types by their names in a log, which don't include modules.
///
/// The runtime finds a type by its symbol, which starts with the module. The lookup tries the modules of the states and
/// actions that the process decodes, and the modules of their stored types.
package enum LoggedTypeLookup {
  private struct Table {
    var roots: [Any.Type] = []
    var modules: [String]?
    var errors: [String: (any Error.Type)?] = [:]
  }

  private static let table = Mutex(Table())

  /// Adds a type whose values the process decodes from logs.
  package static func registerRoot(_ type: Any.Type) {
    table.withLock { table in
      guard !table.roots.contains(where: { $0 == type }) else { return }
      table.roots.append(type)
      (table.modules, table.errors) = (nil, [:])
    }
  }

  /// Returns the decodable error type that has a name in the form of `LogTypeName`.
  ///
  /// Returns `nil` if no module or more than one module has such a type.
  static func errorType(named name: String) -> (any Error.Type)? {
    if let known = table.withLock({ $0.errors[name] }) { return known }
    let modules = knownModules()
    var found: [any Error.Type] = []
    for symbol in symbols(ofTypeNamed: name, in: modules) {
      guard let type = LogTypeName.type(for: symbol).flatMap(LogTypeName.readableError),
        !found.contains(where: { $0 == type })
      else { continue }
      found.append(type)
    }
    let only = found.count == 1 ? found[0] : nil
    table.withLock { $0.errors[name] = .some(only) }
    return only
  }

  private static func knownModules() -> [String] {
    let (roots, known) = table.withLock { ($0.roots, $0.modules) }
    if let known { return known }
    // This call is outside the lock, because the survey of a type runs code of the app.
    let modules = modules(of: roots)
    table.withLock { $0.modules = modules }
    return modules
  }
}

extension LoggedTypeLookup {
  /// The maximum number of types whose modules are collected.
  ///
  /// A feature has fewer types.
  private static let mostTypes = 10_000

  private static func modules(of roots: [Any.Type]) -> [String] {
    var modules: [String] = []
    var seen: Set<ObjectIdentifier> = []
    var left = roots
    while let type = left.popLast(), seen.count < mostTypes {
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      for module in self.modules(in: _typeName(type, qualified: true))
      where module != "Swift" && !modules.contains(module) {
        modules.append(module)
      }
      left += LogTypeSurvey.loggedTypes(of: type) ?? LogTypeSurvey.storedTypes(of: type) ?? []
    }
    return modules.sorted()
  }

  /// Returns the modules in a qualified name, which are the first components of all dotted names, as in
  /// `App.Page<Models.Row>`.
  private static func modules(in name: String) -> [String] {
    let words = name.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
    return words.compactMap { word in
      guard !word.hasPrefix("."), let dot = word.firstIndex(of: ".") else { return nil }
      return String(word[..<dot])
    }
  }

  /// Returns the symbols that a type with a name could have in the modules, for all kinds of enclosing types.
  ///
  /// A nested type can be declared in an extension in another module than the enclosing type.
  private static func symbols(ofTypeNamed name: String, in modules: [String]) -> [String] {
    let names = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= mostNames, names.allSatisfy({ $0.isPlainIdentifier }) else { return [] }
    var symbols = modules.map { identifier($0) }
    for (index, name) in names.enumerated() {
      let isNested = index > 0
      symbols = symbols.flatMap { outer in
        let places =
          isNested && index == names.count - 1
          ? [outer] + modules.map { "\(outer)\(identifier($0))E" } : [outer]
        return places.flatMap { place in kinds.map { "\(place)\(identifier(name))\($0)" } }
      }
    }
    return symbols
  }

  /// The maximum nesting of types in a name.
  ///
  /// Deeper nesting would need thousands of attempts.
  private static let mostNames = 3
  /// The letters by which symbols denote structures, enums, and classes.
  private static let kinds = ["V", "O", "C"]

  private static func identifier(_ name: String) -> String { "\(name.utf8.count)\(name)" }
}

extension String {
  /// Whether the string is an identifier that symbols contain unchanged.
  fileprivate var isPlainIdentifier: Bool { isSwiftIdentifier && utf8.allSatisfy { $0 < 0x80 } }
}
