import Synchronization

/// The data that a root store shares with the reducers and effects that it runs.
///
/// Reducers and effects access the context through `DependencyValues._current.storeContext`.
package final class StoreContext: Sendable {
  fileprivate struct ContextState: Sendable {
    var current: ActionStamp?
    var attachments = StoreAttachmentTree()
    /// The result of the last lookup, which is cached because most lookups repeat the previous one.
    var last: (key: StoreAttachmentKey, attachment: any AnyObject & Sendable)?
    var observers: [any StoreObserver] = []
    /// The attachments of children that were removed since the store last fell idle.
    var left: [any AnyObject & Sendable] = []
    var resumption: StoreResumption?
    /// The number of the first action after the start or the resumption of the store.
    var firstNumber = 1
  }

  private let contents = Mutex(ContextState())
  private let hasHadChildAttachments = Atomic(false)
  private let root = Mutex<ObjectIdentifier?>(nil)
  /// The children that operators have found in the state.
  let mounted = MountedChildren()
  /// The scopes that enclose the running reducer.
  let route = ScopeRoute()
  /// The features of the store that can be dismissed.
  let dismissals = DismissalRegistry()
  /// The generator of the ids for elements in the store's stacks.
  package let stackElementIDs = StackElementIDs()

  /// The storage of `beginningOfWork`.
  private let beginning = Atomic<UInt64>(0)

  package init() {}

  /// The number of the last change to any state before the current wave of actions; zero between waves.
  var beginningOfWork: UInt64 {
    get { beginning.load(ordering: .relaxed) }
    set { beginning.store(newValue, ordering: .relaxed) }
  }

  /// The number and origin of the action that the reducer is handling; `nil` while it handles none.
  package var current: ActionStamp? {
    get { contents.withLock { $0.current } }
    set { contents.withLock { $0.current = newValue } }
  }

  /// The log position from which the store resumed; `nil` for other stores.
  package var resumption: StoreResumption? {
    get { contents.withLock { $0.resumption } }
    set { contents.withLock { $0.resumption = newValue } }
  }

  /// Returns whether an action is the first one after the start or the resumption of the store.
  package func isFirst(_ action: ActionStamp?) -> Bool {
    contents.withLock { $0.firstNumber == action?.number }
  }

  /// Stores the type of the store's outermost reducer.
  func setRoot(_ reducer: (some Reducer).Type) { root.withLock { $0 = ObjectIdentifier(reducer) } }

  /// Returns whether a type is that of the store's outermost reducer, inside which all changes to the state happen.
  package func isRoot(_ reducer: (some Reducer).Type) -> Bool {
    root.withLock { $0 == ObjectIdentifier(reducer) }
  }

  /// Returns the object that is attached to the store or a child, and creates it on first use.
  ///
  /// The object is released together with the store, or with the child at the key's path.
  ///
  /// - Parameters:
  ///   - key: The key that identifies the object and its owner.
  ///   - make: A closure that creates the object. It must not access this context, because the lock is held.
  /// - Returns: The attached object.
  package func attachment<T: AnyObject & Sendable>(for key: StoreAttachmentKey, make: () -> T) -> T
  {
    contents.withLock { contents in
      if let last = contents.last, last.key == key, let made = last.attachment as? T { return made }
      let known = contents.attachments.attachment(for: key) as? T
      let made = known ?? make()
      if known == nil {
        contents.attachments.insert(made, for: key)
        if !key.path.isEmpty { hasHadChildAttachments.store(true, ordering: .relaxed) }
      }
      contents.last = (key, made)
      return made
    }
  }

  /// Adds an observer of the store.
  ///
  /// An observer that is attached to a child is removed together with the child.
  package func observe(_ observer: any StoreObserver) {
    contents.withLock { $0.observers.append(observer) }
  }

  /// Whether any object has been attached to a child.
  var hasChildAttachments: Bool { hasHadChildAttachments.load(ordering: .relaxed) }

  /// Removes the data of a removed child and its descendants.
  ///
  /// Observers among the child's attachments are notified when the store falls idle, because the child's effects are
  /// canceled only by then.
  func childDidGo(at path: [NavigationID]) {
    mounted.forget(below: path)
    contents.withLock { contents in
      let left = contents.attachments.remove(below: path[...])
      guard !left.isEmpty else { return }
      contents.left += left
      contents.last = nil
    }
  }

  func didFallIdle() {
    let (left, observers) = contents.withLock { contents in
      let left = contents.left
      if !left.isEmpty {
        contents.left = []
        let ids = Set(left.map { ObjectIdentifier($0) })
        contents.observers.removeAll { ids.contains(ObjectIdentifier($0)) }
      }
      return (left, contents.observers)
    }
    for case let observer as any StoreObserver in left { observer.storeDidClose() }
    for observer in observers { observer.storeDidFallIdle() }
  }

  /// Resets the context so that it resumes from a log position, and notifies all observers that the store has closed.
  ///
  /// - Parameters:
  ///   - resumption: The log position from which the store resumes.
  ///   - number: The number of the next action.
  func restart(at resumption: StoreResumption, before number: Int) {
    let observers = contents.withLock { contents in
      defer {
        contents = ContextState()
        contents.resumption = resumption
        contents.firstNumber = number
      }
      return contents.observers
    }
    hasHadChildAttachments.store(false, ordering: .relaxed)
    mounted.all = [:]
    for observer in observers { observer.storeDidClose() }
  }

  func didClose() {
    for observer in contents.withLock({ $0.observers }) { observer.storeDidClose() }
  }
}

