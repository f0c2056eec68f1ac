/// One case of a `@Reducer` enum, and the code generated for it.
struct ReducerCase {
  let enumCase: EnumCase
  let kind: Kind

  enum Kind {
    /// The payload is a feature; `instance` makes its reducer.
    case reducer(type: String, instance: String)
    /// The payload is an alert or a dialog, whose actions are of the given type.
    case ephemeral(action: String)
    /// The payload is plain state.
    case ignored
    /// The payload is plain state, for which the user's own actions have a case.
    case plain(state: String, action: String)
  }

  /// Nil if the payload is neither clearly a feature nor marked.
  init?(_ enumCase: EnumCase, _ declaration: Declaration, in type: NominalType) {
    self.enumCase = enumCase
    if declaration.attribute("ReducerCaseIgnored") != nil || enumCase.elements.count != 1 {
      kind = Self.ignoredKind(enumCase, in: type)
      return
    }
    let element = enumCase.elements[0]
    guard let component = element.type.components?.last else { return nil }
    if let action = component.arguments.first,
      component.name == "AlertState" || component.name == "ConfirmationDialogState"
    {
      kind = .ephemeral(action: action.text)
    } else if declaration.attribute("ReducerCaseEphemeral") != nil {
      guard let action = component.arguments.first else { return nil }
      kind = .ephemeral(action: action.text)
    } else if element.argumentLabel == nil {
      let name = element.type.text
      kind = .reducer(type: name, instance: element.defaultValue?.text ?? "\(name)()")
    } else {
      return nil
    }
  }

  private static func ignoredKind(_ enumCase: EnumCase, in type: NominalType) -> Kind {
    guard enumCase.elements.count == 1,
      let actions = type.nestedType("Action")?.nominal,
      let action = actions.cases.first(where: { $0.name.text == enumCase.name.text }),
      action.elements.count == 1, !action.isImpossible
    else { return .ignored }
    return .plain(state: enumCase.elements[0].type.text, action: action.elements[0].type.text)
  }
}

extension ReducerCase {
  private var name: String { enumCase.name.text }

  /// The case with its payload as the user wrote it, without default values.
  private var verbatim: String {
    guard !enumCase.elements.isEmpty else { return "case \(name)" }
    let elements = enumCase.elements.map { element in
      (element.label.map { label in
        "\(Identifier.quotedLabel(label))\(element.secondName.map { " " + Identifier.quoted($0) } ?? ""): "
      } ?? "")
        + element.type.text
    }
    return "case \(name)(\(elements.joined(separator: ", ")))"
  }

  var stateCase: String {
    if case .reducer(let type, _) = kind { "case \(name)(\(type).State)" } else { verbatim }
  }

  var actionCase: String {
    switch kind {
    case .reducer(let type, _): "case \(name)(\(type).Action)"
    case .ephemeral(let action): "case \(name)(\(action))"
    case .ignored, .plain: "case \(name)(Swift.Never)"
    }
  }

  var bodyLine: String? {
    guard case .reducer(_, let instance) = kind else { return nil }
    let paths = "Self.State.allCasePaths.\(name), action: Self.Action.allCasePaths.\(name)"
    return
      "._$ifCaseLet(\(paths), named: \(Identifier.literal(enumCase.name.name))) { \(instance) }"
  }

  var scopeCase: String {
    switch kind {
    case .reducer(let type, _): "case \(name)(TCACore.StoreOf<\(type)>)"
    case .plain(let state, let action): "case \(name)(TCACore.Store<\(state), \(action)>)"
    case .ephemeral, .ignored: verbatim
    }
  }

  /// The type and the value of the path to the store of the case; nil for a case without one.
  var scopePath: String? {
    let types: String
    switch kind {
    case .reducer(let type, _): types = "\(type).State, \(type).Action"
    case .plain(let state, let action): types = "\(state), \(action)"
    case .ephemeral(let action): types = "\(enumCase.elements[0].type.text), \(action)"
    case .ignored: return nil
    }
    return
      "TCACore.CaseScopePath<State, Action, \(types)> { .init(\\.[dynamicMember: \\.\(name)], \\.\(name)) }"
  }

  /// Makes the scope of the case that the store's state has.
  var scopeLine: String {
    switch kind {
    case .reducer, .plain:
      // Spelled out, because a member of the state may have the name of the case and would go before a dynamic one. The
      // state has this case, so there is a store for it.
      let path = "\\.[dynamicMember: \\.\(name)]"
      return "case .\(name): return .\(name)(store.scope(\(path), action: \\.\(name))!)"
    case .ephemeral, .ignored:
      let values = enumCase.elements.indices.map { "_\($0)" }
      let binding = values.isEmpty ? "" : "let "
      return
        "case \(binding)\(enumCase.bindingPattern): return \(enumCase.construction(of: values))"
    }
  }
}
