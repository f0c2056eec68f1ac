import Synchronization

/// The data that a root store shares with the code that it runs.
///
/// Reducers access it through `DependencyValues._current.storeContext`.
package final class StoreContext: Sendable {
  fileprivate struct ContextState: Sendable {
    var current: ActionStamp?
    var attachments = AttachmentTree()
    /// The attachment of the last lookup, cached because most lookups repeat the previous one.
    var last: (key: AttachmentKey, attachment: any AnyObject & Sendable)?
    var observers: [any StoreObserver] = []
    /// The attachments of children that were removed since the store was last idle.
    var left: [any AnyObject & Sendable] = []
    var resumption: StoreResumption?
    /// The number of the first action after the store's start or resumption.
    var firstNumber = 1
  }

  private let contents = Mutex(ContextState())
  private let hasHadChildAttachments = Atomic(false)
  private let root = Mutex<ObjectIdentifier?>(nil)
  /// The children that operators have already found in the state.
  let mounted = MountedChildren()
  /// The scopes that enclose the running reducer.
  let route = ScopeRoute()
  /// The features that can be dismissed.
  let dismissals = Dismissals()
  /// The generator of element ids for the store's stacks.
  package let stackElementIDs = StackElementIDs()

  /// The value of the global change counter before the current wave of actions; zero between waves.
  private let beginning = Atomic<UInt64>(0)

  package init() {}

  /// The value of the global change counter before the current wave of actions; zero between waves.
  var beginningOfWork: UInt64 {
    get { beginning.load(ordering: .relaxed) }
    set { beginning.store(newValue, ordering: .relaxed) }
  }

  /// The action that the reducer currently handles.
  package var current: ActionStamp? {
    get { contents.withLock { $0.current } }
    set { contents.withLock { $0.current = newValue } }
  }

  /// The log position that the store resumed from; `nil` if it did not resume.
  package var resumption: StoreResumption? {
    get { contents.withLock { $0.resumption } }
    set { contents.withLock { $0.resumption = newValue } }
  }

  /// Returns whether an action is the first one since the store's start or resumption.
  package func isFirst(_ action: ActionStamp?) -> Bool {
    contents.withLock { $0.firstNumber == action?.number }
  }

  /// Stores the type of the outermost reducer.
  func setRoot(_ reducer: (some Reducer).Type) { root.withLock { $0 = ObjectIdentifier(reducer) } }

  /// Returns whether a type is the store's outermost reducer, and so the only code that changes its state.
  package func isRoot(_ reducer: (some Reducer).Type) -> Bool {
    root.withLock { $0 == ObjectIdentifier(reducer) }
  }

  /// Returns the object that is attached to the store or a child, and creates it on first use.
  ///
  /// The object lives as long as the store, or as the child at the key's path.
  ///
  /// - Parameters:
  ///   - key: The owner of the object.
  ///   - make: Makes the object. Must not access this context, because it runs under the lock.
  /// - Returns: The object.
  package func attachment<T: AnyObject & Sendable>(for key: AttachmentKey, make: () -> T) -> T {
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

  /// Whether any object was attached to a child.
  var hasChildAttachments: Bool { hasHadChildAttachments.load(ordering: .relaxed) }

  /// Removes the data of a removed child and its descendants.
  ///
  /// Observers among its attachments are notified when the store falls idle, because its effects are cancelled until
  /// then.
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

  /// Resets the context so that it resumes from a log position, and tells all observers that their store closed.
  ///
  /// - Parameters:
  ///   - resumption: The log position.
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
  /// A copy of the store's data apart from its state, taken between two actions.
  package struct Snapshot: Sendable {
    fileprivate let contents: ContextState
    fileprivate let hasHadChildAttachments: Bool
    fileprivate let mounted: [ObjectIdentifier: [MountedChildren.OperatorPosition: any Sendable]]
    fileprivate let nextStackElement: Int
  }

  /// A snapshot of the current data, for a replay that returns to it later.
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

  /// Returns whether the current data equals that of a snapshot.
  package func isEquivalent(to snapshot: Snapshot) -> Bool {
    stackElementIDs.peek().number == snapshot.nextStackElement
      && mounted.isEqual(to: snapshot.mounted)
      && hasHadChildAttachments.load(ordering: .relaxed) == snapshot.hasHadChildAttachments
      && contents.withLock { $0.attachments.isEqual(to: snapshot.contents.attachments) }
  }
}

extension DependencyValues {
  /// Returns the current dependencies, prepared for a new root store.
  static func forStore(
    _ context: StoreContext,
    _ prepare: (inout DependencyValues) -> Void
  ) -> DependencyValues {
    var dependencies = DependencyValues._current
    DependencyDefaults.$isSetting.withValue(true) { prepare(&dependencies) }
    if dependencies.storeContext == nil {
      // If the state was created before the store, its stacks have already used ids of the outer generator.
      context.stackElementIDs.reserve(below: dependencies.stackElementIDs.peek())
    }
    dependencies.storeContext = context
    // A store created by an effect of another store is a root of its own.
    dependencies.navigationPath = []
    return dependencies
  }
}

/// An observer of a store's activity.
package protocol StoreObserver: AnyObject, Sendable {
  /// Called on the main actor after the store has handled all actions, or after an effect has changed.
  func storeDidFallIdle()
  /// Called when the store, or the child to which the observer is attached, has gone.
  ///
  /// Runs on the main actor, or on the thread that released the store.
  func storeDidClose()
}

/// The owner of an attachment: a source location, and a path in the tree of features.
package struct AttachmentKey: Hashable, Sendable {
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

/// The attachments of a store, as a tree of feature paths.
///
/// Those of one child are found without a search of the others.
private struct AttachmentTree: Sendable {
  private var attachments: [AttachmentKey: any AnyObject & Sendable] = [:]
  private var children: [NavigationID: AttachmentTree] = [:]

  /// Returns the attachment for a key.
  ///
  /// - Parameters:
  ///   - key: The key to look up.
  ///   - steps: The number of leading path components that lead to this tree.
  /// - Returns: The attachment, or `nil` if there is none.
  func attachment(for key: AttachmentKey, after steps: Int = 0) -> (any AnyObject & Sendable)? {
    guard steps < key.path.count else { return attachments[key] }
    return children[key.path[steps]]?.attachment(for: key, after: steps + 1)
  }

  mutating func insert(
    _ attachment: any AnyObject & Sendable,
    for key: AttachmentKey,
    after steps: Int = 0
  ) {
    guard steps < key.path.count else {
      attachments[key] = attachment
      return
    }
    children[key.path[steps], default: AttachmentTree()]
      .insert(attachment, for: key, after: steps + 1)
  }

  /// Removes the attachments of a child and its descendants.
  ///
  /// - Returns: The removed attachments.
  mutating func remove(below path: ArraySlice<NavigationID>) -> [any AnyObject & Sendable] {
    guard let child = path.first, children[child] != nil else { return [] }
    guard path.count > 1 else { return children.removeValue(forKey: child)?.all ?? [] }
    let removed = children[child]?.remove(below: path.dropFirst()) ?? []
    if children[child]?.isEmpty == true { children[child] = nil }
    return removed
  }

  /// Returns whether both trees have identical objects at the same keys.
  func isEqual(to other: AttachmentTree) -> Bool {
    attachments.count == other.attachments.count && children.count == other.children.count
      && attachments.allSatisfy { key, object in other.attachments[key] === object }
      && children.allSatisfy { id, tree in other.children[id].map(tree.isEqual) ?? false }
  }

  private var isEmpty: Bool { attachments.isEmpty && children.isEmpty }

  private var all: [any AnyObject & Sendable] {
    attachments.values + children.values.flatMap(\.all)
  }
}

/// The number and origin of an action, assigned when it is enqueued.
package struct ActionStamp: Sendable {
  /// The action's position among all actions of the root store, from 1.
  package let number: Int
  package let origin: ActionOrigin

  package init(number: Int, origin: ActionOrigin) {
    self.number = number
    self.origin = origin
  }
}

/// The sender of an action.
///
/// The queue carries it with the action. A task-local would leak it to the effects of other stores.
package enum ActionOrigin: Sendable {
  /// A view, or other code outside the store.
  case view
  /// An effect.
  ///
  /// `via` names the function that sent the action for it, such as `dismiss`.
  case effect(tags: [EffectTag], via: String?)
  /// Code that ran inside `reduce` or an observer while the store was handling an action.
  case reentrant(action: Int)
}
