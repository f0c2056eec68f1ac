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
///
/// An enum of features becomes a feature itself, with a case of State and Action for each of them:
///
/// ```swift
/// @Reducer
/// enum Destination {
///   case detail(Detail)
///   case settings(Settings = Settings(isCompact: true))
///   @ReducerCaseIgnored case share(URL)
/// }
/// ```
@attached(extension, conformances: Reducer, CaseReducer)
@attached(
  member,
  names: named(State),
  named(Action),
  named(body),
  named(CaseScope),
  named(scope)
)
@attached(memberAttribute)
public macro Reducer() = #externalMacro(module: "TCAMacros", type: "ReducerMacro")

/// Makes an enum of features a feature whose State and Action have further conformances.
///
/// It is better to state these in extensions: `extension Destination.State: Equatable {}`.
@attached(extension, conformances: Reducer, CaseReducer)
@attached(
  member,
  names: named(State),
  named(Action),
  named(body),
  named(CaseScope),
  named(scope)
)
@attached(memberAttribute)
public macro Reducer(
  state: SynthesizedConformance...,
  action: SynthesizedConformance...
) = #externalMacro(module: "TCAMacros", type: "ReducerMacro")

/// A protocol to which `@Reducer(state:action:)` makes State and Action conform.
public enum SynthesizedConformance: Sendable {
  /// `Codable`
  case codable
  /// `Decodable`
  case decodable
  /// `Encodable`
  case encodable
  /// `Equatable`
  case equatable
  /// `Hashable`
  case hashable
  /// `Sendable`
  case sendable
}

/// Marks a case of a `@Reducer` enum whose payload is plain state and no feature.
@attached(peer)
public macro ReducerCaseIgnored() = #externalMacro(module: "TCAMacros", type: "MarkerMacro")

/// Marks a case of a `@Reducer` enum whose payload goes away with any of its actions, as an alert does.
@attached(peer)
public macro ReducerCaseEphemeral() = #externalMacro(module: "TCAMacros", type: "MarkerMacro")
