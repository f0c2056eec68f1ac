#if canImport(SwiftUI)
public import SwiftUI

/// A view that shows different content depending on whether an optional state is `nil`.
@available(
  *,
  deprecated,
  message: "Write \"if let child = store.scope(\\.child, action: \\.child)\"."
)
public struct IfLetStore<State, Action, Content: View>: View {
  private let make: @MainActor () -> Content

  /// Creates a view that shows different content depending on whether the state is `nil`.
  ///
  /// - Parameters:
  ///   - store: The store of the optional state.
  ///   - ifContent: A builder of the view for the wrapped state.
  ///   - elseContent: A builder of the view that is shown while the state is `nil`.
  public init<IfContent: View, ElseContent: View>(
    _ store: Store<State?, Action>,
    @ViewBuilder then ifContent: @escaping (_ store: Store<State, Action>) -> IfContent,
    @ViewBuilder else elseContent: () -> ElseContent
  ) where Content == _ConditionalContent<IfContent, ElseContent> {
    let elseContent = elseContent()
    make = {
      let part: Store<State, Action>? = store.unwrapped(\.self, action: \.self)
      return if let part {
        ViewBuilder.buildEither(first: ifContent(part))
      } else {
        ViewBuilder.buildEither(second: elseContent)
      }
    }
  }

  /// Creates a view that is empty while the state is `nil`.
  ///
  /// - Parameters:
  ///   - store: The store of the optional state.
  ///   - ifContent: A builder of the view for the wrapped state.
  public init<IfContent: View>(
    _ store: Store<State?, Action>,
    @ViewBuilder then ifContent: @escaping (_ store: Store<State, Action>) -> IfContent
  ) where Content == IfContent? {
    make = { store.unwrapped(\.self, action: \.self).map(ifContent) }
  }

  /// Creates a view that shows different content depending on whether the state is `nil`.
  ///
  /// - Parameters:
  ///   - store: The store of the optional state.
  ///   - ifContent: A builder of the view for the wrapped state.
  ///   - elseContent: A builder of the view that is shown while the state is `nil`.
  public init<IfContent: View, ElseContent: View>(
    store: Store<State?, Action>,
    @ViewBuilder then ifContent: @escaping (_ store: Store<State, Action>) -> IfContent,
    @ViewBuilder else elseContent: () -> ElseContent
  ) where Content == _ConditionalContent<IfContent, ElseContent> {
    self.init(store, then: ifContent, else: elseContent)
  }

  /// The content and behavior of the view.
  public var body: some View { make() }
}

/// A view that shows a child view for each element of an identified array.
@available(*, deprecated, message: "Write \"ForEach(store.scope(\\.rows, action: \\.rows))\".")
public struct ForEachStore<ID: Hashable & Sendable, State, Action, Content: View>: View {
  private let store: Store<IdentifiedArray<ID, State>, IdentifiedAction<ID, Action>>
  private let content: (Store<State, Action>) -> Content

  /// Creates a view that shows a child view for each element of an identified array.
  ///
  /// - Parameters:
  ///   - store: The store whose state is the array.
  ///   - content: A builder of the view for the store of an element.
  public init(
    _ store: Store<IdentifiedArray<ID, State>, IdentifiedAction<ID, Action>>,
    @ViewBuilder content: @escaping (_ store: Store<State, Action>) -> Content
  ) {
    self.store = store
    self.content = content
  }

  /// The content and behavior of the view.
  public var body: some View { SwiftUI.ForEach(store.elementsOfList(), content: content) }
}

/// A view whose content depends on the case of a state that is an enum.
///
/// The content consists of `CaseLet` views.
@available(*, deprecated, message: "Write \"switch store.case\".")
public struct SwitchStore<State, Action, Content: View>: View {
  private let store: Store<State, Action>
  private let content: (State) -> Content

  /// Creates a view whose content depends on the current case of the state.
  ///
  /// - Parameters:
  ///   - store: The store whose state is the enum.
  ///   - content: A builder of the view, which switches over the state that it receives.
  public init(
    _ store: Store<State, Action>,
    @ViewBuilder content: @escaping (_ initialState: State) -> Content
  ) {
    self.store = store
    self.content = content
  }

  /// The content and behavior of the view.
  public var body: some View {
    content(store.state).environment(\.switchedStore, SwitchedStore(store: store))
  }
}

