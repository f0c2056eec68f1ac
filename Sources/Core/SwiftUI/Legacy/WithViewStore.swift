#if canImport(SwiftUI)
public import SwiftUI

/// A view that observes a part of a store's state explicitly.
///
/// Views observe state marked `@ObservableState` without this type: `Text(store.title)`.
@available(*, deprecated, message: "Mark the state with \"@ObservableState\" and read the store.")
public struct WithViewStore<ViewState, ViewAction, Content: View>: View {
  private let make: @MainActor () -> Content

  /// Creates a view that observes a part of the state and sends actions of its own type.
  ///
  /// - Parameters:
  ///   - store: The store to observe.
  ///   - toViewState: A closure that returns the observed part of the state.
  ///   - fromViewAction: A closure that returns the store's action for an action of the view.
  ///   - content: A builder of the view for the observed state.
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

  /// Creates a view that observes a part of the state.
  ///
  /// - Parameters:
  ///   - store: The store to observe.
  ///   - toViewState: A closure that returns the observed part of the state.
  ///   - content: A builder of the view for the observed state.
  public init<State>(
    _ store: Store<State, ViewAction>,
    observe toViewState: @escaping (_ state: State) -> ViewState,
    @ViewBuilder content: @escaping (_ viewStore: ViewStore<ViewState, ViewAction>) -> Content
  ) {
    self.init(store, observe: toViewState, send: { $0 }, content: content)
  }

  /// Creates a view that observes a part of the state, with properties to which controls can be bound.
  ///
  /// - Parameters:
  ///   - store: The store to observe.
  ///   - toViewState: A closure that returns the observed part of the state.
  ///   - content: A builder of the view for the observed state.
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

  /// The content and behavior of the view.
  public var body: some View { make() }
}

/// The observed state of a view, with functions that send actions and create bindings.
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

  /// The current state that the view observes.
  public var state: ViewState { read() }

  /// A member of the state that the view observes.
  public subscript<Member>(dynamicMember keyPath: KeyPath<ViewState, Member>) -> Member {
    state[keyPath: keyPath]
  }

  /// Sends a view's action to the store.
  @discardableResult
  public func send(_ action: ViewAction) -> StoreTask { handOver(action) }

  /// Sends a view's action to the store with an animation of the state changes.
  @discardableResult
  public func send(_ action: ViewAction, animation: Animation?) -> StoreTask {
    withTransaction(Transaction(animation: animation)) { send(action) }
  }

  /// Returns a binding that sends an action with the new value.
  ///
  /// - Parameters:
  ///   - get: A closure that returns the value of the binding for the state.
  ///   - valueToAction: A closure that returns the action for a new value.
  /// - Returns: A binding to the value.
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

  /// Returns a binding that sends an action that doesn't contain the new value.
  ///
  /// - Parameters:
  ///   - get: A closure that returns the value of the binding for the state.
  ///   - action: The action to send when a new value is set.
  /// - Returns: A binding to the value.
  @available(*, deprecated, message: "Write \"$store.property.sending(\\.action)\".")
  public func binding<Value>(
    get: @escaping (_ state: ViewState) -> Value,
    send action: ViewAction
  ) -> Binding<Value> {
    binding(get: get, send: { _ in action })
  }

  /// A binding to a property marked `@BindingState`: `viewStore.$name`.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<ViewState, BindingState<Value>>
  ) -> Binding<Value> where ViewAction: BindableAction, ViewAction.State == ViewState {
    Binding(
      get: { @MainActor in state[keyPath: keyPath].wrappedValue },
      set: { @MainActor value in _ = send(.set(keyPath, value)) }
    )
  }

  /// A binding to a property marked `@BindingViewState`: `viewStore.$name`.
  public subscript<Value>(
    dynamicMember keyPath: KeyPath<ViewState, BindingViewState<Value>>
  ) -> Binding<Value> {
    state[keyPath: keyPath].binding
  }
}

/// The state of a store, from which a view's state gets bindings to properties.
@available(*, deprecated, message: "Mark the state with \"@ObservableState\" and read the store.")
@dynamicMemberLookup
public struct BindingViewStore<State> {
  fileprivate let state: State
  fileprivate let read: @MainActor () -> State
  fileprivate let send: @MainActor (BindingAction<State>) -> StoreTask

  /// A member of the store's state.
  public subscript<Member>(dynamicMember keyPath: KeyPath<State, Member>) -> Member {
    state[keyPath: keyPath]
  }

  /// A property of the view's state that is bound to a property marked `@BindingState`: `store.$name`.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, BindingState<Value>>
  ) -> BindingViewState<Value> {
    // Unchecked: key paths to properties of the state capture no mutable values.
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

/// A property of a view's state to which the view can bind controls.
@available(
  *,
  deprecated,
  message: "Mark the state with \"@ObservableState\" and bind to the store."
)
@propertyWrapper
public struct BindingViewState<Value> {
  /// The current value of the property.
  public let wrappedValue: Value
  fileprivate let binding: Binding<Value>

  /// The wrapper itself, to which key paths such as `\.$name` lead.
  public var projectedValue: BindingViewState<Value> { self }
}

@available(*, deprecated)
extension BindingViewState: Equatable where Value: Equatable {
  /// Returns whether the values are equal; ignores the bindings.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

/// A view that shows the content of a closure, kept for compatibility with back-ported observation.
@available(*, deprecated, message: "Remove it: views observe what they read.")
public struct WithPerceptionTracking<Content: View>: View {
  /// The content and behavior of the view.
  public let body: Content

  /// Creates a view with the content that a closure returns.
  ///
  /// The closure is called immediately.
  public init(@ViewBuilder content: () -> Content) { body = content() }
}

/// A namespace kept for compatibility with back-ported observation.
@available(*, deprecated, message: "Write \"@Bindable\".")
public enum Perception {
  /// An alternative name for SwiftUI's `Bindable`.
  public typealias Bindable = SwiftUI.Bindable
}
#endif
