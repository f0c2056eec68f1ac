/// The `@DependencyClient` macro.
///
/// Generates endpoints, an initializer of all members and one of the other members.
enum DependencyClientMacro: Macro {
  static func memberAttributes(in context: MacroContext) -> [String] {
    let declaration = context.declaration
    guard declaration.isEndpoint, declaration.attribute("DependencyEndpoint") == nil else {
      return []
    }
    return ["@TCACore.DependencyEndpoint"]
  }

  static func extensions(in context: MacroContext) -> [String] {
    guard context.introducer == "struct", context.needs("_DependencyClient") else { return [] }
    return [
      "\(context.declaration.availability)nonisolated extension \(context.request.extendedType): TCACore._DependencyClient {}"
    ]
  }

  static func members(in context: MacroContext) -> [String] {
    guard let type = context.nominal, context.introducer == "struct" else {
      context.diagnoseAttribute(
        .needsStruct(macro: "DependencyClient", introducer: context.introducer),
        fixIts: [context.removalOfAttribute]
      )
      return []
    }
    let members = type.declarations.flatMap(members)
    for declaration in type.declarations where declaration.isEndpoint {
      _ = Endpoint(declaration, of: type.name.text)?.checkDefault(in: context)
    }
    guard !context.hasErrors else { return [] }
    let access = access(of: type, context.declaration)
    var initializers = [initializer(of: members, access: access)]
    if members.contains(where: \.isEndpoint) {
      initializers.append(initializer(of: members.filter { !$0.isEndpoint }, access: access))
    }
    return initializers + context.useOfImport
  }

  private struct Parameter {
    let name: Snippet
    let type: TypeReference
    let initialValue: Snippet?
    let isEndpoint: Bool
  }

  private static func members(of declaration: Declaration) -> [Parameter] {
    declaration.storedProperties.compactMap { binding, name, isLet in
      guard let type = binding.type, !(isLet && binding.initialValue != nil) else { return nil }
      return Parameter(
        name: name,
        type: type,
        initialValue: binding.initialValue,
        isEndpoint: declaration.isEndpoint
      )
    }
  }

  private static func initializer(of members: [Parameter], access: String) -> String {
    let parameters = members.map { member in
      let escaping = member.type.function != nil && !member.type.isOptional ? "@escaping " : ""
      let value = member.isEndpoint ? nil : member.initialValue
      return "  \(member.name.text): \(escaping)\(member.type.text)"
        + (value.map { " = \($0.text)" } ?? "")
    }
    // Endpoints with a default value have setters, which require that all other members are initialized.
    let hasSetter = { (member: Parameter) in member.isEndpoint && member.initialValue != nil }
    let ordered = members.filter { !hasSetter($0) } + members.filter(hasSetter)
    let assignments = ordered.map { "  self.\($0.name.text) = \($0.name.text)" }
    let list = parameters.isEmpty ? "" : "\n\(parameters.joined(separator: ",\n"))\n"
    return (["\(access)init(\(list)) {"] + assignments + ["}"]).joined(separator: "\n")
  }

  /// Returns the lowest access level of the type and its members, because an initializer names all their types.
  private static func access(of type: NominalType, _ declaration: Declaration) -> String {
    let levels = ["private", "fileprivate", "internal", "package", "public"]
    func rank(_ declaration: Declaration) -> Int {
      let level = declaration.accessLevel ?? "internal"
      return levels.firstIndex(of: level == "open" ? "public" : level) ?? 2
    }
    let members = type.declarations.filter { !$0.storedProperties.isEmpty }
    // Members of a private type are visible in the whole file.
    let own = max(rank(declaration), 1)
    let level = levels[([own] + members.map(rank)).min() ?? 2]
    return level == "internal" ? "" : level + " "
  }
}

extension Declaration {
  /// Whether this is a stored variable of function type.
  fileprivate var isEndpoint: Bool {
    guard let variable, !variable.isLet, variable.bindings.count == 1,
      attribute("DependencyEndpointIgnored") == nil
    else { return false }
    return storedProperties.first?.binding.type.map { $0.function != nil } ?? false
  }
}

/// The `@DependencyEndpoint` macro.
///
/// Generates a closure that is unimplemented until it is set.
enum DependencyEndpointMacro: Macro {
  static func accessors(in context: MacroContext) -> [String] {
    guard let endpoint = endpoint(in: context) else {
      context.diagnoseAttribute(
        .endpointNeedsFunction,
        fixIts: [context.removalOfAttribute]
      )
      return []
    }
    let storage = endpoint.name.prefixed("_")
    let access = [
      endpoint.getter(of: storage), "set { \(storage) = newValue }",
    ]
    // An init accessor would replace the reporting closure with the default value.
    if endpoint.defaultValue != nil { return access }
    return [
      """
      @storageRestrictions(initializes: \(storage))
      init(initialValue) {
        \(storage) = initialValue
      }
      """
    ] + access
  }

  static func peers(in context: MacroContext) -> [String] {
    guard let endpoint = endpoint(in: context) else { return [] }
    endpoint.checkDefault(in: context)
    guard !context.hasErrors else { return [] }
    let access = context.declaration.accessLevel.map { $0 + " " } ?? ""
    let storage =
      "private var \(endpoint.name.prefixed("_")): \(endpoint.type.text) = \(endpoint.placeholder)"
    return [storage]
      + (endpoint.method(named: methodName(in: context), access: access).map { [$0] } ?? [])
  }

  private static func endpoint(in context: MacroContext) -> Endpoint? {
    let client = context.request.lexicalContext.first?.nominal?.name.text ?? "DependencyClient"
    return Endpoint(context.declaration, of: client)
  }

  /// Returns the `name` in `@DependencyEndpoint(method: "name")`.
  private static func methodName(in context: MacroContext) -> String? {
    let argument = context.attribute.arguments?.first { $0.label == "method" }?.value.text
    guard let argument, argument.first == "\"" else { return nil }
    let name = String(argument.dropFirst().dropLast())
    return name.isEmpty ? nil : name
  }
}