/// A view for one case of the state in the enclosing `SwitchStore`.
@available(
  *,
  deprecated,
  message:
    "Write \"switch store.case\", or \"if let child = store.scope(\\.child, action: \\.child)\"."
)
public struct CaseLet<EnumState, EnumAction, CaseState, CaseAction, Content: View>: View {
  @Environment(\.switchedStore) private var switched
  private let extract: (EnumState) -> CaseState?
  private let embed: (CaseAction) -> EnumAction
  private let content: (Store<CaseState, CaseAction>) -> Content

  /// Creates a view for a case.
  ///
  /// - Parameters:
  ///   - toCaseState: A closure that returns the payload of the case, or `nil` for another case.
  ///   - fromCaseAction: A closure that returns the parent's action for an action of the case.
  ///   - content: A builder of the view for the store of the case.
  public init(
    _ toCaseState: @escaping (_ state: EnumState) -> CaseState?,
    action fromCaseAction: @escaping (_ action: CaseAction) -> EnumAction,
    @ViewBuilder then content: @escaping (_ store: Store<CaseState, CaseAction>) -> Content
  ) {
    extract = toCaseState
    embed = fromCaseAction
    self.content = content
  }

  /// Creates a view for a case.
  ///
  /// - Parameters:
  ///   - toCaseState: The case path from the state to the payload of the case.
  ///   - fromCaseAction: A closure that returns the parent's action for an action of the case.
  ///   - content: A builder of the view for the store of the case.
  public init(
    _ toCaseState: AnyCasePath<EnumState, CaseState>,
    action fromCaseAction: @escaping (_ action: CaseAction) -> EnumAction,
    @ViewBuilder then content: @escaping (_ store: Store<CaseState, CaseAction>) -> Content
  ) {
    self.init(toCaseState.extract(from:), action: fromCaseAction, then: content)
  }

  /// The content and behavior of the view.
  public var body: some View {
    if let store = switched?.store as? Store<EnumState, EnumAction> {
      IfLetStore(store.scope(state: extract, action: embed), then: content)
    }
  }
}

/// The store of the enclosing `SwitchStore`, passed to `CaseLet` views as an environment value.
private struct SwitchedStore {
  let store: AnyObject
}

extension EnvironmentValues {
  fileprivate var switchedStore: SwitchedStore? {
    get { self[SwitchedStoreKey.self] }
    set { self[SwitchedStoreKey.self] = newValue }
  }
}

private enum SwitchedStoreKey: EnvironmentKey {
  static var defaultValue: SwitchedStore? { nil }
}

/// A navigation stack that receives the store of its stack directly, and not as a binding.
@available(
  *,
  deprecated,
  message: "Write \"NavigationStack(path: $store.scope(\\.path, action: \\.path))\"."
)
public struct NavigationStackStore<State, Action, RootView: View, Destination: View>: View {
  private let store: Store<StackState<State>, StackAction<State, Action>>
  private let root: RootView
  private let destination: (Store<State, Action>) -> Destination

  /// Creates a navigation stack of the features in a store's stack.
  ///
  /// - Parameters:
  ///   - store: The store of the stack.
  ///   - root: A builder of the root view.
  ///   - destination: A builder of the view for the store of an element.
  public init(
    _ store: Store<StackState<State>, StackAction<State, Action>>,
    @ViewBuilder root: () -> RootView,
    @ViewBuilder destination: @escaping (_ store: Store<State, Action>) -> Destination
  ) {
    self.store = store
    self.root = root()
    self.destination = destination
  }

  /// Creates a navigation stack for a stack whose elements are enums.
  ///
  /// - Parameters:
  ///   - store: The store of the stack.
  ///   - root: A builder of the root view.
  ///   - destination: A builder of the view for an element, which switches over the element's state and contains
  ///     `CaseLet` views.
  public init<Content: View>(
    _ store: Store<StackState<State>, StackAction<State, Action>>,
    @ViewBuilder root: () -> RootView,
    @ViewBuilder destination: @escaping (_ initialState: State) -> Content
  ) where Destination == SwitchStore<State, Action, Content> {
    self.init(store, root: root) { SwitchStore($0, content: destination) }
  }

  /// The content and behavior of the view.
  public var body: some View {
    NavigationStack(path: Bindable(store)[dynamicMember: \.itself]) {
      root
    } destination: { store in
      destination(store)
    }
  }
}
#endif
