/// A property with a function type, as `@DependencyEndpoint` reads it.
struct Endpoint {
  let name: Snippet
  let type: TypeReference
  let function: TypeReference.FunctionType
  let defaultValue: Snippet?
  /// The client and the property: `APIClient.fetch`.
  let title: String

  init?(_ declaration: Declaration, of client: String) {
    guard let variable = declaration.variable, !variable.isLet, variable.bindings.count == 1,
      let binding = variable.bindings.first, let name = binding.names.first,
      let type = binding.type,
      let function = type.function
    else { return nil }
    self.name = name
    self.type = type
    self.function = function
    defaultValue = binding.initialValue
    title = "\(client).\(Identifier.escaped(name.name))"
  }

  /// An endpoint that throws nothing of ours needs a value to return, so it needs a default.
  func checkDefault(in context: MacroContext) {
    guard needsDefault else { return }
    let ignored = Array(repeating: "_", count: function.parameters.count).joined(separator: ", ")
    let closure = "{ \(ignored.isEmpty ? "" : ignored + " in ")<#\(function.result.text)#> }"
    let end = type.snippet.range.upperBound
    context.diagnose(
      .endpointNeedsDefault(name.name),
      at: name.range,
      fixIts: [
        FixIt(.insert("= \(closure)"), replacing: end..<end, with: " = \(closure)")
      ]
    )
  }

  /// Whether it throws any error: `throws`, or `throws(any Error)`.
  private var throwsAnything: Bool {
    function.isThrowing && (function.thrownType.map { $0 == "any Error" } ?? true)
  }

  private var needsDefault: Bool {
    defaultValue == nil && !throwsAnything && !function.result.isVoid
      && !function.result.isOptional
  }

  private var parameterNames: [String] { function.parameters.indices.map { "p\($0)" } }

  var arguments: [String] {
    zip(function.parameters, parameterNames).map { parameter, name in
      parameter.type.isInout ? "&\(name)" : name
    }
  }

  /// A closure that reports the missing implementation and goes on as well as it can.
  var placeholder: String {
    let lines = ["TCACore._$reportUnimplemented(\"\(title)\")"] + fallback
    let names = defaultValue == nil ? parameterNames.map { _ in "_" } : parameterNames
    let header = names.isEmpty ? [] : ["  \(names.joined(separator: ", ")) in"]
    return (["{"] + header + [lines.indented(), "}"]).joined(separator: "\n")
  }

  /// The behaviour of an endpoint that is not set: its default, an error, or nothing.
  var fallback: [String] {
    if let defaultValue {
      let effects = (function.isThrowing ? "try " : "") + (function.isAsync ? "await " : "")
      return [
        "let implementation: \(type.text) = \(defaultValue.text)",
        "return \(effects)implementation(\(arguments.joined(separator: ", ")))",
      ]
    }
    if throwsAnything { return ["throw TCACore.Unimplemented(\"\(title)\")"] }
    return function.result.isVoid ? [] : ["return nil"]
  }

  /// A method that calls the closure, for parameters that have names or for a name of its own.
  func method(named methodName: String?, access: String) -> String? {
    let hasNames = function.parameters.contains { $0.secondName != nil && $0.secondName != "_" }
    guard hasNames || methodName != nil else { return nil }
    let parameters = zip(function.parameters, parameterNames).map { parameter, name in
      let label = parameter.secondName.map(Identifier.quoted) ?? "_"
      let escaping =
        parameter.type.function != nil && !parameter.type.isOptional
          && !parameter.type.text.contains("@escaping") ? "@escaping " : ""
      return "\(label) \(name): \(escaping)\(parameter.type.text)"
    }
    let throwing = function.thrownType.map { " throws(\($0))" } ?? " throws"
    let effects = (function.isAsync ? " async" : "") + (function.isThrowing ? throwing : "")
    let calls = (function.isThrowing ? "try " : "") + (function.isAsync ? "await " : "")
    return """
      \(type.attributesOfMethod)\(access)func \(methodName ?? name.text)(\(parameters.joined(separator: ", ")))\(effects) -> \(function.result.text) {
        \(calls)self.\(name.text)(\(arguments.joined(separator: ", ")))
      }
      """
  }
}

extension TypeReference {
  fileprivate var isInout: Bool {
    if case .attributed(let specifiers, _) = shape { specifiers.contains("inout") } else { false }
  }

  /// The attributes of the function type that a method which calls the function has to have, too, such as `@MainActor`.
  fileprivate var attributesOfMethod: String {
    switch shape {
    case .attributed(let specifiers, let type):
      specifiers.filter { $0.hasPrefix("@") && !Self.isOfFunctionsAlone($0) }.map { $0 + " " }
        .joined() + type.attributesOfMethod
    case .tuple(let elements) where elements.count == 1: elements[0].type.attributesOfMethod
    default: ""
    }
  }

