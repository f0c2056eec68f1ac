/// `@DependencyEndpoint`: a closure that is unimplemented until it is set.
enum DependencyEndpointMacro: Macro {
  static func accessors(in context: MacroContext) -> [String] {
    guard let endpoint = endpoint(in: context) else {
      context.diagnoseAttribute(
        .endpointNeedsFunction,
        fixIts: [context.removalOfAttribute]
      )
      return []
    }
    let storage = "_\(endpoint.name.name)"
    let access = [
      endpoint.reading(of: storage) ?? "get { \(storage) }", "set { \(storage) = newValue }",
    ]
    // With an init accessor the default would take the place of the closure that reports.
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
      "private var _\(endpoint.name.name): \(endpoint.type.text) = \(endpoint.placeholder)"
    return [storage]
      + (endpoint.method(named: methodName(in: context), access: access).map { [$0] } ?? [])
  }

  private static func endpoint(in context: MacroContext) -> Endpoint? {
    let client = context.request.lexicalContext.first?.nominal?.name.text ?? "DependencyClient"
    return Endpoint(context.declaration, of: client)
  }

  /// `name` in `@DependencyEndpoint(method: "name")`.
  private static func methodName(in context: MacroContext) -> String? {
    let argument = context.attribute.arguments?.first { $0.label == "method" }?.value.text
    guard let argument, argument.first == "\"" else { return nil }
    let name = String(argument.dropFirst().dropLast())
    return name.isEmpty ? nil : name
  }
}
