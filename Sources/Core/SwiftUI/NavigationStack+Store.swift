#if canImport(SwiftUI)
public import SwiftUI

extension NavigationStack {
  /// Shows the features of a stack.
  ///
  /// ```swift
  /// NavigationStack(path: $store.scope(\.path, action: \.path)) {
  ///   RootView(store: store)
  /// } destination: { store in
  ///   switch store.case {
  ///   case .detail(let store): DetailView(store: store)
  ///   case .settings(let store): SettingsView(store: store)
  ///   }
  /// }
  /// ```
  ///
  /// A push of a `NavigationLink(state:)` sends `.push`, the back button sends `.popFrom`.
  ///
  /// - Parameters:
  ///   - path: The store of the stack.
  ///   - root: What lies below the stack.
  ///   - destination: The view of an element.
  public init<State, Action, Destination: View, RootView: View>(
    path: Binding<Store<StackState<State>, StackAction<State, Action>>>,
    @ViewBuilder root: () -> RootView,
    @ViewBuilder destination: @escaping (Store<State, Action>) -> Destination
  )
  where
    Data == [StackState<State>.Component],
    Root == ModifiedContent<RootView, StackDestinations<State, Action, Destination>>
  {
    let store = path.wrappedValue
    self.init(path: path[dynamicMember: \.[components: StackElements<State, Action>()]]) {
      root().modifier(StackDestinations(store: store, destination: destination))
    }
  }
}

/// Tells a `NavigationStack` how the elements of a store's stack are shown.
public struct StackDestinations<State, Action, Destination: View>: ViewModifier {
  fileprivate let store: Store<StackState<State>, StackAction<State, Action>>
  fileprivate let destination: (Store<State, Action>) -> Destination

  /// The view with its destinations.
  public func body(content: Content) -> some View {
    content.navigationDestination(for: StackState<State>.Component.self) { component in
      destination(store.store(of: component))
    }
  }
}

extension NavigationLink where Destination == Never {
  /// A link that pushes a state onto the stack of the `NavigationStack` around it.
  ///
  /// ```swift
  /// NavigationLink(state: Path.State.detail(Detail.State(id: id))) { Text("Details") }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The state, of the type of the stack's elements; without one the link is disabled.
  ///   - label: What the link looks like.
  public init<State>(state: State?, @ViewBuilder label: () -> Label) {
    self.init(value: state.map { StackState<State>.Component(pushing: $0) }, label: label)
  }

  /// A link with a text that pushes a state onto the stack of the `NavigationStack` around it.
  ///
  /// - Parameters:
  ///   - title: The text, which is localized.
  ///   - state: The state, of the type of the stack's elements; without one the link is disabled.
  public init<State>(_ title: LocalizedStringKey, state: State?) where Label == Text {
    self.init(state: state) { Text(title) }
  }

  /// A link with a text that pushes a state onto the stack of the `NavigationStack` around it.
  ///
  /// - Parameters:
  ///   - title: The text, as it is.
  ///   - state: The state, of the type of the stack's elements; without one the link is disabled.
  @_disfavoredOverload
  public init<State>(_ title: some StringProtocol, state: State?) where Label == Text {
    self.init(state: state) { Text(title) }
  }
}
#endif
