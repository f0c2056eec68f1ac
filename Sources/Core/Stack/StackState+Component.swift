import Foundation

extension StackState {
  /// An element of a stack, as SwiftUI's `NavigationStack` stores it.
  ///
  /// A `NavigationLink(state:)` creates a component that isn't in a stack. The store assigns an id when the component
  /// is pushed. Views identify the component by a UUID, before and after the push. A link is created again each time
  /// its view is drawn. If a link used an element id, the ids would depend on how often views are drawn.
  public struct Component: Hashable {
    enum Key: Hashable {
      case element(StackElementID)
      case link(UUID)
    }

    let key: Key
    let element: Element

    /// Returns whether two components represent the same element.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.key == rhs.key }

    /// Hashes the identity of the element.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
  }
}

extension StackState.Component {
  /// Creates a component for an element that a link would push.
  public init(pushing element: Element) {
    self.init(key: .link(UUID()), element: element)
  }
}

/// The element types of a stack, passed as an argument to a subscript that can't infer them otherwise.
struct StackElementTypes<State, Action>: Hashable {}

/// The data that a store keeps about the elements of a stack that views show.
struct StackViewCache {
  /// The UUIDs by which views identify elements that links have pushed.
  var links: [StackElementID: UUID] = [:]
  /// The stores of the elements that views show, each of which exists until its last view is released.
  var stores: [AnyHashable: WeakReference] = [:]

  struct WeakReference {
    weak var object: AnyObject?
  }

  /// Removes the UUIDs of elements whose ids a list doesn't contain.
  mutating func retain(_ ids: OrderedSet<StackElementID>) {
    if !links.isEmpty { links = links.filter { ids.contains($0.key) } }
  }
}

extension Store {
  /// The elements of a stack for a `NavigationStack`.
  ///
  /// Setting more elements sends a push for each additional element. Setting fewer elements sends one pop.
  ///
  /// The old and the new elements must be equal up to the length of the shorter list, counted from the bottom.
  subscript<ElementState, ElementAction>(
    components _: StackElementTypes<ElementState, ElementAction>
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
          var shown = shownStack ?? StackViewCache()
          shown.links[id] = mark
          shownStack = shown
        }
        send(.push(id: id, state: component.element))
      }
    }
  }

  /// Returns the store of a stack element that a `NavigationStack` shows.
  ///
  /// All calls return the same store while a view shows the element, including during the animation of its removal.
  func store<ElementState, ElementAction>(
    of component: StackState<ElementState>.Component
  ) -> Store<ElementState, ElementAction>
  where
    State == StackState<ElementState>,
    Action == StackAction<ElementState, ElementAction>
  {
    typealias Element = Store<ElementState, ElementAction>
    var shown = shownStack ?? StackViewCache()
    if let known = shown.stores[component.key]?.object as? Element { return known }
    let id: StackElementID? =
      switch component.key {
      case .element(let id): id
      case .link(let mark): shown.links.first { $0.value == mark }?.key
      }
    let elements: [Element] = elementsOfStack()
    // No element has this id, so a store with this id shows the last state that the view has received.
    let gone = StackElementID(-1)
    let store =
      id.flatMap { id in core.state.ids.firstIndex(of: id).map { elements[$0] } }
      ?? element(component.element, \.[id: id ?? gone], \.[id: id ?? gone])
    shown.stores = shown.stores.filter { $0.value.object != nil }
    shown.stores[component.key] = StackViewCache.WeakReference(object: store)
    shownStack = shown
    return store
  }
}
