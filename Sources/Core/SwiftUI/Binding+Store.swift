#if canImport(SwiftUI)
public import SwiftUI

extension Binding {
  /// A value of a store's state for a binding that sends an action: `$store.tab.sending(\.tabSelected)`.
  ///
  /// A property that a `BindingReducer` sets needs no action, because `$store.name` is already a binding.
  @_disfavoredOverload
  @MainActor
  public subscript<State: ObservableState, Action, Member>(
    dynamicMember keyPath: KeyPath<State, Member>
  ) -> StoreMember<State, Action, Member> where Value == Store<State, Action> {
    StoreMember(store: self, keyPath: keyPath)
  }

  /// Returns a binding to the store of a presented feature, for modifiers such as `sheet(item:)` and `alert(_:)`.
  ///
  /// ```swift
  /// .sheet(item: $store.scope(\.settings, action: \.settings)) { store in SettingsView(store: store) }
  /// .alert($store.scope(\.destination?.alert, action: \.destination.alert))
  /// ```
  ///
  /// When the view ends the presentation, the store receives `.dismiss`, unless another feature is presented by then.
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the state of the feature.
  ///   - action: The case key path from the action to the presentation action.
  /// - Returns: A binding to the store of the feature. Its value is `nil` while the feature isn't presented.
  @MainActor
  public func scope<State: ObservableState, Action, ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> Binding<Store<ChildState, ChildAction>?> where Value == Store<State, Action> {
    let identity = wrappedValue.identity(of: state)
    return self[dynamicMember: \.[state, presenting: action, as: identity]]
  }

  /// Returns a binding to the store of a navigation stack, for `NavigationStack(path:)`.
  ///
  /// ```swift
  /// NavigationStack(path: $store.scope(\.path, action: \.path)) { RootView() } destination: { store in
  ///   DetailView(store: store)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - stack: The key path from the state to the stack.
  ///   - action: The case key path from the action to the actions of the stack.
  /// - Returns: A binding to the store of the stack.
  @MainActor
  public func scope<State: ObservableState, Action, ElementState, ElementAction>(
    _ stack: KeyPath<State, StackState<ElementState>>,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>
  ) -> Binding<Store<StackState<ElementState>, StackAction<ElementState, ElementAction>>>
  where Value == Store<State, Action> {
    self[dynamicMember: \.[stack, action: action]]
  }

  /// Returns a binding to the store of a presented feature, for modifiers such as `sheet(item:)` and `alert(_:)`.
  ///
  /// ```swift
  /// .sheet(item: $store.scope(state: \.settings, action: \.settings)) { store in SettingsView(store: store) }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the state of the feature.
  ///   - action: The case key path from the action to the presentation action.
  /// - Returns: A binding to the store of the feature. Its value is `nil` while the feature isn't presented.
  @MainActor
  public func scope<State: ObservableState, Action, ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> Binding<Store<ChildState, ChildAction>?> where Value == Store<State, Action> {
    scope(state, action: action)
  }

  /// Returns a binding to the store of a navigation stack, for `NavigationStack(path:)`.
  ///
  /// ```swift
  /// NavigationStack(path: $store.scope(state: \.path, action: \.path)) { RootView() } destination: { store in
  ///   DetailView(store: store)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - stack: The key path from the state to the stack.
  ///   - action: The case key path from the action to the actions of the stack.
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
  /// Returns bindings to the cases of a presented enum, for modifiers such as `sheet(item:)` and `alert(_:)`.
  ///
  /// ```swift
  /// .sheet(item: $store.scope(\.$destination, action: \.destination).edit) { store in EditView(store: store) }
  /// .alert($store.scope(\.$destination, action: \.destination).alert)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the `PresentationState` of the enum.
  ///   - action: The case key path from the action to the presentation action.
  /// - Returns: A value whose members are bindings to the stores of the cases.
  @MainActor
  public func scope<State: ObservableState, Action, ChildState, ChildAction>(
    _ state: KeyPath<State, PresentationState<ChildState>>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> PresentedCases<State, Action, ChildState, ChildAction>
  where Value == Store<State, Action>, ChildState: CaseReducerState {
    PresentedCases(store: self, state: state, action: action)
  }
}

/// A value whose members are bindings to the stores of a presented enum's cases.
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

  /// A binding to the store of a case.
  ///
  /// The value of the binding is `nil` while the case isn't presented.
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

/// A value of a store's state, from which `sending(_:)` creates a binding.
///
/// ```swift
/// TabView(selection: $store.tab.sending(\.tabSelected)) { ... }
/// ```
@MainActor
@dynamicMemberLookup
public struct StoreMember<State: ObservableState, Action, Value> {
  fileprivate let store: Binding<Store<State, Action>>
  fileprivate let keyPath: KeyPath<State, Value>

  /// A member of the value, from which `sending(_:)` creates a binding.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value, Member>
  ) -> StoreMember<State, Action, Member> {
    StoreMember<State, Action, Member>(
      store: store,
      keyPath: self.keyPath.appending(path: keyPath)
    )
  }

  /// Returns a binding that sends an action when a view sets the value.
  ///
  /// - Parameter action: The case key path of the action whose payload is the new value.
  /// - Returns: A binding that reads the value from the state.
  public func sending(_ action: CaseKeyPath<Action, Value>) -> Binding<Value> {
    store[dynamicMember: \.[keyPath, sending: action]]
  }
}
#endif
