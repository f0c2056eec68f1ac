extension EnumCase {
  var elements: [TypeReference.Element] { payload ?? [] }

  /// Whether the payload is `Never`, so that no value can stand in this case.
  ///
  /// Code that takes such a payload in hand would be reported as never executed.
  var isImpossible: Bool {
    elements.contains { $0.type.components?.last?.name == "Never" }
  }

  /// The type that the case path of this case leads to.
  func payloadType(_ rename: (TypeReference) -> String = \.text) -> String {
    switch elements.count {
    case 0: return "Swift.Void"
    case 1: return rename(elements[0].type)
    default:
      let types = elements.map { element in
        (element.argumentLabel.map { $0 + ": " } ?? "") + rename(element.type)
      }
      return "(\(types.joined(separator: ", ")))"
    }
  }

  /// `.name(_0, _1)`: a pattern that binds the associated values, behind `let`.
  var bindingPattern: String {
    let names = elements.indices.map { "_\($0)" }
    return ".\(name.text)" + (names.isEmpty ? "" : "(\(names.joined(separator: ", ")))")
  }

  /// `.name(label: a, b)`: makes the case of the given values; what is nil is left to its default.
  func construction(of values: [String?]) -> String {
    let arguments = zip(elements, values).compactMap { element, value in
      value.map { (element.argumentLabel.map { "\(quoted($0)): " } ?? "") + $0 }
    }
    return ".\(name.text)" + (elements.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
  }

  /// Which of the associated values have a default and may be left out, all of them at once.
  ///
  /// One without a label may not where another without a label follows, which would take its place.
  var omissibleElements: [Bool] {
    var isFollowed = false
    return elements.reversed().map { element in
      let isUnlabelled = element.argumentLabel == nil
      if element.defaultValue != nil, !(isUnlabelled && isFollowed) { return true }
      isFollowed = isFollowed || isUnlabelled
      return false
    }.reversed()
  }

  private func quoted(_ label: String) -> String {
    label == "inout" || label == "var" || label == "let" ? "`\(label)`" : label
  }
}

extension TypeReference.Element {
  /// The label that a caller states; none for `_`.
  var argumentLabel: String? { label == "_" ? nil : label }
}

extension NominalType {
  /// The cases of an enum, those behind `#if` too.
  var cases: [EnumCase] {
    declarations.flatMap { declaration -> [EnumCase] in
      if case .cases(let cases) = declaration.content { cases } else { [] }
    }
  }
}
