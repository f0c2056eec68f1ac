/// A property of function type, in the form that `@DependencyEndpoint` needs.
struct Endpoint {
  let name: Snippet
  let type: TypeReference
  let function: TypeReference.FunctionType
  let defaultValue: Snippet?
  /// The names of the client and the property: `APIClient.fetch`.
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
    title = "\(client).\(IdentifierSpelling.escaped(name.name))"
  }

  /// Reports a missing default value if the endpoint returns a value and can't throw an error of the library.
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

  /// Whether the endpoint can throw any error: `throws` or `throws(any Error)`.
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

  /// A closure that reports the missing implementation and then uses the fallback.
  var placeholder: String {
    let lines = ["TCACore._$reportUnimplemented(\"\(title)\")"] + fallback
    let names = defaultValue == nil ? parameterNames.map { _ in "_" } : parameterNames
    let header = names.isEmpty ? [] : ["  \(names.joined(separator: ", ")) in"]
    return (["{"] + header + [lines.indented(), "}"]).joined(separator: "\n")
  }

  /// The statements of an endpoint that isn't set: return the default, throw an error, or return no value.
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

  /// Returns a method that calls the closure.
  ///
  /// Needed for parameters with names and for a custom method name.
  func method(named methodName: String?, access: String) -> String? {
    let hasNames = function.parameters.contains { $0.secondName != nil && $0.secondName != "_" }
    guard hasNames || methodName != nil else { return nil }
    let parameters = zip(function.parameters, parameterNames).map { parameter, name in
      let label = parameter.secondName.map(IdentifierSpelling.quoted) ?? "_"
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

  /// The attributes of the function type that a method with a call of the function also needs, such as `@MainActor`.
  fileprivate var attributesOfMethod: String {
    switch shape {
    case .attributed(let specifiers, let type):
      specifiers.filter { $0.hasPrefix("@") && !Self.isOfFunctionsAlone($0) }.map { $0 + " " }
        .joined() + type.attributesOfMethod
    case .tuple(let elements) where elements.count == 1: elements[0].type.attributesOfMethod
    default: ""
    }
  }

  /// Whether an attribute applies only to function values: how they are stored, called and passed on.
  private static func isOfFunctionsAlone(_ attribute: String) -> Bool {
    ["@Sendable", "@escaping", "@convention", "@isolated"].contains {
      attribute == $0 || attribute.hasPrefix($0 + "(")
    }
  }
}

extension Endpoint {
  /// Returns the getter of an endpoint.
  ///
  /// Its closure counts as a read while a reducer runs, and as a call in an effect whose calls are recorded.
  func getter(of storage: String) -> String {
    let parts = [call, reading ?? "  return endpoint"].compactMap(\.self)
    guard call != nil || reading != nil else { return "get { \(storage) }" }
    return (["get {", "  let endpoint = \(storage)"] + parts + ["}"]).joined(separator: "\n")
  }

  /// The closure for reducers, which record a read, or `nil` if the endpoint can't be read.
  ///
  /// Only effects call asynchronous endpoints. Endpoints without a result have no value to read.
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

  /// The closure for effects whose calls are recorded, or `nil` if the calls can't be observed.
  ///
  /// The closure calls the endpoint directly, so that the call runs on the same actor as without recording.
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

  /// The parameters and effects of the closure for calls.
  ///
  /// States the type of a rethrown error, because Swift doesn't infer it.
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

  /// The arguments in the form that recordings accept.
  private var recorded: String {
    zip(function.parameters, parameterNames).map { parameter, name in
      // A function type may be hidden behind an alias, but an escaping parameter always states `@escaping`.
      let isFunction = parameter.type.function != nil || parameter.type.text.contains("@escaping")
      guard isFunction, !parameter.type.isOptional else { return "TCACore._$argument(\(name))" }
      return "TCACore._$function(\(parameter.type.text.replacing("@escaping ", with: "").literal))"
    }
    .joined(separator: ", ")
  }

  /// Whether a closure around the endpoint can pass on its arguments.
  private var canPassOn: Bool {
    !function.parameters.contains { $0.type.isOwned || $0.type.text.hasSuffix("...") }
  }

  /// The type of the closure without its parameters: `() throws -> User`.
  private var signature: String {
    let throwing = function.thrownType.map { " throws(\($0))" } ?? " throws"
    return "()\(function.isThrowing ? throwing : "") -> \(function.result.text)"
  }
}

extension TypeReference {
  /// Whether this parameter can't be passed on from another closure, or whether this result is sent to another
  /// isolation.
  fileprivate var isOwned: Bool {
    guard case .attributed(let specifiers, _) = shape else { return false }
    return !Self.ownerships.isDisjoint(with: specifiers)
  }

  /// Whether this is a function that can be called on any actor.
  ///
  /// A closure around it then needs no isolation.
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
  /// The text as a single-line string literal.
  fileprivate var literal: String {
    let escaped = split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
