import Testing

/// A use of a macro that the plugin must refuse or warn about.
struct Misuse: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let macro: String
  let role: String
  let source: String
  let diagnostics: [String]
  let fixed: String?

  init(
    _ testDescription: String,
    _ macro: String,
    _ role: String = "member",
    _ source: String,
    _ diagnostics: String...,
    fixed: String? = nil
  ) {
    self.testDescription = testDescription
    self.macro = macro
    self.role = role
    self.source = source
    self.diagnostics = diagnostics
    self.fixed = fixed
  }

  static let all: [Misuse] = [
    Misuse(
      "case paths of a struct",
      "CasePathableMacro",
      "/// é\n  @CasePathable struct S {}",
      "2:3: error: '@CasePathable' applies to enums, not to structs",
      fixed: "/// é\n   struct S {}"
    ),
    Misuse(
      "two cases of one name",
      "CasePathableMacro",
      "@CasePathable enum E {\n  case a(Int), b\n  case a(String)\n}",
      "3:8: error: '@CasePathable' needs case names that differ; there is another case 'a'"
    ),
    Misuse(
      "two cases of one name in a value",
      "LogValueMacro",
      "@LogValue enum E {\n  case a(x: Int), b\n  case a(y: Int)\n}",
      "3:8: error: '@LogValue' needs case names that differ; there is another case 'a'"
    ),
    Misuse(
      "two cases of one name in a nested value",
      "LogValueMacro",
      "@_LogValue1 enum E {\n  case a(x: Int), b\n  case a(y: Int)\n}",
      "3:8: error: '@LogValue' needs case names that differ; there is another case 'a'"
    ),
    Misuse(
      "two cases of one name in a loggable value",
      "LoggableMacro",
      "@Loggable enum E {\n  case a(x: Int), b\n  case a(y: Int)\n}",
      "3:8: error: '@Loggable' needs case names that differ; there is another case 'a'"
    ),
    Misuse(
      "two cases of one name in an observable state",
      "ObservableStateMacro",
      "@ObservableState enum E {\n  case a(x: Int), b\n  case a(y: Int)\n}",
      "3:8: error: '@ObservableState' needs case names that differ; there is another case 'a'"
    ),
    Misuse(
      "two cases of one name in an enum of features",
      "ReducerMacro",
      "@Reducer enum E {\n  case a(x: Int), b\n  case a(y: Int)\n}",
      "3:8: error: '@Reducer' needs case names that differ; there is another case 'a'"
    ),
    Misuse(
      "a case path with the name of something else",
      "CasePathableMacro",
      "@CasePathable enum E {\n  case `self`\n}",
      "2:8: error: '@CasePathable' cannot write a path to 'self', a word that means something else after a type; give it another name"
    ),
    Misuse(
      "the case of a value with the name of something else",
      "LogValueMacro",
      "@LogValue enum E {\n  case `Type`(Int), `self`\n}",
      "2:8: error: '@LogValue' cannot write a path to 'Type', a word that means something else after a type; give it another name"
    ),
    Misuse(
      "the property of a value with the name of something else",
      "LogValueMacro",
      "@LogValue struct S {\n  var `Protocol` = 1\n}",
      "2:7: error: '@LogValue' cannot write a path to 'Protocol', a word that means something else after a type; give it another name"
    ),
    Misuse(
      "the property of a loggable value with the name of something else",
      "LoggableMacro",
      "@Loggable struct S {\n  let `self`: Int\n}",
      "2:7: error: '@Loggable' cannot write a path to 'self', a word that means something else after a type; give it another name"
    ),
    Misuse(
      "an observed property with the name of something else",
      "ObservableStateMacro",
      "@ObservableState struct S {\n  var `Type` = 1\n}",
      "2:7: error: '@ObservableState' cannot write a path to 'Type', a word that means something else after a type; give it another name"
    ),
    Misuse(
      "a feature's case with the name of something else",
      "ReducerMacro",
      "@Reducer enum E {\n  case `Type`(Child)\n}",
      "2:8: error: '@Reducer' cannot write a path to 'Type', a word that means something else after a type; give it another name"
    ),
    Misuse(
      "observable class",
      "ObservableStateMacro",
      "@ObservableState final class C {}",
      "1:1: error: '@ObservableState' applies to structs and enums, not to classes",
      fixed: " final class C {}"
    ),
    Misuse(
      "attribute of Observation",
      "ObservableStateMacro",
      "@ObservableState struct S {\n  @ObservationIgnored var x = \"}\"\n}",
      """
      2:3: error: '@ObservationIgnored' has no effect inside '@ObservableState'; use \
      '@ObservationStateIgnored'
      """,
      fixed: "@ObservableState struct S {\n  @ObservationStateIgnored var x = \"}\"\n}"
    ),
    Misuse(
      "older wrapper",
      "ObservableStateMacro",
      "@ObservableState struct S {\n  @PresentationState var x: Int?\n}",
      """
      2:3: error: '@PresentationState' has no effect inside '@ObservableState'; use '@Presents'
      """,
      fixed: "@ObservableState struct S {\n  @Presents var x: Int?\n}"
    ),
    Misuse(
      "reducer actor",
      "ReducerMacro",
      "@Reducer actor A {}",
      "1:1: error: '@Reducer' applies to structs, enums and classes, not to actors",
      fixed: " actor A {}"
    ),
    Misuse(
      "arguments on a struct",
      "ReducerMacro",
      "@Reducer(state: .equatable) struct S {}",
      """
      1:1: error: the arguments of '@Reducer' are for enums; state the conformances of a \
      struct's State and Action where these are declared
      """,
      fixed: "@Reducer struct S {}"
    ),
    Misuse(
      "unknown argument",
      "ReducerMacro",
      "@Reducer(state: .identifiable) enum E {}",
      """
      1:1: error: '@Reducer' cannot read '.identifiable'; it takes '.equatable', '.hashable', \
      '.sendable', '.codable', '.decodable' and '.encodable'
      """
    ),
    Misuse(
      "reduce method",
      "ReducerMacro",
      """
      @Reducer struct S {
        func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
      }
      """,
      """
      2:8: warning: a feature with 'reduce(into:action:)' cannot be composed of others; give it a \
      'body' with a 'Reduce' in it
      """,
      fixed: """
        @Reducer struct S {
          var body: some ReducerOf<Self> {
        Reduce { state, action in .none }
        }
        }
        """
    ),
    Misuse(
      "unclear case",
      "ReducerMacro",
      "@Reducer enum E {\n  case a([Int])\n}",
      """
      2:8: error: the payload of 'a' is not clearly a feature; mark the case with \
      '@ReducerCaseIgnored' if it is plain state
      """,
      fixed: "@Reducer enum E {\n  @ReducerCaseIgnored case a([Int])\n}"
    ),
    Misuse(
      "constant that is presented",
      "PresentsMacro",
      "accessor",
      "@Presents let x: Int?",
      "1:1: error: '@Presents' applies to a stored 'var' of its own",
      fixed: " let x: Int?"
    ),
    Misuse(
      "presented without type",
      "PresentsMacro",
      "accessor",
      "@Presents var x = f()",
      """
      1:15: error: '@Presents' needs the type of 'x' to be stated, and to be optional: 'var x: \
      Child.State?'
      """
    ),
    Misuse(
      "view without store",
      "ViewActionMacro",
      "extension",
      "@ViewAction(for: F.self) struct V {}",
      "1:33: error: '@ViewAction' needs a property 'store' in 'V' to send actions to",
      fixed: "@ViewAction(for: F.self) struct V {\n  let store: StoreOf<F>}"
    ),
    Misuse(
      "direct sends",
      "ViewActionMacro",
      "extension",
      """
      @ViewAction(for: F.self) struct V {
        let store: StoreOf<F>
        func f() { store.send(.view(.tap(1))); other.store.send(.x) /* store.send */ }
        func g() { self.store.send(.other); print("store.send") }
      }
      """,
      """
      3:14: warning: a type with '@ViewAction' sends the actions of its view only; use 'send', not \
      'store.send'
      """,
      """
      4:14: warning: a type with '@ViewAction' sends the actions of its view only; use 'send', not \
      'store.send'
      """,
      fixed: """
        @ViewAction(for: F.self) struct V {
          let store: StoreOf<F>
          func f() { send(.tap(1)); other.store.send(.x) /* store.send */ }
          func g() { self.store.send(.other); print("store.send") }
        }
        """
    ),
    Misuse(
      "client class",
      "DependencyClientMacro",
      "@DependencyClient class C {}",
      "1:1: error: '@DependencyClient' applies to structs, not to classes",
      fixed: " class C {}"
    ),
    Misuse(
      "endpoint without default",
      "DependencyClientMacro",
      "@DependencyClient struct C {\n  var f: (Int) async -> Int\n}",
      """
      2:7: error: 'f' neither throws nor returns an optional, so it needs a default to return \
      while it is unimplemented
      """,
      fixed: "@DependencyClient struct C {\n  var f: (Int) async -> Int = { _ in <#Int#> }\n}"
    ),
    Misuse(
      "endpoint that is no function",
      "DependencyEndpointMacro",
      "accessor",
      "@DependencyEndpoint var x: Int",
      """
      1:1: error: '@DependencyEndpoint' applies to a 'var' whose type is stated and is a function
      """,
      fixed: " var x: Int"
    ),
    Misuse(
      "entry without value",
      "DependencyEntryMacro",
      "accessor",
      "@DependencyEntry(previewValue: 1) var x: Int",
      """
      1:1: error: '@DependencyEntry' applies to a 'var' which has a value, the one for tests, or a \
      'liveValue' and a stated type
      """
    ),
    Misuse(
      "unknown macro",
      "SomeMacro",
      "@Some struct S {}",
      """
      1:1: error: the macro plugin has no macro 'SomeMacro'; rebuild the package so that both are \
      of one version
      """
    ),
  ]
}

extension Misuse {
  /// Most misuses are detected when members are generated.
  fileprivate init(
    _ testDescription: String,
    _ macro: String,
    _ source: String,
    _ diagnostics: String,
    fixed: String? = nil
  ) {
    self.init(testDescription, macro, "member", source, diagnostics, fixed: fixed)
  }
}

@Suite struct MisuseTests {
  @Test(arguments: Misuse.all)
  func `the misuse of a macro is diagnosed with a message and a fix`(_ misuse: Misuse) throws {
    let expanding = try Expanding(misuse.macro, misuse.role, misuse.source)
    #expect(expanding.diagnostics == misuse.diagnostics)
    #expect(expanding.fixed == misuse.fixed)
  }

  @Test func `LogValue is refused for a class`() throws {
    let expanding = try Expanding(
      "LogValueMacro",
      "extension",
      "@LogValue class C {}",
      conformances: ["LogValue"]
    )
    #expect(
      expanding.diagnostics == [
        "1:1: error: '@LogValue' applies to structs and enums, not to classes"
      ]
    )
  }
}
