/// Turns a type into a feature.
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
public macro Reducer() = #externalMacro(module: "StandInMacros", type: "ReducerMacro")

/// Marks a case that is not a feature.
@attached(peer)
public macro ReducerCaseIgnored() = #externalMacro(module: "StandInMacros", type: "MarkerMacro")

/// Generates key paths for an enum's cases.
@attached(extension, conformances: CasePathable, CasePathIterable)
@attached(
  member,
  names: named(AllCasePaths),
  named(allCasePaths),
  named(_$Element),
  named(_$Iterator),
  named(_$Import)
)
public macro CasePathable() = #externalMacro(module: "StandInMacros", type: "CasePathableMacro")

/// Makes a state observable.
@attached(extension, conformances: ObservableState, Observable)
@attached(member, names: named(_$id), named(_$observationRegistrar), named(_$willModify))
@attached(memberAttribute)
public macro ObservableState() =
  #externalMacro(module: "StandInMacros", type: "ObservableStateMacro")

/// Makes a property observable.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro ObservationStateTracked() =
  #externalMacro(module: "StandInMacros", type: "ObservationStateTrackedMacro")

/// Excludes a property from observation.
@attached(peer)
public macro ObservationStateIgnored() =
  #externalMacro(module: "StandInMacros", type: "MarkerMacro")

/// Turns an optional property into the state of a presented feature.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(`$`), prefixed(_))
public macro Presents() = #externalMacro(module: "StandInMacros", type: "PresentsMacro")
