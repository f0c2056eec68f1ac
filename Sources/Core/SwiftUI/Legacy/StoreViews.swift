#if canImport(SwiftUI)
public import SwiftUI

/// A view of a part that is there now and then.
@available(
  *,
  deprecated,
  message: "Write \"if let child = store.scope(\\.child, action: \\.child)\"."
)
public struct IfLetStore<State, Action, Content: View>: View {
  private let make: @MainActor () -> Content

  /// Shows the part, or something else.
  ///
  /// - Parameters:
  ///   - store: The store of the part.
  ///   - ifContent: The view of the part.
  ///   - elseContent: The view without it.
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

  /// Shows the part, or nothing.
  ///
  /// - Parameters:
  ///   - store: The store of the part.
  ///   - ifContent: The view of the part.
  public init<IfContent: View>(
    _ store: Store<State?, Action>,
    @ViewBuilder then ifContent: @escaping (_ store: Store<State, Action>) -> IfContent
  ) where Content == IfContent? {
    make = { store.unwrapped(\.self, action: \.self).map(ifContent) }
  }

  /// Shows the part, or something else.
  ///
  /// - Parameters:
  ///   - store: The store of the part.
  ///   - ifContent: The view of the part.
  ///   - elseContent: The view without it.
  public init<IfContent: View, ElseContent: View>(
    store: Store<State?, Action>,
    @ViewBuilder then ifContent: @escaping (_ store: Store<State, Action>) -> IfContent,
    @ViewBuilder else elseContent: () -> ElseContent
  ) where Content == _ConditionalContent<IfContent, ElseContent> {
    self.init(store, then: ifContent, else: elseContent)
  }

  /// The view.
  public var body: some View { make() }
}

/// Views of the elements of a list.
@available(*, deprecated, message: "Write \"ForEach(store.scope(\\.rows, action: \\.rows))\".")
public struct ForEachStore<ID: Hashable & Sendable, State, Action, Content: View>: View {
  private let store: Store<IdentifiedArray<ID, State>, IdentifiedAction<ID, Action>>
  private let content: (Store<State, Action>) -> Content

  /// Shows the elements of a list.
  ///
  /// - Parameters:
  ///   - store: The store of the list.
  ///   - content: The view of an element.
  public init(
    _ store: Store<IdentifiedArray<ID, State>, IdentifiedAction<ID, Action>>,
    @ViewBuilder content: @escaping (_ store: Store<State, Action>) -> Content
  ) {
    self.store = store
    self.content = content
  }

  /// The views.
  public var body: some View { SwiftUI.ForEach(store.elementsOfList(), content: content) }
}

/// A view of a state that is an enum; see `CaseLet`.
@available(*, deprecated, message: "Write \"switch store.case\".")
public struct SwitchStore<State, Action, Content: View>: View {
  private let store: Store<State, Action>
  private let content: (State) -> Content

  /// Shows the case that the state has.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - content: Switches over the state.
  public init(
    _ store: Store<State, Action>,
    @ViewBuilder content: @escaping (_ initialState: State) -> Content
  ) {
    self.store = store
    self.content = content
  }

  /// The view.
  public var body: some View {
    content(store.state).environment(\.switchedStore, SwitchedStore(store: store))
  }
}

/// A view of one case of the state of the `SwitchStore` around it.
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

  /// Shows a case.
  ///
  /// - Parameters:
  ///   - toCaseState: The payload of the case.
  ///   - fromCaseAction: Makes an action of one of the case.
  ///   - content: The view of the case.
  public init(
    _ toCaseState: @escaping (_ state: EnumState) -> CaseState?,
    action fromCaseAction: @escaping (_ action: CaseAction) -> EnumAction,
    @ViewBuilder then content: @escaping (_ store: Store<CaseState, CaseAction>) -> Content
  ) {
    extract = toCaseState
    embed = fromCaseAction
    self.content = content
  }

  /// Shows a case.
  ///
  /// - Parameters:
  ///   - toCaseState: The case.
  ///   - fromCaseAction: Makes an action of one of the case.
  ///   - content: The view of the case.
  public init(
    _ toCaseState: AnyCasePath<EnumState, CaseState>,
    action fromCaseAction: @escaping (_ action: CaseAction) -> EnumAction,
    @ViewBuilder then content: @escaping (_ store: Store<CaseState, CaseAction>) -> Content
  ) {
    self.init(toCaseState.extract(from:), action: fromCaseAction, then: content)
  }

  /// The view.
  public var body: some View {
    if let store = switched?.store as? Store<EnumState, EnumAction> {
      IfLetStore(store.scope(state: extract, action: embed), then: content)
    }
  }
}

/// The store of the `SwitchStore` around a view.
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

/// A navigation stack of the older style.
@available(
  *,
  deprecated,
  message: "Write \"NavigationStack(path: $store.scope(\\.path, action: \\.path))\"."
)
public struct NavigationStackStore<State, Action, RootView: View, Destination: View>: View {
  private let store: Store<StackState<State>, StackAction<State, Action>>
  private let root: RootView
  private let destination: (Store<State, Action>) -> Destination

  /// Shows the features of a stack.
  ///
  /// - Parameters:
  ///   - store: The store of the stack.
  ///   - root: What lies below the stack.
  ///   - destination: The view of an element.
  public init(
    _ store: Store<StackState<State>, StackAction<State, Action>>,
    @ViewBuilder root: () -> RootView,
    @ViewBuilder destination: @escaping (_ store: Store<State, Action>) -> Destination
  ) {
    self.store = store
    self.root = root()
    self.destination = destination
  }

  /// Shows the features of a stack whose elements are an enum.
  ///
  /// - Parameters:
  ///   - store: The store of the stack.
  ///   - root: What lies below the stack.
  ///   - destination: Switches over the state of an element, with `CaseLet`.
  public init<Content: View>(
    _ store: Store<StackState<State>, StackAction<State, Action>>,
    @ViewBuilder root: () -> RootView,
    @ViewBuilder destination: @escaping (_ initialState: State) -> Content
  ) where Destination == SwitchStore<State, Action, Content> {
    self.init(store, root: root) { SwitchStore($0, content: destination) }
  }

  /// The stack.
  public var body: some View {
    NavigationStack(path: Bindable(store)[dynamicMember: \.itself]) {
      root
    } destination: { store in
      destination(store)
    }
  }
}
#endif
