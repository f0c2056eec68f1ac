/// The `@ObservableState` macro.
///
/// Generates per-property observation of a state and its conformance to `LogValue`.
enum ObservableStateMacro: Macro {
  static func extensions(in context: MacroContext) -> [String] {
    guard let type = context.nominal, ["struct", "enum"].contains(context.introducer) else {
      return []
    }
    var extensions: [String] = []
    let conformances = [("ObservableState", "TCACore"), ("Observable", "Observation")]
      .filter { context.needs($0.0) }
    if !conformances.isEmpty {
      let list = conformances.map { "\($0.1).\($0.0)" }.joined(separator: ", ")
      extensions.append(
        "\(context.declaration.availability)nonisolated extension \(context.request.extendedType): \(list) {}"
      )
    }
    guard context.needs("LogValue"), !type.inherits("LogValue"),
      !LogValueMacro.isMarked(context.declaration)
    else { return extensions }
    guard type.hasUsableNames() else { return extensions }
    let access = context.memberAccess
    if context.introducer == "struct" {
      let conformance = LogValueConformance.ofStruct(type, access: access, isObservable: true)
      extensions.append(conformance.asExtension(in: context))
    } else if !context.isMadeCasePathable {
      let conformance = LogValueConformance.ofEnum(type, access: access)
      extensions.append(conformance.asExtension(in: context))
    }
    return extensions
  }

  static func members(in context: MacroContext) -> [String] {
    guard let type = context.nominal, ["struct", "enum"].contains(context.introducer) else {
      context.diagnoseAttribute(
        .needsStructOrEnum(macro: "ObservableState", introducer: context.introducer),
        fixIts: [context.removalOfAttribute]
      )
      return []
    }
    guard context.introducer == "struct" else {
      // If the type has case paths, their macro reports the names.
      guard context.isMadeCasePathable ? type.hasUsableNames() : context.checkNames(of: type) else {
        return []
      }
      return ObservableEnum(type: type, access: context.memberAccess).members
    }
    checkProperties(of: type, in: context)
    guard context.checkNames(of: type) else { return [] }
    return structMembers(access: context.memberAccess)
  }

  /// Returns the members that observation adds to a structure.
  static func structMembers(access: String) -> [String] {
    [
      "var _$observationRegistrar = TCACore.ObservationStateRegistrar()",
      "\(access)var _$id: TCACore.ObservableStateID { _$observationRegistrar.id }",
      "\(access)mutating func _$willModify() { _$observationRegistrar._$willModify() }",
    ]
  }

  static func memberAttributes(in context: MacroContext) -> [String] {
    if LogValueMacro.wantsLogValue(context.declaration) {
      return LogValueMacro.isMarked(context.request.parent) ? [] : ["@ActionLog.LogValue"]
    }
    guard context.request.parent?.introducer.text == "struct",
      let variable = context.declaration.variable, !variable.isLet,
      !context.declaration.storedProperties.isEmpty,
      context.declaration.attribute("ObservationStateIgnored") == nil,
      context.declaration.attribute("ObservationStateTracked") == nil
    else { return [] }
    return context.declaration.isTrackable
      ? ["@TCACore.ObservationStateTracked"] : ["@TCACore.ObservationStateIgnored"]
  }

  /// Reports attributes that are incompatible with this macro: those of Observation and the older presentation wrapper.
  private static func checkProperties(of type: NominalType, in context: MacroContext) {
    for declaration in type.declarations where declaration.variable != nil {
      for (name, replacement) in replacements {
        guard let attribute = declaration.attribute(name) else { continue }
        context.diagnose(
          .replacedInObservableState(name, by: replacement),
          at: attribute.snippet.range,
          fixIts: [
            FixIt(
              .replace("@\(name)", with: "@\(replacement)"),
              replacing: attribute.snippet.range,
              with: "@\(replacement)"
            )
          ]
        )
      }
    }
  }

  private static let replacements = [
    ("ObservationIgnored", "ObservationStateIgnored"),
    ("ObservationTracked", "ObservationStateTracked"),
    ("PresentationState", "Presents"),
  ]
}

extension MacroContext {
  var introducer: String { declaration.introducer.text }

  /// Whether the type has `@CasePathable`, possibly from a surrounding `@Reducer`.
  ///
  /// If so, `@CasePathable` generates `LogValue`.
  fileprivate var isMadeCasePathable: Bool {
    if declaration.attribute("CasePathable") != nil { return true }
    guard let parent = request.lexicalContext.first, parent.attribute("Reducer") != nil else {
      return false
    }
    return nominal?.name.text == "State" || nominal?.name.text == "Action"
  }
}

/// The members that `@ObservableState` adds to an enum: the identity of its payload, tagged with the number of the
/// case.
struct ObservableEnum {
  let type: NominalType
  let access: String

  var members: [String] {
    if type.cases.isEmpty {
      return [
        "\(access)var _$id: TCACore.ObservableStateID { TCACore.ObservableStateID._$inert }",
        "\(access)mutating func _$willModify() {}",
      ]
    }
    // Numbers the cases of all `#if` branches consecutively, so that a case has the same number in every build.
    let names = type.cases.map(\.name.text)
    let identities = type.members.caseLines { enumCase, _ in
      let tag = names.firstIndex(of: enumCase.name.text) ?? 0
      return [identity(of: enumCase, tag: tag)]
    }
    let modifications = type.members.caseLines { enumCase, _ in modification(of: enumCase) }
    return [
      """
      \(access)var _$id: TCACore.ObservableStateID {
        switch self {
      \(identities.indented())
        }
      }
      """,
      """
      \(access)mutating func _$willModify() {
        switch self {
      \(modifications.indented())
        }
      }
      """,
    ]
  }

  private func identity(of enumCase: EnumCase, tag: Int) -> String {
    let name = enumCase.name.text
    switch enumCase.elements.count {
    case 1 where !enumCase.isImpossible:
      return
        "case .\(name)(let state): return TCACore.ObservableStateID._$id(for: state)._$tag(\(tag))"
    case 0: return "case .\(name): return TCACore.ObservableStateID._$inert._$tag(\(tag))"
    default: return "case .\(name): return TCACore.ObservableStateID()._$tag(\(tag))"
    }
  }

  private func modification(of enumCase: EnumCase) -> [String] {
    guard enumCase.elements.count == 1, !enumCase.isImpossible else {
      return ["case .\(enumCase.name.text): break"]
    }
    return [
      "case .\(enumCase.name.text)(var state):",
      "  TCACore._$willModify(&state)",
      "  self = \(enumCase.construction(of: ["state"]))",
    ]
  }
}
