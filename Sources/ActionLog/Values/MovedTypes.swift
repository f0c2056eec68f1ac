import Synchronization

/// Finds types by their names in a log, in whichever module they are.
///
/// The runtime finds a type by its symbol, which begins with the module. The modules that are tried are those of the states and
/// actions that the process reads, and of the types that these store.
package enum MovedTypes {
  private struct Table {
    var roots: [Any.Type] = []
    var modules: [String]?
    var errors: [String: (any Error.Type)?] = [:]
  }

  private static let table = Mutex(Table())

  /// Notes a type of values that the process reads from logs.
  package static func noteRoot(_ type: Any.Type) {
    table.withLock { table in
      guard !table.roots.contains(where: { $0 == type }) else { return }
      table.roots.append(type)
      (table.modules, table.errors) = (nil, [:])
    }
  }

  /// The type of errors with a name, as `LogTypeName` writes it, that reads back; `nil` when no module has it, or several have.
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
    // Not under the lock, for the survey of a type runs code of the app's.
    let modules = modules(of: roots)
    table.withLock { $0.modules = modules }
    return modules
  }
}

extension MovedTypes {
  /// More types are not looked through: a feature has fewer.
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

  /// The modules in a qualified name: the first component of each dotted name in `App.Page<Models.Row>`.
  private static func modules(in name: String) -> [String] {
    let words = name.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
    return words.compactMap { word in
      guard !word.hasPrefix("."), let dot = word.firstIndex(of: ".") else { return nil }
      return String(word[..<dot])
    }
  }

  /// The symbols that a type of this name has in one of the modules, whatever kinds of types it is nested in.
  ///
  /// A nested type may stand in an extension, in another module than the type around it.
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

  /// Deeper nesting would take thousands of attempts.
  private static let mostNames = 3
  /// How the symbols of structures, enums and classes end.
  private static let kinds = ["V", "O", "C"]

  private static func identifier(_ name: String) -> String { "\(name.utf8.count)\(name)" }
}

extension String {
  /// Whether this is an identifier whose symbol has the same letters.
  fileprivate var isPlainIdentifier: Bool { isSwiftIdentifier && utf8.allSatisfy { $0 < 0x80 } }
}
