import Synchronization

/// The children that a store's operators found in the state: presented features and elements of stacks.
///
/// The list belongs to the store's context. It can't be part of the state, because any reducer may discard the value
/// that holds a child. It can't be part of an operator, because a `body` and its operators are created again for each
/// action.
final class MountedChildren: Sendable {
  /// The position of an operator in the tree of features.
  struct OperatorPosition: Hashable, Sendable {
    /// The path to the operator's feature, through presented and pushed features.
    let path: [NavigationID]
    /// The scopes between that feature and the operator.
    let route: [ScopeRoute.RouteComponent]
    /// The child's location in the feature's state.
    let child: ChildPlace
  }

  /// The children that were removed or added at one location.
  struct Changes<ID> {
    var gone: [ID] = []
    var come: [ID] = []
  }

  /// The children by operator type and position.
  ///
  /// The type comes first, because most operators have no children and a type is cheaper to look up than a position.
  private let children = Mutex<[ObjectIdentifier: [OperatorPosition: any Sendable]]>([:])

  /// Updates the children of an operator and returns the changes.
  ///
  /// - Parameters:
  ///   - operator: The operator's type.
  ///   - child: The children's location in the feature's state.
  ///   - before: The children before the current action.
  ///   - after: The children after it.
  /// - Returns: The removed children, whichever reducer removed them, and the added ones.
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

  /// Removes the attachments of children that an enclosing reducer has removed.
  ///
  /// These operators leave the effects of such children running, so no other cleanup is needed. If no child has
  /// attachments, the function returns at once.
  ///
  /// - Parameters:
  ///   - operator: The operator's type.
  ///   - child: The children's location in the feature's state.
  ///   - children: The current children.
  ///   - path: Returns the path to a child.
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

  /// All children that operators have found, for snapshots of a store's context.
  var all: [ObjectIdentifier: [OperatorPosition: any Sendable]] {
    get { children.withLock { $0 } }
    set { children.withLock { $0 = newValue } }
  }

  /// Returns whether operators have found the same children.
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
      // Unchanged lists share their storage, so this comparison usually reads no elements.
      guard known != after || before != after else { return Changes() }
      // After a manual call of a reducer, the known children may belong to a sibling feature.
      let isCertain = !place.route.contains(.call)
      let changes = Changes(known: known, before: before, after: after, isCertain: isCertain)
      let next = isCertain ? after : known.filter { !changes.gone.contains($0) } + changes.come
      children[type, default: [:]][place] = next.isEmpty ? nil : next
      if children[type]?.isEmpty == true { children[type] = nil }
      return changes
    }
  }

  /// Removes the descendants of a removed child.
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

/// The scopes that lead the current action from the root to the running reducer.
///
/// Scopes don't create a namespace for effect ids, so two features of one type in two scopes have the same navigation
/// path. The scopes distinguish their children.
@usableFromInline
final class ScopeRoute: Sendable {
  /// One scope of a route.
  @usableFromInline
  enum RouteComponent: Hashable, @unchecked Sendable {
    // Unchecked: key paths are immutable, but the compiler can't verify it for those made at run time.
    /// A scope of a property.
    case property(AnyKeyPath)
    /// A scope of a case, identified by its source line and column.
    case enumCase(line: UInt, column: UInt)
    /// A manual call of a child's reducer, which does not identify the child.
    case call
  }

  private let current = Mutex<[RouteComponent]>([])

  /// The scopes that enclose the running reducer, from the outside.
  var steps: [RouteComponent] { current.withLock { $0 } }

  /// Appends a scope to the route of the current store.
  ///
  /// - Returns: The route, for a call of `leave()`; `nil` outside of a store.
  @usableFromInline
  static func enter(_ step: RouteComponent) -> ScopeRoute? {
    guard let route = DependencyValues._current.storeContext?.route else { return nil }
    route.current.withLock { $0.append(step) }
    return route
  }

  /// Removes the innermost scope.
  @usableFromInline
  func leave() {
    current.withLock { _ = $0.popLast() }
  }
}
