import Foundation
import Synchronization

/// An optional state that exists while a feature is presented.
@propertyWrapper
public struct PresentationState<State> {
  private var box: Box
  /// The presented feature.
  ///
  /// It is ignored by comparisons.
  var presented: NavigationStep?

  private final class Box {
    let state: State?
    init(_ state: State?) { self.state = state }
  }

  /// Creates a presentation of an optional state.
  public init(wrappedValue: State?) { box = Box(wrappedValue) }

  /// The presented state.
  public var wrappedValue: State? {
    get { box.state }
    set { box = Box(newValue) }
  }

  /// The wrapper itself.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// Returns the identity of the presented feature.
  fileprivate func identity(at place: AnyHashable) -> NavigationStep? {
    wrappedValue.map { NavigationStep(place: place, id: Self.id(of: $0)) }
  }

  private static func id(of state: State) -> AnyHashable {
    let type = ObjectIdentifier(State.self)
    if let id = identifier(state) { return [AnyHashable(type), id] }
    guard let child = Mirror(reflecting: state).children.first,
      Mirror(reflecting: state).displayStyle == .enum
    else { return AnyHashable(type) }
    return [
      AnyHashable(type), AnyHashable(child.label ?? ""), identifier(child.value) ?? AnyHashable(0),
    ]
  }

  private static func identifier(_ value: Any) -> AnyHashable? {
    func open<Value: Identifiable>(_ value: Value) -> AnyHashable { AnyHashable(value.id) }
    return (value as? any Identifiable).map { open($0) }
  }
}

extension PresentationState: @unchecked Sendable where State: Sendable {}
extension PresentationState: Equatable where State: Equatable {
  /// Compares the states.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.box === rhs.box || lhs.wrappedValue == rhs.wrappedValue
  }
}

/// An action of a presented feature, or its dismissal.
@dynamicMemberLookup
public enum PresentationAction<Action>: CasePathable {
  /// Dismisses the feature.
  case dismiss
  /// An action of the feature.
  indirect case presented(Action)

  /// The case paths of the enum.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }

  /// The case paths of the enum.
  @dynamicMemberLookup
  public struct AllCasePaths: Sendable {
    /// The case of the dismissal.
    public var dismiss: AnyCasePath<PresentationAction, Void> {
      AnyCasePath(
        embed: { .dismiss },
        extract: { if case .dismiss = $0 { () } else { nil } }
      )
    }
    /// The case of the feature's actions.
    public var presented: AnyCasePath<PresentationAction, Action> {
      AnyCasePath(
        embed: { .presented($0) },
        extract: { if case .presented(let action) = $0 { action } else { nil } }
      )
    }
    /// Returns the path to a case of the feature's actions.
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Action.AllCasePaths, AnyCasePath<Action, Member>>
    ) -> AnyCasePath<PresentationAction, Member> where Action: CasePathable {
      presented.appending(path: Action.allCasePaths[keyPath: keyPath])
    }
  }
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Sendable where Action: Sendable {}

/// A state that any action dismisses.
public protocol _EphemeralState {
  /// The type of the actions.
  associatedtype Action
}

private struct DismissID: Hashable {}
private struct PresentedEffectsID: Hashable {}

extension Reducer {
  /// Runs a reducer on a state while it is presented.
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> destination child: () -> Child
  ) -> some Reducer<State, Action> {
    _Presentation(base: self, place: state, action: AnyCasePath(action), child: child())
  }

  /// Dismisses an alert with its actions.
  public func ifLet<ChildState: _EphemeralState, ChildAction>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> some Reducer<State, Action> {
    ifLet(state, action: action) { EmptyReducer<ChildState, ChildAction>() }
  }

  /// Runs the features of an enum while one is presented.
  public func ifLet<ChildState: CaseReducerState, ChildAction>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> some Reducer<State, Action> where ChildState.StateReducer.Action == ChildAction {
    ifLet(state, action: action) { ChildState.StateReducer.body }
  }
}

