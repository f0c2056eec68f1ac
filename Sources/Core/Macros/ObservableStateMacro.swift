import Observation

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
@attached(peer)
public macro ObservationStateIgnored() = #externalMacro(module: "TCAMacros", type: "MarkerMacro")
