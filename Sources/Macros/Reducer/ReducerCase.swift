/// A case of a `@Reducer` enum and the code generated for it.
struct ReducerCase {
  let enumCase: EnumCase
  let kind: Kind

  enum Kind {
    /// A payload that is a feature.
    ///
    /// - Parameters:
    ///   - type: The name of the reducer's type.
    ///   - instance: An expression that creates the reducer.
    case reducer(type: String, instance: String)
    /// A payload that is an alert or a dialog with actions of the given type.
    case ephemeral(action: String)
    /// A payload that is plain state without actions.
    case ignored
    /// A payload that is plain state with actions of the given type.
    case plain(state: String, action: String)
  }

  /// Returns `nil` if the payload is neither recognizable as a feature nor marked.
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
        "\(IdentifierSpelling.quotedLabel(label))\(element.secondName.map { " " + IdentifierSpelling.quoted($0) } ?? ""): "
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
      "._$ifCaseLet(\(paths), named: \(IdentifierSpelling.literal(enumCase.name.name))) { \(instance) }"
  }

  var scopeCase: String {
    switch kind {
    case .reducer(let type, _): "case \(name)(TCACore.StoreOf<\(type)>)"
    case .plain(let state, let action): "case \(name)(TCACore.Store<\(state), \(action)>)"
    case .ephemeral, .ignored: verbatim
    }
  }

  /// The type and the value of the path to the store of the case, or `nil` if the case has no store.
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

  /// The statement that creates the scope of the case if the store's state has that case.
  var scopeLine: String {
    switch kind {
    case .reducer, .plain:
      // Explicit, because a state member with the name of the case would take precedence over a dynamic member. The
      // store exists because the state has this case.
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