private struct _Presentation<Base: Reducer, Child: Reducer>: Reducer {
  let base: Base
  let place: WritableKeyPath<Base.State, PresentationState<Child.State>>
  let action: AnyCasePath<Base.Action, PresentationAction<Child.Action>>
  let child: Child

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let initial = state[keyPath: place].identity(at: place)
    var effects = Effect<Base.Action>.none
    let path = DependencyValues._current.navigationPath
    switch (initial, self.action.extract(from: action)) {
    case (let step?, .presented(let childAction)?):
      guard var childState = state[keyPath: place].wrappedValue else { return .none }
      let embed = self.action
      let own = ChildFeature.reduce(step, path) {
        child._reduce(into: &childState, action: childAction)
      }
      state[keyPath: place].wrappedValue = childState
      effects = ChildFeature.effects(own.map { embed.embed(.presented($0)) }, of: step, path)
      let wasEphemeral = Ephemeral.isOne(state[keyPath: place].wrappedValue as Any)
      effects = effects.merge(with: base._reduce(into: &state, action: action))
      if wasEphemeral, state[keyPath: place].identity(at: place) == step {
        state[keyPath: place].wrappedValue = nil
      }
    case (let step?, .dismiss?):
      effects = base._reduce(into: &state, action: action)
      if state[keyPath: place].identity(at: place) == step {
        state[keyPath: place].wrappedValue = nil
      }
    default: effects = base._reduce(into: &state, action: action)
    }
    let presented = state[keyPath: place].identity(at: place)
    let mounted = state[keyPath: place].presented ?? (presented == initial ? nil : initial)
    let isKnown = state[keyPath: place].presented == presented
    if let mounted, mounted != presented {
      effects = effects.merge(
        with: ChildFeature.end(mounted, path)
      )
    }
    if let presented, !isKnown {
      let embed = self.action
      state[keyPath: place].presented = presented
      guard !Ephemeral.isOne(state[keyPath: place].wrappedValue as Any) else { return effects }
      effects = effects.merge(
        with: ChildFeature.begin(presented, path, dismissal: embed.embed(.dismiss))
      )
    }
    if presented == nil { state[keyPath: place].presented = nil }
    return effects
  }
}

enum Ephemeral {
  static func isOne(_ state: Any) -> Bool {
    if state is any _EphemeralState { return true }
    let mirror = Mirror(reflecting: state)
    guard let child = mirror.children.first else { return false }
    switch mirror.displayStyle {
    case .optional: return isOne(child.value)
    case .enum: return child.value is any _EphemeralState
    default: return false
    }
  }
}

enum ChildFeature {
  /// Reduces an action of a presented feature that can dismiss itself.
  static func reduce<Result>(
    _ step: NavigationStep,
    _ path: [NavigationStep],
    _ body: () -> Result
  ) -> Result {
    withDependencies {
      $0.navigationPath = path + [step]
      $0.dismiss = DismissEffect { Task<Never, Never>.cancel(DismissID(), path + [step]) }
    } operation: {
      body()
    }
  }

  static func end<Action>(_ step: NavigationStep, _ path: [NavigationStep]) -> Effect<Action> {
    .concatenate(
      .cancel(PresentedEffectsID(), path + [step]),
      .cancel(DismissID(), path + [step])
    )
  }

  static func begin<Action>(
    _ step: NavigationStep,
    _ path: [NavigationStep],
    dismissal: @autoclosure @escaping @Sendable () -> Action
  ) -> Effect<Action> {
    .concatenate(
      .publisher { .empty(completes: false) }.cancellable(DismissID(), path + [step]),
      .publisher { .just(dismissal()) }
    )
    .cancellable(PresentedEffectsID(), path + [step])
  }

  static func effects<Action>(
    _ effect: Effect<Action>,
    of step: NavigationStep,
    _ path: [NavigationStep]
  ) -> Effect<Action> {
    effect.cancellable(PresentedEffectsID(), path + [step])
  }
}
