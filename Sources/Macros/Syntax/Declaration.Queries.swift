extension Declaration {
  var nominal: NominalType? {
    if case .nominal(let type) = content { type } else { nil }
  }

  var variable: Variable? {
    if case .variable(let variable) = content { variable } else { nil }
  }

  var function: Function? {
    if case .function(let function) = content { function } else { nil }
  }

  /// The attribute of this name, qualified or not.
  func attribute(_ name: String) -> Attribute? {
    attributes.first { $0.baseName == name }
  }

  func has(modifier name: String) -> Bool {
    modifiers.contains { $0.name == name && $0.detail == nil }
  }

  var isStatic: Bool { has(modifier: "static") || has(modifier: "class") }

  /// `open`, `public`, `package`, `fileprivate` or `private`, if it is stated.
  var accessLevel: String? {
    modifiers.first {
      ["open", "public", "package", "internal", "fileprivate", "private"].contains($0.name)
        && $0.detail == nil
    }?.name
  }

  /// The access of members generated for this type, with a blank behind: `public `, `package ` or nothing.
  var memberAccess: String {
    switch accessLevel {
    case "open", "public": "public "
    case "package": "package "
    default: ""
    }
  }

  /// The `@available` attributes, each on a line of its own.
  var availability: String {
    attributes.filter { $0.name == "available" }.map { $0.snippet.text + "\n" }.joined()
  }
}

extension NominalType {
  /// The declarations among the members, those behind `#if` too.
  var declarations: [Declaration] { members.flatMap(\.declarations) }

  func inherits(_ name: String) -> Bool {
    inheritance.contains { $0.baseName == name }
  }

  /// The nested type, alias or not, of this name.
  func nestedType(_ name: String) -> Declaration? {
    declarations.first { declaration in
      switch declaration.content {
      case .nominal(let type):
        type.name.text == name && declaration.introducer.text != "extension"
      case .alias(let alias): alias.text == name
      default: false
      }
    }
  }
}

extension Member {
  var declarations: [Declaration] {
    switch self {
    case .declaration(let declaration): [declaration]
    case .conditional(let clauses): clauses.flatMap { $0.members.flatMap(\.declarations) }
    }
  }
}

extension Variable.Binding {
  /// Whether it takes up room in the type: no accessors but observers.
  var isStored: Bool {
    guard let accessors else { return true }
    return !accessors.names.isEmpty
      && accessors.names.allSatisfy { $0 == "willSet" || $0 == "didSet" }
  }
}

extension Snippet {
  /// The name without back quotes.
  var name: String {
    text.first == "`" ? String(text.dropFirst().dropLast()) : text
  }
}
