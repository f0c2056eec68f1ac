/// What `@ObservableState` adds to an enum: the identity of its payload, tagged with the number of the case.
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
    // Numbers run through all branches of `#if`, so that a case has the same one in each build.
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
