/// `@CasePathable`: a case path for each case, and with that a place in the log.
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
    if context.needs("LogValue"), !type.inherits("LogValue") {
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
    guard checkNames(of: type, in: context) else { return [] }
    let access = context.memberAccess
    let properties =
      hasDynamicMembers(context) ? PayloadProperties(type: type, access: access).members : []
    return members(of: type, access: access) + properties + context.useOfImport
  }

  /// Whether payloads are members of a value, also by the attribute that a surrounding `@Reducer` adds.
  private static func hasDynamicMembers(_ context: MacroContext) -> Bool {
    if context.declaration.attribute("dynamicMemberLookup") != nil { return true }
    return context.nominal?.name.text == "State"
      && context.request.lexicalContext.first?.attribute("Reducer") != nil
  }

  /// The case paths of an enum.
  static func members(of type: NominalType, access: String) -> [String] {
    aliases(for: type, access: access) + [
      CasePaths(type: type, access: access).text,
      "\(access)static var allCasePaths: AllCasePaths { AllCasePaths() }",
    ]
  }

  /// Case paths are properties, so two cases of one name cannot both have one.
  private static func checkNames(of type: NominalType, in context: MacroContext) -> Bool {
    var seen: Set<String> = []
    // The branches of one condition exclude each other and may use a name again.
    for member in type.members {
      guard case .declaration(let declaration) = member,
        case .cases(let cases) = declaration.content
      else { continue }
      for enumCase in cases where !seen.insert(enumCase.name.name).inserted {
        context.diagnose(.overloadedCase(enumCase.name.name), at: enumCase.name.range)
      }
    }
    return !context.hasErrors
  }

  /// Inside `AllCasePaths` these names mean its own associated types, not the user's.
  private static func aliases(for type: NominalType, access: String) -> [String] {
    CasePaths.hiddenNames.filter { name in
      type.cases.contains { $0.elements.contains { $0.type.mentions(name) } }
    }
    .map { "\(access)typealias _$\($0) = \($0)" }
  }
}

/// Properties for the payloads of cases that have the name of a method.
///
/// The methods are those of the protocols to which macros make an enum conform. They would hide such a case, because a
/// dynamic member is looked for last: `value.encode` would be `encode(to:)`. A property goes before a method.
struct PayloadProperties {
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

/// The struct of case paths that `@CasePathable` generates.
struct CasePaths {
  let type: NominalType
  let access: String

  /// The associated types of a sequence, which would hide types of the user's with the same name.
  static let hiddenNames = ["Element", "Iterator"]

  var text: String {
    """
    \(access)struct AllCasePaths: \(conformances) {
    \(reflection.indented())
    \(type.members.caseLines(property).indented())
      \(type.deprecation)\(access)func makeIterator() -> Swift.IndexingIterator<[TCACore.PartialCaseKeyPath<\(root)>]> {
    \(iteration.indented(by: 4))
      }
    }
    """
  }

  private var conformances: String {
    (type.cases.isEmpty ? "" : "TCACore.CasePathReflectable, ") + "Swift.Sendable, Swift.Sequence"
  }

  /// The subscript that returns the case of a value; an enum without cases has no values.
  private var reflection: [String] {
    if type.cases.isEmpty { return [] }
    let header = "\(access)subscript(root: \(root)) -> TCACore.PartialCaseKeyPath<\(root)> {"
    if type.isSurelyInhabited {
      let choices = type.members.caseLines { enumCase, _ in
        ["  case .\(enumCase.name.text): return \\.\(enumCase.name.text)"]
      }
      return [type.deprecation + header, "  switch root {"] + choices + ["  }", "}"]
    }
    let choices = type.members.caseLines { enumCase, _ in
      ["  if case .\(enumCase.name.text) = root { return \\.\(enumCase.name.text) }"]
    }
    return [type.deprecation + header] + choices
      + ["  Swift.preconditionFailure(\"A value stands in none of its cases.\")", "}"]
  }

  private var root: String { type.name.text }

  private var iteration: [String] {
    let appends = type.members.caseLines { enumCase, _ in ["all.append(\\.\(enumCase.name.text))"] }
    let introducer = appends.isEmpty ? "let" : "var"
    return ["\(introducer) all: [TCACore.PartialCaseKeyPath<\(root)>] = []"] + appends
      + ["return all.makeIterator()"]
  }

  private func property(of enumCase: EnumCase, in declaration: Declaration) -> [String] {
    let value = enumCase.payloadType(payloadName)
    return [
      declaration.availability
        + """
        \(access)var \(enumCase.name.text): TCACore.AnyCasePath<\(root), \(value)> {
          TCACore.AnyCasePath<\(root), \(value)>(
            _$embed: \(embedding(enumCase)),
            extract: { \(extraction(enumCase)) }
          )
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
    // The bare function, because a closure would use a payload whose type may have no values.
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
