#if canImport(SwiftUI)
public import SwiftUI

/// A view of an observed store of the older style.
///
/// State that is marked `@ObservableState` is observed by whatever view reads it: `Text(store.title)`.
@available(*, deprecated, message: "Mark the state with \"@ObservableState\" and read the store.")
public struct WithViewStore<ViewState, ViewAction, Content: View>: View {
  private let make: @MainActor () -> Content

  /// Observes a part of the state, and sends some of the actions.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - toViewState: The part of the state.
  ///   - fromViewAction: Makes an action of one that the view sends.
  ///   - content: The view.
  public init<State, Action>(
    _ store: Store<State, Action>,
    observe toViewState: @escaping (_ state: State) -> ViewState,
    send fromViewAction: @escaping (_ viewAction: ViewAction) -> Action,
    @ViewBuilder content: @escaping (_ viewStore: ViewStore<ViewState, ViewAction>) -> Content
  ) {
    make = {
      content(
        ViewStore(state: { toViewState(store.state) }, send: { store.send(fromViewAction($0)) })
      )
    }
  }

  /// Observes a part of the state.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - toViewState: The part of the state.
  ///   - content: The view.
  public init<State>(
    _ store: Store<State, ViewAction>,
    observe toViewState: @escaping (_ state: State) -> ViewState,
    @ViewBuilder content: @escaping (_ viewStore: ViewStore<ViewState, ViewAction>) -> Content
  ) {
    self.init(store, observe: toViewState, send: { $0 }, content: content)
  }

  /// Observes a part of the state with properties that the view binds to.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - toViewState: The part of the state.
  ///   - content: The view.
  @_disfavoredOverload
  public init<State>(
    _ store: Store<State, ViewAction>,
    observe toViewState: @escaping (_ store: BindingViewStore<State>) -> ViewState,
    @ViewBuilder content: @escaping (_ viewStore: ViewStore<ViewState, ViewAction>) -> Content
  ) where ViewAction: BindableAction, ViewAction.State == State {
    make = {
      let viewState: @MainActor () -> ViewState = {
        toViewState(
          BindingViewStore(
            state: store.state,
            read: { store.state },
            send: { store.send(.binding($0)) }
          )
        )
      }
      return content(ViewStore(state: viewState, send: { store.send($0) }))
    }
  }

  /// The view.
  public var body: some View { make() }
}

/// The state and the actions of a view of the older style.
@available(*, deprecated, message: "Mark the state with \"@ObservableState\" and read the store.")
@MainActor
@dynamicMemberLookup
public struct ViewStore<ViewState, ViewAction> {
  private let read: @MainActor () -> ViewState
  private let handOver: @MainActor (ViewAction) -> StoreTask

  fileprivate init(
    state: @escaping @MainActor () -> ViewState,
    send: @escaping @MainActor (ViewAction) -> StoreTask
  ) {
    read = state
    handOver = send
  }

  /// The state of the view.
  public var state: ViewState { read() }

  /// A member of the view's state.
  public subscript<Member>(dynamicMember keyPath: KeyPath<ViewState, Member>) -> Member {
    state[keyPath: keyPath]
  }

  /// Sends an action.
  @discardableResult
  public func send(_ action: ViewAction) -> StoreTask { handOver(action) }

  /// Sends an action and animates what it changes.
  @discardableResult
  public func send(_ action: ViewAction, animation: Animation?) -> StoreTask {
    withTransaction(Transaction(animation: animation)) { send(action) }
  }

  /// A binding of a part of the state to an action.
  ///
  /// - Parameters:
  ///   - get: The part of the state.
  ///   - valueToAction: The action that carries a new value.
  /// - Returns: The binding.
  @available(*, deprecated, message: "Write \"$store.property.sending(\\.action)\".")
  public func binding<Value>(
    get: @escaping (_ state: ViewState) -> Value,
    send valueToAction: @escaping (_ value: Value) -> ViewAction
  ) -> Binding<Value> {
    Binding(
      get: { @MainActor in get(state) },
      set: { @MainActor value in _ = send(valueToAction(value)) }
    )
  }

  /// A binding of a part of the state to an action that does not say the new value.
  ///
  /// - Parameters:
  ///   - get: The part of the state.
  ///   - action: The action.
  /// - Returns: The binding.
  @available(*, deprecated, message: "Write \"$store.property.sending(\\.action)\".")
  public func binding<Value>(
    get: @escaping (_ state: ViewState) -> Value,
    send action: ViewAction
  ) -> Binding<Value> {
    binding(get: get, send: { _ in action })
  }

  /// A property that is marked `@BindingState`: `viewStore.$name`.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<ViewState, BindingState<Value>>
  ) -> Binding<Value> where ViewAction: BindableAction, ViewAction.State == ViewState {
    Binding(
      get: { @MainActor in state[keyPath: keyPath].wrappedValue },
      set: { @MainActor value in _ = send(.set(keyPath, value)) }
    )
  }

  /// A property that is marked `@BindingViewState`: `viewStore.$name`.
  public subscript<Value>(
    dynamicMember keyPath: KeyPath<ViewState, BindingViewState<Value>>
  ) -> Binding<Value> {
    state[keyPath: keyPath].binding
  }
}

/// The state of a store, for a view's state that binds to some of its properties.
@available(*, deprecated, message: "Mark the state with \"@ObservableState\" and read the store.")
@dynamicMemberLookup
public struct BindingViewStore<State> {
  fileprivate let state: State
  fileprivate let read: @MainActor () -> State
  fileprivate let send: @MainActor (BindingAction<State>) -> StoreTask

  /// A member of the state.
  public subscript<Member>(dynamicMember keyPath: KeyPath<State, Member>) -> Member {
    state[keyPath: keyPath]
  }

  /// A property that is marked `@BindingState`: `store.$name`.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, BindingState<Value>>
  ) -> BindingViewState<Value> {
    // Key paths of states hold nothing that changes.
    let path = UncheckedSendable(keyPath)
    return BindingViewState(
      wrappedValue: state[keyPath: keyPath].wrappedValue,
      binding: Binding(
        get: { @MainActor [read] in read()[keyPath: path.value].wrappedValue },
        set: { @MainActor [send] value in _ = send(.set(path.value, value)) }
      )
    )
  }
}

/// A property of a view's state that the view binds to.
@available(
  *,
  deprecated,
  message: "Mark the state with \"@ObservableState\" and bind to the store."
)
@propertyWrapper
public struct BindingViewState<Value> {
  /// The value.
  public let wrappedValue: Value
  fileprivate let binding: Binding<Value>

  /// The wrapper, which key paths such as `\.$name` lead to.
  public var projectedValue: BindingViewState<Value> { self }
}

@available(*, deprecated)
extension BindingViewState: Equatable where Value: Equatable {
  /// Whether the values are equal.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

/// The back-port of observation, which every platform of this package has.
@available(*, deprecated, message: "Remove it: views observe what they read.")
public struct WithPerceptionTracking<Content: View>: View {
  /// The view.
  public let body: Content

  /// Observes what a view reads.
  public init(@ViewBuilder content: () -> Content) { body = content() }
}

/// The back-port of observation, which every platform of this package has.
@available(*, deprecated, message: "Write \"@Bindable\".")
public enum Perception {
  /// The back-port of SwiftUI's `Bindable`.
  public typealias Bindable = SwiftUI.Bindable
}
#endif
