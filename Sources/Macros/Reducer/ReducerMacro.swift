/// `@Reducer`: the conformance, what is left out of the feature, and the attributes of its State, Action and body.
enum ReducerMacro: Macro {
  static func extensions(in context: MacroContext) -> [String] {
    guard ["struct", "class", "enum"].contains(context.introducer) else { return [] }
    let names = context.introducer == "enum" ? ["CaseReducer", "Reducer"] : ["Reducer"]
    let conformances = names.filter(context.needs).map { "TCACore.\($0)" }
    if conformances.isEmpty { return [] }
    let list = conformances.joined(separator: ", ")
    return [
      "\(context.declaration.availability)nonisolated extension \(context.request.extendedType): \(list) {}"
    ]
  }

  static func members(in context: MacroContext) -> [String] {
    guard let type = context.nominal, ["struct", "class", "enum"].contains(context.introducer)
    else {
      context.diagnoseAttribute(
        .needsReducerType(introducer: context.introducer),
        fixIts: [context.removalOfAttribute]
      )
      return []
    }
    if context.introducer == "enum" {
      return ReducerEnum(type: type, context: context)?.members ?? []
    }
    checkArguments(in: context)
    warnOfReduceMethod(in: type, context)
    return missingMembers(of: type, access: context.memberAccess)
  }

  static func memberAttributes(in context: MacroContext) -> [String] {
    let declaration = context.declaration
    if let nominal = declaration.nominal {
      return attributes(ofNested: nominal, declaration)
    }
    return attributes(ofBody: declaration)
  }

  private static func attributes(
    ofNested type: NominalType,
    _ declaration: Declaration
  ) -> [String] {
    guard ["State", "Action"].contains(type.name.text) else { return [] }
    guard declaration.introducer.text == "enum" else {
      return LogValueMacro.wantsLogValue(declaration) ? ["@TCACore.LogValue"] : []
    }
    var attributes: [String] = []
    if declaration.attribute("CasePathable") == nil, !type.inherits("CasePathable") {
      attributes.append("@TCACore.CasePathable")
    } else if LogValueMacro.wantsLogValue(declaration) {
      attributes.append("@TCACore.LogValue")
    }
    if type.name.text == "State", declaration.attribute("dynamicMemberLookup") == nil {
      attributes.append("@dynamicMemberLookup")
    }
    return attributes
  }

  /// A body gets the builder of its own state and action, which `some ReducerOf<Self>` alone does not say.
  private static func attributes(ofBody declaration: Declaration) -> [String] {
    guard let binding = declaration.variable?.bindings.first,
      binding.names.first?.text == "body",
      binding.accessors?.names.isEmpty == true,
      declaration.attribute("ReducerBuilder") == nil,
      let arguments = binding.type?.reducerArguments
    else { return [] }
    switch arguments.count {
    case 1:
      let type = arguments[0].text
      return ["@TCACore.ReducerBuilder<\(type).State, \(type).Action>"]
    case 2: return ["@TCACore.ReducerBuilder<\(arguments[0].text), \(arguments[1].text)>"]
    default: return []
    }
  }
}

extension TypeReference {
  /// What stands between the angle brackets of `some Reducer<S, A>` or `some ReducerOf<R>`.
  var reducerArguments: [TypeReference]? {
    guard case .constrained("some", let type) = shape, let name = type.components?.last,
      name.name == "Reducer" || name.name == "ReducerOf"
    else { return nil }
    return name.arguments
  }
}