extension StoreContext {
  /// A copy of the context's data, taken between two actions.
  package struct Snapshot: Sendable {
    fileprivate let contents: ContextState
    fileprivate let hasHadChildAttachments: Bool
    fileprivate let mounted: [ObjectIdentifier: [MountedChildren.OperatorPosition: any Sendable]]
    fileprivate let nextStackElement: Int
  }

  /// A snapshot of the current data, to which a replay can return.
  package var snapshot: Snapshot {
    Snapshot(
      contents: contents.withLock { $0 },
      hasHadChildAttachments: hasHadChildAttachments.load(ordering: .relaxed),
      mounted: mounted.all,
      nextStackElement: stackElementIDs.peek().number
    )
  }

  /// Restores the data of a snapshot.
  package func restore(_ snapshot: Snapshot) {
    contents.withLock { $0 = snapshot.contents }
    hasHadChildAttachments.store(snapshot.hasHadChildAttachments, ordering: .relaxed)
    mounted.all = snapshot.mounted
    stackElementIDs.set(next: snapshot.nextStackElement)
  }

  /// Returns whether the attachments, the known children, and the next stack element id equal those in a snapshot.
  package func isEquivalent(to snapshot: Snapshot) -> Bool {
    stackElementIDs.peek().number == snapshot.nextStackElement
      && mounted.isEqual(to: snapshot.mounted)
      && hasHadChildAttachments.load(ordering: .relaxed) == snapshot.hasHadChildAttachments
      && contents.withLock { $0.attachments.isEqual(to: snapshot.contents.attachments) }
  }
}

extension DependencyValues {
  /// Returns the current dependencies, prepared for a new root store with the given context.
  static func forStore(
    _ context: StoreContext,
    _ prepare: (inout DependencyValues) -> Void
  ) -> DependencyValues {
    var dependencies = DependencyValues._current
    DependencyDefaults.$isSetting.withValue(true) { prepare(&dependencies) }
    if dependencies.storeContext == nil {
      // If the state was created before the store, its stacks have already used ids of the generator outside of stores.
      context.stackElementIDs.reserve(below: dependencies.stackElementIDs.peek())
    }
    dependencies.storeContext = context
    // Resets the path, because a store that an effect of another store creates is a root of its own.
    dependencies.navigationPath = []
    return dependencies
  }
}

