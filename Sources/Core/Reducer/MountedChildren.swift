import Synchronization

/// The children that a store's operators have found in the state, such as presented features and stack elements.
///
/// This list belongs to the context of the store. It can't be part of the state, because any reducer may discard the
/// value that contains a child. It can't be part of an operator, because a `body` and its operators are created again
/// for each action.
@usableFromInline
final class MountedChildren: Sendable {
  /// The position of an operator in the tree of features.
  struct OperatorPosition: Hashable, Sendable {
    /// The path to the feature of the operator, in the tree of presented and pushed features.
    let path: [NavigationID]
    /// The scopes between the feature at `path` and the operator.
    let route: [ScopeRoute.RouteComponent]
    /// The location of the operator's child in the feature's state.
    let child: ChildLocation

    /// Creates the position of an operator of the running reducer's feature.
    init(of child: ChildLocation, in context: StoreContext, _ dependencies: DependencyValues) {
      path = dependencies.navigationPath
      route = context.route.steps
      self.child = child
    }

    /// Hashes only the path, because few operators of one type have the same path and hashing a key path is slow.
    func hash(into hasher: inout Hasher) { hasher.combine(path) }
  }

  /// The children that an action added or removed at one location.
  struct Changes<ID> {
    var removed: [ID] = []
    var added: [ID] = []
  }

  /// The ids of the children, by the type of their operator and its position.
  ///
  /// The type comes first, because most operators have no children and a type is cheaper to look up than a position.
  private let children = Mutex<[ObjectIdentifier: [OperatorPosition: any Sendable]]>([:])

  /// Returns whether the child of an operator is the same as before the action and after the previous one.
  ///
  /// If so, there is nothing to update.
  @usableFromInline
  static func isUnchanged(
    _ operator: Any.Type,
    at child: AnyKeyPath,
    from before: ChildIdentity?,
    to after: ChildIdentity?
  ) -> Bool {
    before == after
      && isKnown(`operator`, at: child, isEmpty: after == nil) { known in
        (known ?? []) == (after.map { [$0] } ?? [])
      }
  }

  /// Returns whether the elements of an operator are the same as before the action and after the previous one.
  ///
  /// If so, there is nothing to update.
  @usableFromInline
  static func isUnchanged(
    _ operator: Any.Type,
    at child: AnyKeyPath,
    from before: OrderedSet<StackElementID>,
    to after: OrderedSet<StackElementID>
  ) -> Bool {
    before == after
      && isKnown(`operator`, at: child, isEmpty: after.isEmpty) { known in
        // Unchanged lists share their storage, so this comparison usually doesn't compare elements.
        (known ?? []) == after.elements
      }
  }

  private static func isKnown<ID: Hashable & Sendable>(
    _ operator: Any.Type,
    at child: AnyKeyPath,
    isEmpty: Bool,
    _ isSame: ([ID]?) -> Bool
  ) -> Bool {
    let dependencies = DependencyValues._current
    // Outside of a store, no child can be dismissed and none has effects.
    guard let context = dependencies.storeContext else { return true }
    let type = ObjectIdentifier(`operator`)
    return context.mounted.children.withLock { children in
      guard let places = children[type] else { return isEmpty }
      let place = OperatorPosition(of: ChildLocation(child), in: context, dependencies)
      return isSame(places[place] as? [ID])
    }
  }

  /// Updates the children of an operator after an action, and returns the changes.
  ///
  /// - Parameters:
  ///   - operator: The type of the operator.
  ///   - child: The location of the children in the feature's state.
  ///   - before: The ids of the children before the current action.
  ///   - after: The ids of the children after the current action.
  /// - Returns: The ids of the removed and added children, regardless of the reducer that changed the state.
  static func update<ID: Hashable & Sendable>(
    _ operator: Any.Type,
    at child: @autoclosure () -> ChildLocation,
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
    let place = OperatorPosition(of: child(), in: context, dependencies)
    return mounted.update(type, at: place, from: before, to: after)
  }

  /// Removes the attachments of children that an enclosing reducer has removed.
  ///
  /// The operators that call this function leave the effects of such children running, so no other cleanup is needed.
  /// If no child has attachments, the function returns immediately.
  ///
  /// - Parameters:
  ///   - operator: The type of the operator.
  ///   - child: The location of the children in the feature's state.
  ///   - children: The ids of the current children.
  ///   - path: A function that returns the path to a child with an id.
  @usableFromInline
  static func detach<ID: Hashable & Sendable>(
    _ operator: Any.Type,
    at child: @autoclosure () -> ChildLocation,
    exceptFor children: @autoclosure () -> [ID],
    path: (ID) -> ChildPath
  ) {
    guard let context = DependencyValues._current.storeContext, context.hasChildAttachments else {
      return
    }
    let children = children()
    let changes = update(`operator`, at: child(), from: children, to: children)
    for id in changes.removed { context.childDidGo(at: path(id).ids) }
  }

  /// The ids of all children that operators have found, for snapshots of a store's context.
  var all: [ObjectIdentifier: [OperatorPosition: any Sendable]] {
    get { children.withLock { $0 } }
    set { children.withLock { $0 = newValue } }
  }

  /// Returns whether the children are the same as those in a snapshot.
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
      // Unchanged lists share their storage, so this comparison usually doesn't compare elements.
      guard known != after || before != after else { return Changes() }
      // If a reducer was called manually, the known children may belong to a sibling feature.
      let isCertain = !place.route.contains(.call)
      let changes = Changes(known: known, before: before, after: after, isCertain: isCertain)
      let next = isCertain ? after : known.filter { !changes.removed.contains($0) } + changes.added
      children[type, default: [:]][place] = next.isEmpty ? nil : next
      if children[type]?.isEmpty == true { children[type] = nil }
      return changes
    }
  }

  /// Removes the children of the features at and below the path of a removed child.
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
    removed = earlier.filter { !present.contains($0) }
    let mounted = Set(known)
    added = after.filter { !mounted.contains($0) }
  }
}

/// The scopes that lead the current action from the root to the running reducer.
///
/// Scopes don't create a namespace for effect ids, so two features of one type in two scopes have the same navigation
/// path. The route distinguishes the children of these features.
@usableFromInline
final class ScopeRoute: Sendable {
  /// A scope in a route.
  @usableFromInline
  enum RouteComponent: Hashable, @unchecked Sendable {
    // Unchecked: key paths are immutable, but the compiler can't verify this for key paths created at run time.
    /// A scope to a property of the state.
    case property(AnyKeyPath)
    /// A scope to a case of the state, identified by the line and column of the scope in the source file.
    case enumCase(line: UInt, column: UInt)
    /// A manual call of a child's reducer, which doesn't identify the child.
    case call
  }

  private let current = Mutex<[RouteComponent]>([])

  /// The scopes that enclose the running reducer, outermost first.
  var steps: [RouteComponent] { current.withLock { $0 } }

  /// Adds a scope to the route in the current store.
  ///
  /// - Returns: The route, on which the caller must call `leave()`; `nil` outside of a store.
  @usableFromInline
  static func enter(_ step: RouteComponent) -> ScopeRoute? {
    guard let route = DependencyValues._current.storeContext?.route else { return nil }
    route.current.withLock { $0.append(step) }
    return route
  }

  /// Removes the innermost scope from the route.
  @usableFromInline
  func leave() {
    current.withLock { _ = $0.popLast() }
  }
}
