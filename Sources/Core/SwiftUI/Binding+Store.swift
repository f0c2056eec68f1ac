#if canImport(SwiftUI)
public import SwiftUI

extension Binding {
  /// A value of a store's state, to be bound to an action: `$store.tab.sending(\.tabSelected)`.
  ///
  /// Properties that a `BindingReducer` sets need no action: `$store.name` is a binding.
  @_disfavoredOverload
  @MainActor
  public subscript<State: ObservableState, Action, Member>(
    dynamicMember keyPath: KeyPath<State, Member>
  ) -> StoreMember<State, Action, Member> where Value == Store<State, Action> {
    StoreMember(store: self, keyPath: keyPath)
  }

  /// The store of a presented feature, for `sheet(item:)`, `alert(_:)` and their like.
  ///
  /// ```swift
  /// .sheet(item: $store.scope(\.settings, action: \.settings)) { store in SettingsView(store: store) }
  /// .alert($store.scope(\.destination?.alert, action: \.destination.alert))
  /// ```
  ///
  /// When the view closes what it presents, the store gets a `.dismiss`, unless another feature is presented by then.
  ///
  /// - Parameters:
  ///   - state: Where the feature's state is.
  ///   - action: Which actions are those of the presentation.
  /// - Returns: A binding to the store of the feature, nil while it is not presented.
  @MainActor
  public func scope<State: ObservableState, Action, ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> Binding<Store<ChildState, ChildAction>?> where Value == Store<State, Action> {
    let identity = wrappedValue.identity(of: state)
    return self[dynamicMember: \.[state, presenting: action, as: identity]]
  }

  /// The store of a stack, for `NavigationStack(path:)`.
  ///
  /// - Parameters:
  ///   - stack: Where the stack is.
  ///   - action: Which actions are those of the stack.
  /// - Returns: A binding to the store of the stack.
  @MainActor
  public func scope<State: ObservableState, Action, ElementState, ElementAction>(
    _ stack: KeyPath<State, StackState<ElementState>>,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>
  ) -> Binding<Store<StackState<ElementState>, StackAction<ElementState, ElementAction>>>
  where Value == Store<State, Action> {
    self[dynamicMember: \.[stack, action: action]]
  }

  /// The store of a presented feature, for `sheet(item:)`, `alert(_:)` and their like.
  ///
  /// - Parameters:
  ///   - state: Where the feature's state is.
  ///   - action: Which actions are those of the presentation.
  /// - Returns: A binding to the store of the feature, nil while it is not presented.
  @MainActor
  public func scope<State: ObservableState, Action, ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> Binding<Store<ChildState, ChildAction>?> where Value == Store<State, Action> {
    scope(state, action: action)
  }

  /// The store of a stack, for `NavigationStack(path:)`.
  ///
  /// - Parameters:
  ///   - stack: Where the stack is.
  ///   - action: Which actions are those of the stack.
  /// - Returns: A binding to the store of the stack.
  @MainActor
  public func scope<State: ObservableState, Action, ElementState, ElementAction>(
    state stack: KeyPath<State, StackState<ElementState>>,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>
  ) -> Binding<Store<StackState<ElementState>, StackAction<ElementState, ElementAction>>>
  where Value == Store<State, Action> {
    scope(stack, action: action)
  }
}

extension Binding {
  /// The cases of a presented enum of features, each for `sheet(item:)`, `alert(_:)` and their like.
  ///
  /// ```swift
  /// .sheet(item: $store.scope(\.$destination, action: \.destination).edit) { store in EditView(store: store) }
  /// .alert($store.scope(\.$destination, action: \.destination).alert)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The box of the enum's state.
  ///   - action: The actions of the presentation.
  /// - Returns: A value that has a binding to a store for each case.
  @MainActor
  public func scope<State: ObservableState, Action, ChildState, ChildAction>(
    _ state: KeyPath<State, PresentationState<ChildState>>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> PresentedCases<State, Action, ChildState, ChildAction>
  where Value == Store<State, Action>, ChildState: CaseReducerState {
    PresentedCases(store: self, state: state, action: action)
  }
}

/// The cases of a presented enum of features: a binding to a store for each of them.
@MainActor
@dynamicMemberLookup
public struct PresentedCases<
  State: ObservableState,
  Action,
  ChildState: CaseReducerState,
  ChildAction
> {
  fileprivate let store: Binding<Store<State, Action>>
  fileprivate let state: KeyPath<State, PresentationState<ChildState>>
  fileprivate let action: CaseKeyPath<Action, PresentationAction<ChildAction>>

  /// The store of a case, nil while another one is presented.
  public subscript<CaseState, CaseAction>(
    dynamicMember keyPath: KeyPath<
      ChildState.StateReducer.CaseScope._$Paths,
      CaseScopePath<ChildState, ChildAction, CaseState, CaseAction>
    >
  ) -> Binding<Store<CaseState, CaseAction>?>
  where ChildState.StateReducer.CaseScope: _$PresentedCases {
    let path = ChildState.StateReducer.CaseScope._$paths[keyPath: keyPath]
    return store.scope(state.appending(path), action: action.appending(path))
  }
}

/// A value of a store's state on its way to a binding.
///
/// ```swift
/// TabView(selection: $store.tab.sending(\.tabSelected)) { ... }
/// ```
@MainActor
@dynamicMemberLookup
public struct StoreMember<State: ObservableState, Action, Value> {
  fileprivate let store: Binding<Store<State, Action>>
  fileprivate let keyPath: KeyPath<State, Value>

  /// A member of the value.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value, Member>
  ) -> StoreMember<State, Action, Member> {
    StoreMember<State, Action, Member>(
      store: store,
      keyPath: self.keyPath.appending(path: keyPath)
    )
  }

  /// A binding that sends an action when a view sets the value.
  ///
  /// - Parameter action: The action that carries the new value.
  /// - Returns: The binding.
  public func sending(_ action: CaseKeyPath<Action, Value>) -> Binding<Value> {
    store[dynamicMember: \.[keyPath, sending: action]]
  }
}
#endif
