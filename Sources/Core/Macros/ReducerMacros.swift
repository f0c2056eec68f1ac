import Observation

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

/// A protocol to which `@Reducer(state:action:)` makes State and Action conform.
///
/// ```swift
/// @Reducer(state: .equatable, .sendable, action: .equatable)
/// enum Destination {
///   case detail(Detail)
/// }
/// ```
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

/// Marks a case of a `@Reducer` enum whose payload goes away with any of its actions, as an alert does.
///
/// `AlertState` and `ConfirmationDialogState` need no mark. A type of another name does; its first generic argument is the action.
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

/// Makes the properties of a state observable one by one, and the state loggable.
///
/// ```swift
/// @ObservableState
/// struct State {
///   var count = 0
///   @Presents var alert: AlertState<Action.Alert>?
/// }
/// ```
///
/// It applies to structs and to enums whose payloads are observable states. The state and its nested types that are not
/// private conform to `LogValue`: the log names the properties as they are written here.
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

/// Observes a property of an `@ObservableState` struct, which adds this to each of its variables.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro ObservationStateTracked() =
  #externalMacro(module: "TCAMacros", type: "ObservationStateTrackedMacro")

/// Leaves a property of an `@ObservableState` struct unobserved.
///
/// ```swift
/// @ObservableState
/// struct State {
///   var count = 0
///   @ObservationStateIgnored var lastSaved = 0   // changes update no view
/// }
/// ```
@attached(peer)
public macro ObservationStateIgnored() = #externalMacro(module: "TCAMacros", type: "MarkerMacro")

/// Gives an enum a case path for each of its cases, and a place in the log.
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
/// The enum and its nested types that are not private also conform to `LogValue`.
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

/// Makes an optional property the state of a feature that is presented now and then.
///
/// ```swift
/// @ObservableState
/// struct State {
///   @Presents var child: Child.State?
/// }
/// state.child = Child.State()   // presents
/// state.$child                  // its `PresentationState`
/// ```
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(`$`), prefixed(_))
public macro Presents() = #externalMacro(module: "TCAMacros", type: "PresentsMacro")

/// Lets a type that holds the store of a feature send the view's actions with `send(_:)`, and warns where it sends others.
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
