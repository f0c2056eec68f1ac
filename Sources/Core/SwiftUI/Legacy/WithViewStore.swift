#if canImport(SwiftUI)
public import SwiftUI

/// A view that observes a store explicitly.
///
/// Views observe state marked `@ObservableState` without this type: `Text(store.title)`.
@available(*, deprecated, message: "Mark the state with \"@ObservableState\" and read the store.")
public struct WithViewStore<ViewState, ViewAction, Content: View>: View {
  private let make: @MainActor () -> Content

  /// Creates a view that observes a part of the state and sends some of the actions.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - toViewState: Returns the observed part of the state.
  ///   - fromViewAction: Returns the store's action for an action of the view.
  ///   - content: Builds the view.
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
  ///   - store: The store.
  ///   - toViewState: Returns the observed part of the state.
  ///   - content: Builds the view.
  public init<State>(
    _ store: Store<State, ViewAction>,
    observe toViewState: @escaping (_ state: State) -> ViewState,
    @ViewBuilder content: @escaping (_ viewStore: ViewStore<ViewState, ViewAction>) -> Content
  ) {
    self.init(store, observe: toViewState, send: { $0 }, content: content)
  }

  /// Creates a view that observes a part of the state, with properties to which it can bind.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - toViewState: Returns the observed part of the state.
  ///   - content: Builds the view.
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

  /// The content of the view.
  public var body: some View { make() }
}

/// The observed state and the actions of a view.
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

  /// The current state of the view.
  public var state: ViewState { read() }

  /// A member of the view's state.
  public subscript<Member>(dynamicMember keyPath: KeyPath<ViewState, Member>) -> Member {
    state[keyPath: keyPath]
  }

  /// Sends an action to the store.
  @discardableResult
  public func send(_ action: ViewAction) -> StoreTask { handOver(action) }

  /// Sends an action to the store and animates the state changes.
  @discardableResult
  public func send(_ action: ViewAction, animation: Animation?) -> StoreTask {
    withTransaction(Transaction(animation: animation)) { send(action) }
  }

  /// Returns a binding that sends an action with the new value.
  ///
  /// - Parameters:
  ///   - get: Returns the value from the state.
  ///   - valueToAction: Returns the action for a new value.
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

  /// Returns a binding that sends an action without the new value.
  ///
  /// - Parameters:
  ///   - get: Returns the value from the state.
  ///   - action: The action that each new value sends.
  /// - Returns: The binding.
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

/// The state of a store, from which a view's state takes bindings to properties.
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

  /// A view state property that is bound to a property marked `@BindingState`: `store.$name`.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, BindingState<Value>>
  ) -> BindingViewState<Value> {
    // Unchecked: key paths to state have no mutable captures.
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

/// A property of a view's state to which the view can bind.
@available(
  *,
  deprecated,
  message: "Mark the state with \"@ObservableState\" and bind to the store."
)
@propertyWrapper
public struct BindingViewState<Value> {
  /// The current value.
  public let wrappedValue: Value
  fileprivate let binding: Binding<Value>

  /// The wrapper itself, the target of key paths such as `\.$name`.
  public var projectedValue: BindingViewState<Value> { self }
}

@available(*, deprecated)
extension BindingViewState: Equatable where Value: Equatable {
  /// Whether the values are equal.
  ///
  /// Ignores the bindings.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

/// A view with the content of its closure, for source compatibility with back-ported observation.
@available(*, deprecated, message: "Remove it: views observe what they read.")
public struct WithPerceptionTracking<Content: View>: View {
  /// The content of the view.
  public let body: Content

  /// Creates a view from its content, which observes the values that it reads.
  public init(@ViewBuilder content: () -> Content) { body = content() }
}

/// A namespace for source compatibility with back-ported observation.
@available(*, deprecated, message: "Write \"@Bindable\".")
public enum Perception {
  /// SwiftUI's `Bindable`.
  public typealias Bindable = SwiftUI.Bindable
}
#endif
