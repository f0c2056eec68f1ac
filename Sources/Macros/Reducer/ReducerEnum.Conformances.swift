extension ReducerEnum {
  /// What `@Reducer(state: .equatable, action: .sendable)` asks for; nil if it cannot be told.
  static func conformances(in context: MacroContext) -> (state: [String], action: [String])? {
    var conformances: (state: [String], action: [String]) = ([], [])
    var label = "state"
    for argument in context.attribute.arguments ?? [] {
      label = argument.label ?? label
      guard argument.value.text.first == ".",
        let name = protocols[String(argument.value.text.dropFirst())]
      else {
        context.diagnoseAttribute(.unknownConformance(argument.value.text))
        return nil
      }
      if label == "state" {
        conformances.state.append(name)
      } else {
        conformances.action.append(name)
      }
    }
    return conformances
  }

  private static let protocols = [
    "codable": "Swift.Codable",
    "decodable": "Swift.Decodable",
    "encodable": "Swift.Encodable",
    "equatable": "Swift.Equatable",
    "hashable": "Swift.Hashable",
    "sendable": "Swift.Sendable",
  ]
}
