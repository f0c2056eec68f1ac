public import ComposableArchitecture

/// Wraps an enum of features for a replay, because such an enum has no values.
///
/// ```swift
/// ReplayFeature("App") { EnumReducer(App.self) } initialState: { App.State.login(Login.State()) }
/// ```
///
/// Record it by its body: `App.body.recorded(as: "App", to: .file("session.jsonl"))`.
public struct EnumReducer<Feature: CaseReducer>: Reducer {
  /// The states of the enum.
  public typealias State = Feature.State
  /// The actions of the enum.
  public typealias Action = Feature.Action

  /// Creates a reducer from an enum of features.
  public init(_: Feature.Type = Feature.self) {}

  /// The body of the enum.
  public var body: Feature.Body { Feature.body }
}
