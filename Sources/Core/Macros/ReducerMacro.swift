/// Makes a type a reducer: the conformance, and what its State, Action and body need.
///
/// ```swift
/// @Reducer
/// struct Counter {
///   @ObservableState
///   struct State { var count = 0 }
///   enum Action { case incrementButtonTapped }
///   var body: some ReducerOf<Self> {
///     Reduce { state, action in
///       state.count += 1
///       return .none
///     }
///   }
/// }
/// ```
///
/// State, Action and body may be left out; they are then empty. State and Action have case paths where they are enums, and
/// both are loggable.
@attached(extension, conformances: Reducer)
@attached(member, names: named(State), named(Action), named(body))
@attached(memberAttribute)
public macro Reducer() = #externalMacro(module: "TCAMacros", type: "ReducerMacro")
