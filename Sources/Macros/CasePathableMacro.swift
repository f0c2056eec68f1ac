/// The `@CasePathable` macro.
///
/// Generates a case path for each case and the conformance to `LogValue`.
enum CasePathableMacro: Macro {
  static func extensions(in context: MacroContext) -> [String] {
    guard let type = context.nominal, context.declaration.introducer.text == "enum" else {
      return []
    }
    var extensions: [String] = []
    let conformances = ["CasePathable", "CasePathIterable"].filter(context.needs)
    if !conformances.isEmpty {
      let list = conformances.map { "TCACore.\($0)" }.joined(separator: ", ")
      extensions.append(
        "\(context.declaration.availability)nonisolated extension \(context.request.extendedType): \(list) {}"
      )
    }
    if context.needs("LogValue"), !type.inherits("LogValue"),
      !LogValueMacro.isMarked(context.declaration), type.hasUsableNames(withPaths: true)
    {
      let conformance = LogValueConformance.ofEnum(type, access: context.memberAccess)
      extensions.append(conformance.asExtension(in: context))
    }
    return extensions
  }

  static func memberAttributes(in context: MacroContext) -> [String] {
    LogValueMacro.memberAttributes(in: context)
  }

  static func members(in context: MacroContext) -> [String] {
    guard let type = context.nominal, context.declaration.introducer.text == "enum" else {
      context.diagnoseAttribute(
        .needsEnum(macro: "CasePathable", introducer: context.declaration.introducer.text),
        fixIts: [context.removalOfAttribute]
      )
      return []
    }
    guard context.checkNames(of: type, withPaths: true) else { return [] }
    let access = context.memberAccess
    let properties =
      hasDynamicMembers(context) ? CasePayloadAccessors(type: type, access: access).members : []
    let useOfImport = LogValueMacro.isMarked(context.declaration) ? [] : context.useOfImport
    return members(of: type, access: access) + properties + useOfImport
  }

  /// Whether payloads are dynamic members of a value.
  ///
  /// A surrounding `@Reducer` may add the attribute for it.
  private static func hasDynamicMembers(_ context: MacroContext) -> Bool {
    if context.declaration.attribute("dynamicMemberLookup") != nil { return true }
    return context.nominal?.name.text == "State"
      && context.request.lexicalContext.first?.attribute("Reducer") != nil
  }

  /// Returns the members that provide the case paths of an enum.
  static func members(of type: NominalType, access: String) -> [String] {
    aliases(for: type, access: access) + [
      CasePaths(type: type, access: access).text,
      "\(access)static var allCasePaths: AllCasePaths { AllCasePaths() }",
    ]
  }

  /// Returns type aliases for user types whose names `AllCasePaths` hides with its own associated types.
  private static func aliases(for type: NominalType, access: String) -> [String] {
    CasePaths.hiddenNames.filter { name in
      type.cases.contains { $0.elements.contains { $0.type.mentions(name) } }
    }
    .map { "\(access)typealias _$\($0) = \($0)" }
  }
}

/// Properties for the payloads of cases with the name of a method.
///
/// The methods belong to the protocols to which macros make an enum conform. They would hide such a case, because Swift
/// resolves dynamic members last: `value.encode` would be `encode(to:)`. A property takes precedence over a method.
struct CasePayloadAccessors {
  let type: NominalType
  let access: String

  private static let hiddenNames: Set<String> = ["encode", "hash", "is", "modify"]

  var members: [String] {
    let taken = type.declarations.flatMap { declaration in
      declaration.isStatic ? [] : declaration.variable?.bindings.flatMap(\.names) ?? []
    }
    return type.members.caseLines { enumCase, declaration in
      let name = enumCase.name
      guard Self.hiddenNames.contains(name.name), !taken.contains(where: { $0.name == name.name })
      else { return [] }
      return [
        declaration.availability
          + """
          \(access)var \(name.text): Swift.Optional<\(enumCase.payloadType())> {
            Self.allCasePaths.\(name.text).extract(from: self)
          }
          """
      ]
    }
  }
}

/// The structure of case paths that `@CasePathable` generates.
struct CasePaths {
  let type: NominalType
  let access: String

  /// The associated types of a sequence, which hide user types with the same names.
  static let hiddenNames = ["Element", "Iterator"]

  var text: String {
    """
    \(access)struct AllCasePaths: TCACore.\(conformance) {
      \(access)typealias Root = \(root)
    \(type.members.caseLines(property).indented())
      \(type.deprecation)\(access)var _$all: [TCACore.PartialCaseKeyPath<\(root)>] {
    \(list.indented(by: 4))
      }
    }
    """
  }

  private var root: String { type.name.text }

  /// The protocol of the case paths, which tells the library of a case for binding actions.
  private var conformance: String {
    let hasBinding = type.members.contains { member in
      guard case .declaration(let declaration) = member, declaration.availability.isEmpty,
        case .cases(let cases) = declaration.content
      else { return false }
      return cases.contains(where: \.isBinding)
    }
    return hasBinding ? "_$BindingCasePaths" : "_$ListedCasePaths"
  }

  private var list: [String] {
    let appends = type.members.caseLines { enumCase, _ in ["all.append(\\.\(enumCase.name.text))"] }
    if appends.isEmpty { return ["[]"] }
    return ["var all: [TCACore.PartialCaseKeyPath<\(root)>] = []"] + appends + ["return all"]
  }

  private func property(of enumCase: EnumCase, in declaration: Declaration) -> [String] {
    let value = enumCase.payloadType(payloadName)
    return [
      declaration.availability
        + """
        \(access)var \(enumCase.name.text): TCACore.AnyCasePath<\(root), \(value)> {
          .init(_$embed: \(embedding(enumCase))) { \(extraction(enumCase)) }
        }
        """
    ]
  }

  private func payloadName(_ payload: TypeReference) -> String {
    var names = ["Self": root]
    for name in Self.hiddenNames { names[name] = "_$\(name)" }
    return payload.renaming(names)
  }

  private func embedding(_ enumCase: EnumCase) -> String {
    let values = enumCase.elements.indices.map { "$0.\($0)" }
    let construction = "\(root)\(enumCase.construction(of: values))"
    if enumCase.isImpossible { return "TCACore._$absurd" }
    // Uses the case as a function. A closure would use a payload whose type may be uninhabited.
    if enumCase.elements.count == 1 { return "\(root).\(enumCase.name.text)" }
    return enumCase.elements.isEmpty ? "{ _ in \(construction) }" : "{ \(construction) }"
  }

  private func extraction(_ enumCase: EnumCase) -> String {
    if enumCase.isImpossible { return "_ in nil" }
    let names = enumCase.elements.indices.map { "_\($0)" }
    let value = names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
    let binding = names.isEmpty ? "" : "let "
    return "if case \(binding)\(enumCase.bindingPattern) = $0 { \(value) } else { nil }"
  }
}

extension EnumCase {
  /// Whether the case has a binding action as its payload: `binding(BindingAction<State>)`.
  fileprivate var isBinding: Bool {
    name.name == "binding" && elements.count == 1 && elements[0].argumentLabel == nil
      && elements[0].type.components?.last?.name == "BindingAction"
  }
}
