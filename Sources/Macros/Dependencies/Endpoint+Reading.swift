extension Endpoint {
  /// A getter whose closure is a read while an action is reduced; nil for an endpoint that cannot be one.
  ///
  /// What is asynchronous is called by effects only, and what returns nothing tells a reducer nothing.
  func reading(of storage: String) -> String? {
    guard !function.isAsync, !function.result.isVoid, !needsDefault,
      !function.parameters.contains(where: \.type.isOwned)
    else { return nil }
    let names = parameterNames.isEmpty ? "" : " \(parameterNames.joined(separator: ", ")) in"
    let attempt = function.isThrowing ? "try " : ""
    let failure =
      throwsAnything ? "" : function.thrownType.map { "\n    failing: (\($0)).self," } ?? ""
    let call = "\(attempt)endpoint(\(arguments.joined(separator: ", ")))"
    return """
      get {
        let endpoint = \(storage)
        return {\(names)
          \(attempt)TCACore._$endpoint(
            "\(title)",\(failure)
            standIn: { \(signature) in
      \(fallback.indented(by: 8))
            },
            \(function.isThrowing ? "throwing" : "live"): { \(signature) in \(call) }
          )
        }
      }
      """
  }

  /// `() throws -> User`: the closure without its parameters.
  private var signature: String {
    let throwing = function.thrownType.map { " throws(\($0))" } ?? " throws"
    return "()\(function.isThrowing ? throwing : "") -> \(function.result.text)"
  }
}

extension TypeReference {
  /// A parameter that may not be passed on from within another closure.
  fileprivate var isOwned: Bool {
    guard case .attributed(let specifiers, _) = shape else { return false }
    return !Self.ownerships.isDisjoint(with: specifiers)
  }

  private static let ownerships: Set<String> = [
    "inout", "borrowing", "consuming", "sending", "__owned", "__shared", "isolated",
  ]
}
