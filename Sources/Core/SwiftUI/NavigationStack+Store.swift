#if canImport(SwiftUI)
public import SwiftUI

extension NavigationStack {
  /// Creates a navigation stack of the features in a store's stack.
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
  /// A `NavigationLink(state:)` sends the action `.push`, and the back button sends `.popFrom(id:)`.
  ///
  /// - Parameters:
  ///   - path: A binding to the store of the stack.
  ///   - root: A builder of the root view.
  ///   - destination: A builder of the view for the store of an element.
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
    self.init(path: path[dynamicMember: \.[components: StackElementTypes<State, Action>()]]) {
      root().modifier(StackDestinations(store: store, destination: destination))
    }
  }
}

/// A view modifier that registers the destination views of a store's stack in a `NavigationStack`.
public struct StackDestinations<State, Action, Destination: View>: ViewModifier {
  fileprivate let store: Store<StackState<State>, StackAction<State, Action>>
  fileprivate let destination: (Store<State, Action>) -> Destination

  /// Returns the modified view with its navigation destinations.
  public func body(content: Content) -> some View {
    content.navigationDestination(for: StackState<State>.Component.self) { component in
      destination(store.store(of: component))
    }
  }
}

extension NavigationLink where Destination == Never {
  /// Creates a link that pushes a state onto the stack of the enclosing `NavigationStack`.
  ///
  /// ```swift
  /// NavigationLink(state: Path.State.detail(Detail.State(id: id))) { Text("Details") }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The state to push, with the type of the stack's elements; `nil` to disable the link.
  ///   - label: A builder of the link's label.
  public init<State>(state: State?, @ViewBuilder label: () -> Label) {
    self.init(value: state.map { StackState<State>.Component(pushing: $0) }, label: label)
  }

  /// Creates a link with a localized title that pushes a state onto the stack of the enclosing `NavigationStack`.
  ///
  /// - Parameters:
  ///   - title: The key that looks up the localized title.
  ///   - state: The state to push, with the type of the stack's elements; `nil` to disable the link.
  public init<State>(_ title: LocalizedStringKey, state: State?) where Label == Text {
    self.init(state: state) { Text(title) }
  }

  /// Creates a link with a title that pushes a state onto the stack of the enclosing `NavigationStack`.
  ///
  /// - Parameters:
  ///   - title: The title of the link, which isn't localized.
  ///   - state: The state to push, with the type of the stack's elements; `nil` to disable the link.
  @_disfavoredOverload
  public init<State>(_ title: some StringProtocol, state: State?) where Label == Text {
    self.init(state: state) { Text(title) }
  }
}
#endif