  /// Whether an attribute says something of a function as a value: how it is kept, called and passed on.
  private static func isOfFunctionsAlone(_ attribute: String) -> Bool {
    ["@Sendable", "@escaping", "@convention", "@isolated"].contains {
      attribute == $0 || attribute.hasPrefix($0 + "(")
    }
  }
}

extension Endpoint {
  /// The getter: its closure counts as a read while an action is reduced, and as a call in an effect whose calls are recorded.
  func getter(of storage: String) -> String {
    let parts = [call, reading ?? "  return endpoint"].compactMap(\.self)
    guard call != nil || reading != nil else { return "get { \(storage) }" }
    return (["get {", "  let endpoint = \(storage)"] + parts + ["}"]).joined(separator: "\n")
  }

  /// The closure for reducers, which only read what is there at once; nil if the endpoint cannot be read.
  ///
  /// Only effects call an asynchronous endpoint, and one without a result gives a reducer nothing to read.
  private var reading: String? {
    guard !function.isAsync, !function.result.isVoid, !needsDefault, canPassOn else { return nil }
    let failure =
      throwsAnything ? "" : function.thrownType.map { "\n      failing: (\($0)).self," } ?? ""
    return """
        return {\(parameterList)
          \(attempt)TCACore._$endpoint(
            "\(title)",\(failure)
            standIn: { \(signature) in
      \(fallback.indented(by: 8))
            },
            \(function.isThrowing ? "throwing" : "live"): { \(signature) in \(live) }
          )
        }
      """
  }

  /// The closure for effects whose calls are recorded; nil if the endpoint's calls are not seen.
  ///
  /// The call stands in it as it would without: nothing else runs it, on no other actor.
  private var call: String? {
    guard canPassOn, type.isSendable, !function.result.isOwned, !needsDefault else { return nil }
    let throwing = function.thrownType.map { " throws(\($0))" } ?? ""
    let performed = [
      "let result: \(function.result.text) = \(live)", "call.returned(result)", "return result",
    ]
    let body =
      function.isThrowing
      ? ["do\(throwing) {"] + [performed.indented()] + ["} catch {", "  call.threw(error)"]
        + ["  throw error", "}"] : performed
    return """
        if TCACore._$recordsCalls {
          return {\(header)
            let call = TCACore._$EndpointCall("\(title)", [\(recorded)])
      \(body.indented(by: 6))
          }
        }
      """
  }

  /// What stands before the body of the closure for calls.
  ///
  /// The type of the error that it throws again is not inferred, so it is stated.
  private var header: String {
    guard let thrown = function.thrownType else { return parameterList }
    let names = parameterNames.isEmpty ? "()" : parameterNames.joined(separator: ", ")
    return " \(names)\(function.isAsync ? " async" : "") throws(\(thrown)) in"
  }

  private var parameterList: String {
    parameterNames.isEmpty ? "" : " \(parameterNames.joined(separator: ", ")) in"
  }

  private var attempt: String { function.isThrowing ? "try " : "" }

  private var live: String {
    "\(attempt)\(function.isAsync ? "await " : "")endpoint(\(arguments.joined(separator: ", ")))"
  }

  /// The arguments as a recording takes them.
  private var recorded: String {
    zip(function.parameters, parameterNames).map { parameter, name in
      // A function need not be spelled out, but where it escapes, that is stated.
      let isFunction = parameter.type.function != nil || parameter.type.text.contains("@escaping")
      guard isFunction, !parameter.type.isOptional else { return "TCACore._$argument(\(name))" }
      return "TCACore._$function(\(parameter.type.text.replacing("@escaping ", with: "").literal))"
    }
    .joined(separator: ", ")
  }

  /// Whether a closure around the endpoint can pass its arguments on.
  private var canPassOn: Bool {
    !function.parameters.contains { $0.type.isOwned || $0.type.text.hasSuffix("...") }
  }

  /// `() throws -> User`: the closure without its parameters.
  private var signature: String {
    let throwing = function.thrownType.map { " throws(\($0))" } ?? " throws"
    return "()\(function.isThrowing ? throwing : "") -> \(function.result.text)"
  }
}

extension TypeReference {
  /// A parameter that may not be passed on from within another closure, or a result that is sent away.
  fileprivate var isOwned: Bool {
    guard case .attributed(let specifiers, _) = shape else { return false }
    return !Self.ownerships.isDisjoint(with: specifiers)
  }

  /// A function that may be called from anywhere, so that a closure around it belongs to no actor either.
  fileprivate var isSendable: Bool {
    switch shape {
    case .attributed(let specifiers, _): specifiers.contains("@Sendable")
    case .tuple(let elements) where elements.count == 1: elements[0].type.isSendable
    default: false
    }
  }

  private static let ownerships: Set<String> = [
    "inout", "borrowing", "consuming", "sending", "__owned", "__shared", "isolated",
  ]
}

extension String {
  /// The text as a literal of one line.
  fileprivate var literal: String {
    let escaped = split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