/// An observer of the activity of a store.
package protocol StoreObserver: AnyObject, Sendable {
  /// Called on the main actor after the store has handled all actions, or after an effect has sent an action or ended.
  func storeDidFallIdle()
  /// Called after the store has been released, or after the child to which the observer is attached has been removed.
  ///
  /// The call happens on the main actor, or on the thread that releases the store.
  func storeDidClose()
}

/// The key of an attachment, which consists of a source location and a path in the tree of features.
package struct StoreAttachmentKey: Hashable, Sendable {
  package let fileID: String
  package let line: UInt
  package let column: UInt
  package let path: [NavigationID]

  package init(fileID: String, line: UInt, column: UInt, path: [NavigationID]) {
    self.fileID = fileID
    self.line = line
    self.column = column
    self.path = path
  }
}

/// The attachments of a store, in a tree whose branches are the paths of features.
///
/// The tree allows finding the attachments of one child without searching those of others.
private struct StoreAttachmentTree: Sendable {
  private var attachments: [StoreAttachmentKey: any AnyObject & Sendable] = [:]
  private var children: [NavigationID: StoreAttachmentTree] = [:]

  /// Returns the attachment for a key.
  ///
  /// - Parameters:
  ///   - key: The key to look up.
  ///   - steps: The number of components of the key's path that lead to this tree.
  /// - Returns: The attachment, or `nil` if there is none.
  func attachment(for key: StoreAttachmentKey, after steps: Int = 0) -> (any AnyObject & Sendable)?
  {
    guard steps < key.path.count else { return attachments[key] }
    return children[key.path[steps]]?.attachment(for: key, after: steps + 1)
  }

  mutating func insert(
    _ attachment: any AnyObject & Sendable,
    for key: StoreAttachmentKey,
    after steps: Int = 0
  ) {
    guard steps < key.path.count else {
      attachments[key] = attachment
      return
    }
    children[key.path[steps], default: StoreAttachmentTree()]
      .insert(attachment, for: key, after: steps + 1)
  }

  /// Removes the attachments of a child and its descendants.
  ///
  /// - Returns: The attachments that were removed.
  mutating func remove(below path: ArraySlice<NavigationID>) -> [any AnyObject & Sendable] {
    guard let child = path.first, children[child] != nil else { return [] }
    guard path.count > 1 else { return children.removeValue(forKey: child)?.all ?? [] }
    let removed = children[child]?.remove(below: path.dropFirst()) ?? []
    if children[child]?.isEmpty == true { children[child] = nil }
    return removed
  }

  /// Returns whether both trees contain the same objects for the same keys.
  func isEqual(to other: StoreAttachmentTree) -> Bool {
    attachments.count == other.attachments.count && children.count == other.children.count
      && attachments.allSatisfy { key, object in other.attachments[key] === object }
      && children.allSatisfy { id, tree in other.children[id].map(tree.isEqual) ?? false }
  }

  private var isEmpty: Bool { attachments.isEmpty && children.isEmpty }

  private var all: [any AnyObject & Sendable] {
    attachments.values + children.values.flatMap(\.all)
  }
}

/// The number and the origin of an action, assigned when the action is enqueued.
package struct ActionStamp: Sendable {
  /// The action's position among all actions of the root store, starting at 1.
  package let number: Int
  package let origin: ActionOrigin

  package init(number: Int, origin: ActionOrigin) {
    self.number = number
    self.origin = origin
  }
}

/// The code that sent an action.
///
/// The origin is stored in the queue with the action. A task-local value would leak to the effects of other stores.
package enum ActionOrigin: Sendable {
  /// The sender is a view, or other code outside of the store.
  case view
  /// The sender is an effect, which the tags identify.
  ///
  /// - Parameters:
  ///   - tags: The tags of the effect.
  ///   - via: The name of the function that sent the action for the effect, such as `dismiss`, or `nil` if the effect
  ///     sent the action itself.
  case effect(tags: [EffectObserverTag], via: String?)
  /// The sender is code inside `reduce` or an observer that ran while the store was handling an action.
  ///
  /// The payload is the number of that action.
  case reentrant(action: Int)
}
