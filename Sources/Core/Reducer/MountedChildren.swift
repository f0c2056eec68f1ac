import Synchronization

/// The children that the operators of a store have found in place: what is presented, and the elements of stacks.
///
/// It lives in the store's context. A value that holds a child may be thrown away by any reducer, and with it would go the
/// knowledge of what had been there; a `body`, and the operators in it, are made anew for every action.
final class MountedChildren: Sendable {
  /// An operator's place in the tree of features.
  struct OperatorPosition: Hashable, Sendable {
    /// The way to the operator's own feature, through what is presented and pushed.
    let path: [NavigationID]
    /// The scopes between that feature and the operator.
    let route: [ScopeRoute.RouteComponent]
    /// The place of the child in the feature's state.
    let child: ChildPlace
  }

  /// The changes of the children at a place.
  struct Changes<ID> {
    var gone: [ID] = []
    var come: [ID] = []
  }

  /// By the operator's type first: most operators have nothing in place, and a type is found faster than a place.
  private let children = Mutex<[ObjectIdentifier: [OperatorPosition: any Sendable]]>([:])

  /// Compares the children of an operator with those that it found in place before, and takes note of them.
  ///
  /// - Parameters:
  ///   - operator: The operator's type.
  ///   - child: The place of the children in the feature's state.
  ///   - before: The children before the action that is being reduced.
  ///   - after: The children after it.
  /// - Returns: The children that have gone, whichever reducer removed them, and those that have come.
  static func update<ID: Hashable & Sendable>(
    _ operator: Any.Type,
    at child: @autoclosure () -> ChildPlace,
    from before: [ID],
    to after: [ID]
  ) -> Changes<ID> {
    let dependencies = DependencyValues._current
    guard let context = dependencies.storeContext else {
      return Changes(known: [], before: before, after: after, isCertain: true)
    }
    let type = ObjectIdentifier(`operator`)
    let mounted = context.mounted
    if before.isEmpty, after.isEmpty, !mounted.hasChildren(of: type) { return Changes() }
    let place = OperatorPosition(
      path: dependencies.navigationPath,
      route: context.route.steps,
      child: child()
    )
    return mounted.update(type, at: place, from: before, to: after)
  }

  /// Forgets the attachments of children that a reducer around their operator has removed.
  ///
  /// The children of these operators keep their effects then, so nothing else is to be done for them, and nothing at all
  /// where no child has attachments.
  ///
  /// - Parameters:
  ///   - operator: The operator's type.
  ///   - child: The place of the children in the feature's state.
  ///   - children: The children that are there.
  ///   - path: The way to a child.
  static func detach<ID: Hashable & Sendable>(
    _ operator: Any.Type,
    at child: @autoclosure () -> ChildPlace,
    exceptFor children: @autoclosure () -> [ID],
    path: (ID) -> [NavigationID]
  ) {
    guard let context = DependencyValues._current.storeContext, context.hasChildAttachments else {
      return
    }
    let children = children()
    let changes = update(`operator`, at: child(), from: children, to: children)
    for id in changes.gone { context.childDidGo(at: path(id)) }
  }

  /// The children that operators have found so far, to go back to.
  var all: [ObjectIdentifier: [OperatorPosition: any Sendable]] {
    get { children.withLock { $0 } }
    set { children.withLock { $0 = newValue } }
  }

  /// Whether operators have found the same children.
  func isEqual(to other: [ObjectIdentifier: [OperatorPosition: any Sendable]]) -> Bool {
    func isEqual<ID: Equatable>(_ ids: ID, _ others: Any?) -> Bool { ids == others as? ID }
    let all = all
    return all.count == other.count
      && all.allSatisfy { type, places in
        guard let others = other[type], others.count == places.count else { return false }
        return places.allSatisfy { place, ids in
          (ids as? any Equatable).map { isEqual($0, others[place]) } ?? false
        }
      }
  }

  private func hasChildren(of type: ObjectIdentifier) -> Bool {
    children.withLock { $0[type] != nil }
  }

  private func update<ID: Hashable & Sendable>(
    _ type: ObjectIdentifier,
    at place: OperatorPosition,
    from before: [ID],
    to after: [ID]
  ) -> Changes<ID> {
    children.withLock { children in
      let known = children[type]?[place] as? [ID] ?? []
      // Unchanged lists share their storage, so this usually compares no elements.
      guard known != after || before != after else { return Changes() }
      // After a call by hand, what is known may be that of a feature beside this one.
      let isCertain = !place.route.contains(.call)
      let changes = Changes(known: known, before: before, after: after, isCertain: isCertain)
      let next = isCertain ? after : known.filter { !changes.gone.contains($0) } + changes.come
      children[type, default: [:]][place] = next.isEmpty ? nil : next
      if children[type]?.isEmpty == true { children[type] = nil }
      return changes
    }
  }

  /// Forgets what was presented and pushed by a child that has gone.
  func forget(below path: [NavigationID]) {
    children.withLock { children in
      for (type, places) in children {
        let kept = places.filter { !$0.key.path.starts(with: path) }
        guard kept.count < places.count else { continue }
        children[type] = kept.isEmpty ? nil : kept
      }
    }
  }
}

extension MountedChildren.Changes where ID: Hashable {
  fileprivate init(known: [ID], before: [ID], after: [ID], isCertain: Bool) {
    let present = Set(after)
    let earlier = isCertain ? OrderedSet(known + before) : OrderedSet(before)
    gone = earlier.filter { !present.contains($0) }
    let mounted = Set(known)
    come = after.filter { !mounted.contains($0) }
  }
}

/// The scopes through which the action that is being reduced has come to the reducer that is running.
///
/// Scopes open no namespace for the ids of effects, so two features of one type in two scopes have the same navigation path.
/// The scopes distinguish their children.
@usableFromInline
final class ScopeRoute: Sendable {
  /// A part of the way.
  @usableFromInline
  enum RouteComponent: Hashable, @unchecked Sendable {
    // Key paths never change; the language does not know it of those that are made at run time.
    /// A scope of a property.
    case property(AnyKeyPath)
    /// A scope of a case, by its line of source.
    case enumCase(line: UInt, column: UInt)
    /// A call of a child's reducer by hand, which does not say which child that is.
    case call
  }

  private let current = Mutex<[RouteComponent]>([])

  /// The way to the running reducer.
  var steps: [RouteComponent] { current.withLock { $0 } }

  /// Goes a step further, within the store whose action is being reduced.
  ///
  /// - Returns: What leads back.
  @usableFromInline
  static func enter(_ step: RouteComponent) -> ScopeRoute? {
    guard let route = DependencyValues._current.storeContext?.route else { return nil }
    route.current.withLock { $0.append(step) }
    return route
  }

  /// Goes back by a step.
  @usableFromInline
  func leave() {
    current.withLock { _ = $0.popLast() }
  }
}
