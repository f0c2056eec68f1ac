public import ComposableArchitecture

/// An enum of features as the feature that is replayed: of such an enum there is no value to make.
///
/// ```swift
/// ReplayFeature("App") { EnumReducer(App.self) } initialState: { App.State.login(Login.State()) }
/// ```
///
/// It is recorded by its body: `App.body.recorded(as: "App", to: .file("session.jsonl"))`.
public struct EnumReducer<Feature: CaseReducer>: Reducer {
  /// The enum's states.
  public typealias State = Feature.State
  /// The enum's actions.
  public typealias Action = Feature.Action

  /// An enum of features.
  public init(_: Feature.Type = Feature.self) {}

  /// What the enum's body does.
  public var body: Feature.Body { Feature.body }
}
