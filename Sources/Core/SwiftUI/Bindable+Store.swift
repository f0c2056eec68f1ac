#if canImport(SwiftUI)
public import SwiftUI

// What a binding to a store has, for `@Bindable var store`.

extension Bindable {
  /// A value of a store's state, to be bound to an action: `$store.tab.sending(\.tabSelected)`.
  ///
  /// Properties that a `BindingReducer` sets need no action: `$store.name` is a binding.
  @_disfavoredOverload
  @MainActor
  public subscript<State: ObservableState, Action, Member>(
    dynamicMember keyPath: KeyPath<State, Member>
  ) -> StoreMember<State, Action, Member> where Value == Store<State, Action> {
    binding()[dynamicMember: keyPath]
  }

  /// The store of a presented feature, for `sheet(item:)`, `alert(_:)` and their like.
  ///
  /// ```swift
  /// @Bindable var store: StoreOf<Profile>
  /// ...
  /// .sheet(item: $store.scope(\.settings, action: \.settings)) { store in SettingsView(store: store) }
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
    binding().scope(state, action: action)
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
    binding().scope(stack, action: action)
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
    binding().scope(state, action: action)
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
    binding().scope(stack, action: action)
  }

  /// The cases of a presented enum of features, each for `sheet(item:)`, `alert(_:)` and their like.
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
    binding().scope(state, action: action)
  }

  /// A binding to the store.
  @MainActor
  private func binding<State, Action>() -> Binding<Store<State, Action>>
  where Value == Store<State, Action> {
    self[dynamicMember: \.itself]
  }
}
#endif
