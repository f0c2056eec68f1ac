#if canImport(SwiftUI)
public import SwiftUI

// Operations on `@Bindable` properties that contain a store.

extension Bindable {
  /// A value of a store's state for a binding that sends an action: `$store.tab.sending(\.tabSelected)`.
  ///
  /// A property that a `BindingReducer` sets needs no action, because `$store.name` is already a binding.
  @_disfavoredOverload
  @MainActor
  public subscript<State: ObservableState, Action, Member>(
    dynamicMember keyPath: KeyPath<State, Member>
  ) -> StoreMember<State, Action, Member> where Value == Store<State, Action> {
    binding()[dynamicMember: keyPath]
  }

  /// Returns a binding to the store of a presented feature, for modifiers such as `sheet(item:)` and `alert(_:)`.
  ///
  /// ```swift
  /// @Bindable var store: StoreOf<Profile>
  /// ...
  /// .sheet(item: $store.scope(\.settings, action: \.settings)) { store in SettingsView(store: store) }
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
    binding().scope(state, action: action)
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
    binding().scope(stack, action: action)
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
    binding().scope(state, action: action)
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
    binding().scope(stack, action: action)
  }

  /// Returns bindings to the cases of a presented enum, for modifiers such as `sheet(item:)` and `alert(_:)`.
  ///
  /// ```swift
  /// .sheet(item: $store.scope(\.$destination, action: \.destination).edit) { store in EditView(store: store) }
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
    binding().scope(state, action: action)
  }

  /// A binding to the store itself.
  @MainActor
  private func binding<State, Action>() -> Binding<Store<State, Action>>
  where Value == Store<State, Action> {
    self[dynamicMember: \.itself]
  }
}
#endif
