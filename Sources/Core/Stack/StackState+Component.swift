import Foundation

extension StackState {
  /// An element of a stack as SwiftUI's `NavigationStack` holds it.
  ///
  /// A `NavigationLink(state:)` makes one that is in no stack yet. It gets its id from the store when it is pushed; until then, and for the
  /// view also afterwards, it is known by a mark of its own. A link is made anew each time its view is drawn, so if it took an id, ids would
  /// depend on how often views are drawn.
  public struct Component: Hashable {
    enum Key: Hashable {
      case element(StackElementID)
      case link(UUID)
    }

    let key: Key
    let element: Element

    /// Whether two stand for the same element.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.key == rhs.key }

    /// Hashes what the element is known by.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
  }
}

extension StackState.Component {
  /// An element that a link would push.
  public init(pushing element: Element) {
    self.init(key: .link(UUID()), element: element)
  }
}

/// Names the types of a stack's elements, which a subscript cannot infer otherwise.
struct StackElements<State, Action>: Hashable {}

/// What views show of a stack.
struct ShownStack {
  /// The marks under which views know elements that a link has pushed.
  var links: [StackElementID: UUID] = [:]
  /// The stores of elements that a view shows, until the view has gone too.
  var stores: [AnyHashable: WeakReference] = [:]

  struct WeakReference {
    weak var object: AnyObject?
  }

  /// Forgets elements that are not there any more.
  mutating func retain(_ ids: OrderedSet<StackElementID>) {
    if !links.isEmpty { links = links.filter { ids.contains($0.key) } }
  }
}

extension Store {
  /// The elements of a stack for a `NavigationStack`; setting more or fewer pushes or pops.
  ///
  /// Those that the new elements share with the stack are at the bottom.
  subscript<ElementState, ElementAction>(
    components _: StackElements<ElementState, ElementAction>
  ) -> [StackState<ElementState>.Component]
  where
    State == StackState<ElementState>,
    Action == StackAction<ElementState, ElementAction>
  {
    get {
      let stack = state
      shownStack?.retain(stack.ids)
      let links = shownStack?.links ?? [:]
      return zip(stack.ids, stack.elements).map { id, element in
        let key = links[id].map { StackState<ElementState>.Component.Key.link($0) }
        return StackState<ElementState>.Component(key: key ?? .element(id), element: element)
      }
    }
    set {
      guard core.isPresent else { return }
      let ids = core.state.ids
      if newValue.count < ids.count { send(.popFrom(id: ids[newValue.count])) }
      for component in newValue.dropFirst(ids.count) {
        let id = core.nextElementID
        if case .link(let mark) = component.key {
          var shown = shownStack ?? ShownStack()
          shown.links[id] = mark
          shownStack = shown
        }
        send(.push(id: id, state: component.element))
      }
    }
  }

  /// The store of an element that a `NavigationStack` shows: the same one as long as it does, also while the element is on its way out.
  func store<ElementState, ElementAction>(
    of component: StackState<ElementState>.Component
  ) -> Store<ElementState, ElementAction>
  where
    State == StackState<ElementState>,
    Action == StackAction<ElementState, ElementAction>
  {
    typealias Element = Store<ElementState, ElementAction>
    var shown = shownStack ?? ShownStack()
    if let known = shown.stores[component.key]?.object as? Element { return known }
    let id: StackElementID? =
      switch component.key {
      case .element(let id): id
      case .link(let mark): shown.links.first { $0.value == mark }?.key
      }
    let elements: [Element] = elementsOfStack()
    // No element has this id, so a store with it shows what the view has seen last.
    let gone = StackElementID(-1)
    let store =
      id.flatMap { id in core.state.ids.firstIndex(of: id).map { elements[$0] } }
      ?? element(component.element, \.[id: id ?? gone], \.[id: id ?? gone])
    shown.stores = shown.stores.filter { $0.value.object != nil }
    shown.stores[component.key] = ShownStack.WeakReference(object: store)
    shownStack = shown
    return store
  }
}
