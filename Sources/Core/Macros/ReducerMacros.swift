import Observation

/// Turns a type into a reducer by adding the conformance and the code that `State`, `Action`, and `body` need.
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
/// `State`, `Action`, and `body` can be omitted and are empty by default. `State` and `Action` have case paths if they
/// are enums, and both can be logged.
///
/// An enum of features becomes a feature whose `State` and `Action` have one case for each of these features:
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

/// Turns an enum of features into a feature whose `State` and `Action` have further conformances.
///
/// Prefer to state these conformances in extensions: `extension Destination.State: Equatable {}`.
///
/// ```swift
/// @Reducer(state: .equatable, action: .equatable)
/// enum Destination {
///   case detail(Detail)
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
public macro Reducer(
  state: SynthesizedConformance...,
  action: SynthesizedConformance...
) = #externalMacro(module: "TCAMacros", type: "ReducerMacro")

/// A conformance that `@Reducer(state:action:)` adds to `State` or `Action`.
///
/// ```swift
/// @Reducer(state: .equatable, .sendable, action: .equatable)
/// enum Destination {
///   case detail(Detail)
/// }
/// ```
public enum SynthesizedConformance: Sendable {
  /// A conformance to `Codable`.
  case codable
  /// A conformance to `Decodable`.
  case decodable
  /// A conformance to `Encodable`.
  case encodable
  /// A conformance to `Equatable`.
  case equatable
  /// A conformance to `Hashable`.
  case hashable
  /// A conformance to `Sendable`.
  case sendable
}

/// Marks a case of a `@Reducer` enum whose payload is a value and not a feature.
///
/// ```swift
/// @Reducer
/// enum Destination {
///   case detail(Detail)
///   @ReducerCaseIgnored case share(URL)
/// }
/// ```
@attached(peer)
public macro ReducerCaseIgnored() = #externalMacro(module: "TCAMacros", type: "MarkerMacro")

/// Marks a case of a `@Reducer` enum whose payload is dismissed after any of its actions, like an alert.
///
/// `AlertState` and `ConfirmationDialogState` don't need this macro, but types with other names do. The first generic
/// argument of such a type must be the action.
///
/// ```swift
/// typealias Notice<Action> = AlertState<Action>
///
/// @Reducer
/// enum Destination {
///   case detail(Detail)
///   @ReducerCaseEphemeral case notice(Notice<Alert>)
///   enum Alert { case deleteConfirmed }
/// }
/// ```
@attached(peer)
public macro ReducerCaseEphemeral() = #externalMacro(module: "TCAMacros", type: "MarkerMacro")

/// Makes the properties of a state individually observable and the state suitable for logs.
///
/// ```swift
/// @ObservableState
/// struct State {
///   var count = 0
///   @Presents var alert: AlertState<Action.Alert>?
/// }
/// ```
///
/// The macro applies to structs, and to enums whose payloads are observable states. The state and its nested types,
/// unless they are private, conform to `LogValue`. The log uses the names of the properties as declared.
@attached(
  extension,
  conformances: Observable,
  ObservableState,
  LogValue,
  LogMembers,
  names: named(encode(to:)),
  named(decode(from:over:)),
  named(_$read(from:)),
  named(difference(from:to:into:)),
  named(survey(_:)),
  named(_$isWellFormed),
  named(init(_$log:over:)),
  named(init(_$text:)),
  named(_$logMembers)
)
@attached(
  member,
  names: named(_$id),
  named(_$observationRegistrar),
  named(_$willModify)
)
@attached(memberAttribute)
public macro ObservableState() =
  #externalMacro(module: "TCAMacros", type: "ObservableStateMacro")

/// Makes a property observable.
///
/// `@ObservableState` adds this macro to each variable of a struct.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro ObservationStateTracked() =
  #externalMacro(module: "TCAMacros", type: "ObservationStateTrackedMacro")

/// Excludes a property of an `@ObservableState` struct from observation.
///
/// ```swift
/// @ObservableState
/// struct State {
///   var count = 0
///   @ObservationStateIgnored var lastSaved = 0   // a change updates no view
/// }
/// ```
@attached(peer)
public macro ObservationStateIgnored() = #externalMacro(module: "TCAMacros", type: "MarkerMacro")

/// Adds a case path for each case of an enum and makes its values suitable for logs.
///
/// ```swift
/// @CasePathable
/// enum Action {
///   case tap
///   case renamed(String)
/// }
/// let action = Action.renamed("Blob")
/// action.is(\.tap)            // false
/// action[case: \.renamed]     // "Blob"
/// ```
///
/// The enum and its nested types, unless they are private, also conform to `LogValue`.
@attached(
  extension,
  conformances: CasePathable,
  CasePathIterable,
  LogValue,
  names: named(encode(to:)),
  named(decode(from:over:)),
  named(_$read(from:)),
  named(difference(from:to:into:)),
  named(survey(_:)),
  named(_$isWellFormed)
)
@attached(
  member,
  names: named(AllCasePaths),
  named(allCasePaths),
  named(_$Element),
  named(_$Iterator),
  named(_$Import),
  named(encode),
  named(hash),
  named(`is`),
  named(modify)
)
@attached(memberAttribute)
public macro CasePathable() = #externalMacro(module: "TCAMacros", type: "CasePathableMacro")

/// Turns an optional property into the state of a feature that can be presented.
///
/// ```swift
/// @ObservableState
/// struct State {
///   @Presents var child: Child.State?
/// }
/// state.child = Child.State()   // presents the child
/// state.$child                  // the `PresentationState` of the child
/// ```
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(`$`), prefixed(_))
public macro Presents() = #externalMacro(module: "TCAMacros", type: "PresentsMacro")

/// Adds a function `send(_:)` for view actions to a type with a feature's store.
///
/// The macro also warns about code in the type that sends other actions.
///
/// ```swift
/// @ViewAction(for: Login.self)
/// struct LoginView: View {
///   let store: StoreOf<Login>
///   var body: some View { Button("Log in") { send(.loginButtonTapped) } }
/// }
/// ```
@attached(extension, conformances: ViewActionSending)
public macro ViewAction<R: Reducer>(for reducer: R.Type) =
  #externalMacro(module: "TCAMacros", type: "ViewActionMacro")
where R.Action: ViewAction
