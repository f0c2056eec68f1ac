/// All diagnostics of the macros with their texts.
enum DiagnosticMessage: Equatable {
  case unknownMacro(String)
  case unknownRole(String)
  case unreadable(ScanError.Reason)
  case needsEnum(macro: String, introducer: String)
  case needsStructOrEnum(macro: String, introducer: String)
  case overloadedCase(macro: String, name: String)
  case unnamableMember(macro: String, name: String)
  case needsReducerType(introducer: String)
  case reducerArguments(introducer: String)
  case reduceMethod
  case unclearReducerCase(String)
  case unknownConformance(String)
  case needsStruct(macro: String, introducer: String)
  case loggableEnum(String)
  case viewActionNeedsStore(String)
  case directSend
  case endpointNeedsDefault(String)
  case endpointNeedsFunction
  case entryNeedsValue
  case presentsNeedsVariable
  case presentsNeedsOptional(String)
  case replacedInObservableState(String, by: String)

  enum Severity: String {
    case error
    case warning
  }

  var severity: Severity {
    switch self {
    case .reduceMethod, .directSend, .loggableEnum: .warning
    default: .error
    }
  }

  var text: String {
    switch self {
    case .unknownMacro(let name):
      "the macro plugin has no macro '\(name)'; rebuild the package so that both are of one version"
    case .unknownRole(let role):
      "the macro plugin does not know the macro role '\(role)'"
    case .unreadable(.expected(let what)):
      "the macro cannot read this declaration: expected \(what) here"
    case .unreadable(.unterminated(let what)):
      "the macro cannot read this declaration: the \(what) that starts here does not end"
    case .unreadable(.unreadable):
      "the macro cannot read this declaration from here on"
    case .needsEnum(let macro, let introducer):
      "'@\(macro)' applies to enums, not to \(Self.plural(of: introducer))"
    case .needsStructOrEnum(let macro, let introducer):
      "'@\(macro)' applies to structs and enums, not to \(Self.plural(of: introducer))"
    case .replacedInObservableState(let name, let replacement):
      "'@\(name)' has no effect inside '@ObservableState'; use '@\(replacement)'"
    case .needsReducerType(let introducer):
      "'@Reducer' applies to structs, enums and classes, not to \(Self.plural(of: introducer))"
    case .reducerArguments(let introducer):
      "the arguments of '@Reducer' are for enums; state the conformances of a \(introducer)'s State and Action where these are declared"
    case .reduceMethod:
      "a feature with 'reduce(into:action:)' cannot be composed of others; give it a 'body' with a 'Reduce' in it"
    case .presentsNeedsVariable:
      "'@Presents' applies to a stored 'var' of its own"
    case .presentsNeedsOptional(let name):
      "'@Presents' needs the type of '\(name)' to be stated, and to be optional: 'var \(name): Child.State?'"
    case .needsStruct(let macro, let introducer):
      "'@\(macro)' applies to structs, not to \(Self.plural(of: introducer))"
    case .loggableEnum(let name):
      "'@Loggable' reaches neither State nor Action of an enum of features; write 'extension \(name).State: LogCases {}' and 'extension \(name).Action: LogCases {}'"
    case .viewActionNeedsStore(let name):
      "'@ViewAction' needs a property 'store' in '\(name)' to send actions to"
    case .directSend:
      "a type with '@ViewAction' sends the actions of its view only; use 'send', not 'store.send'"
    case .endpointNeedsDefault(let name):
      "'\(name)' neither throws nor returns an optional, so it needs a default to return while it is unimplemented"
    case .endpointNeedsFunction:
      "'@DependencyEndpoint' applies to a 'var' whose type is stated and is a function"
    case .entryNeedsValue:
      "'@DependencyEntry' applies to a 'var' which has a value, the one for tests, or a 'liveValue' and a stated type"
    case .unclearReducerCase(let name):
      "the payload of '\(name)' is not clearly a feature; mark the case with '@ReducerCaseIgnored' if it is plain state"
    case .unknownConformance(let text):
      "'@Reducer' cannot read '\(text)'; it takes '.equatable', '.hashable', '.sendable', '.codable', '.decodable' and '.encodable'"
    case .unnamableMember(let macro, let name):
      "'@\(macro)' cannot write a path to '\(name)', a word that means something else after a type; give it another name"
    case .overloadedCase(let macro, let name):
      "'@\(macro)' needs case names that differ; there is another case '\(name)'"
    }
  }

  private static func plural(of introducer: String) -> String {
    switch introducer {
    case "class": "classes"
    case "var", "let": "properties"
    case "func": "functions"
    default: introducer + "s"
    }
  }
}

/// The texts of the fix-its.
enum FixItMessage: Equatable {
  case remove(String)
  case replace(String, with: String)
  case insert(String)
  case useBody

  var text: String {
    switch self {
    case .remove(let what): "remove '\(what)'"
    case .replace(let old, let new): "replace '\(old)' with '\(new)'"
    case .insert(let what): "insert '\(what)'"
    case .useBody: "replace the method with a 'body'"
    }
  }
}
