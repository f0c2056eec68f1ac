import Synchronization

/// The data that a root store shares with the code that runs inside it: reducers reach it through
/// `DependencyValues._current.storeContext`.
package final class StoreContext: Sendable {
  fileprivate struct ContextState: Sendable {
    var current: ActionStamp?
    var attachments = AttachmentTree()
    /// The attachment that was asked for last, which is mostly the one that is asked for next.
    var last: (key: AttachmentKey, attachment: any AnyObject & Sendable)?
    var observers: [any StoreObserver] = []
    /// What children have left that went since the store was idle.
    var left: [any AnyObject & Sendable] = []
    var resumption: StoreResumption?
    /// The first action of the store, or after the place from which it goes on.
    var firstNumber = 1
  }

  private let contents = Mutex(ContextState())
  private let hasHadChildAttachments = Atomic(false)
  private let root = Mutex<ObjectIdentifier?>(nil)
  /// The children that operators have found in place.
  let mounted = MountedChildren()
  /// The scopes around the reducer that is running.
  let route = ScopeRoute()
  /// The features that can dismiss themselves.
  let dismissals = Dismissals()
  /// The ids of the elements that the store's stacks get.
  package let stackElementIDs = StackElementIDs()

  /// The last change of all states before the actions that are being handled; zero between them.
  private let beginning = Atomic<UInt64>(0)

  package init() {}

  /// The last change of all states before the actions that are being handled; zero between them.
  var beginningOfWork: UInt64 {
    get { beginning.load(ordering: .relaxed) }
    set { beginning.store(newValue, ordering: .relaxed) }
  }

  /// The action that is being reduced.
  package var current: ActionStamp? {
    get { contents.withLock { $0.current } }
    set { contents.withLock { $0.current = newValue } }
  }

  /// The place in a log where the store has begun; `nil` for a store that begins anew.
  package var resumption: StoreResumption? {
    get { contents.withLock { $0.resumption } }
    set { contents.withLock { $0.resumption = newValue } }
  }

  /// Whether an action is the first of the store, or after the place in a log from which the store goes on.
  package func isFirst(_ action: ActionStamp?) -> Bool {
    contents.withLock { $0.firstNumber == action?.number }
  }

  /// Notes which reducer gets the store's state first and last.
  func setRoot(_ reducer: (some Reducer).Type) { root.withLock { $0 = ObjectIdentifier(reducer) } }

  /// Whether reducers of a type are the store's own: no one else changes its state.
  package func isRoot(_ reducer: (some Reducer).Type) -> Bool {
    root.withLock { $0 == ObjectIdentifier(reducer) }
  }

  /// An object that lives as long as the store, or as the child whose path the key has; made when it is asked for first.
  ///
  /// - Parameters:
  ///   - key: Who asks.
  ///   - make: Makes the object. It must not ask the context for anything.
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

  /// Adds an observer of the store; one that is attached to a child observes until that goes.
  package func observe(_ observer: any StoreObserver) {
    contents.withLock { $0.observers.append(observer) }
  }

  /// Whether an object was attached to a child.
  var hasChildAttachments: Bool { hasHadChildAttachments.load(ordering: .relaxed) }

  /// Forgets what belongs to a child that has gone, and to the children in it.
  ///
  /// Observers among its attachments are told when the store is idle: until then the child's effects are cancelled.
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

  /// Goes on from a place in a log, as a store that begins there: observers are told that what they have watched is over.
  ///
  /// - Parameters:
  ///   - resumption: The place.
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
  /// What a store knows besides its state, between two actions.
  package struct Snapshot: Sendable {
    fileprivate let contents: ContextState
    fileprivate let hasHadChildAttachments: Bool
    fileprivate let mounted: [ObjectIdentifier: [MountedChildren.OperatorPosition: any Sendable]]
    fileprivate let nextStackElement: Int
  }

  /// What the store knows now, for a replay to go back to.
  package var snapshot: Snapshot {
    Snapshot(
      contents: contents.withLock { $0 },
      hasHadChildAttachments: hasHadChildAttachments.load(ordering: .relaxed),
      mounted: mounted.all,
      nextStackElement: stackElementIDs.peek().number
    )
  }

  /// Goes back.
  package func restore(_ snapshot: Snapshot) {
    contents.withLock { $0 = snapshot.contents }
    hasHadChildAttachments.store(snapshot.hasHadChildAttachments, ordering: .relaxed)
    mounted.all = snapshot.mounted
    stackElementIDs.set(next: snapshot.nextStackElement)
  }

  /// Whether the store knows what it knew when a snapshot was taken.
  package func isEquivalent(to snapshot: Snapshot) -> Bool {
    stackElementIDs.peek().number == snapshot.nextStackElement
      && mounted.isEqual(to: snapshot.mounted)
      && hasHadChildAttachments.load(ordering: .relaxed) == snapshot.hasHadChildAttachments
      && contents.withLock { $0.attachments.isEqual(to: snapshot.contents.attachments) }
  }
}

extension DependencyValues {
  /// Those of now, as a new root store has them.
  static func forStore(
    _ context: StoreContext,
    _ prepare: (inout DependencyValues) -> Void
  ) -> DependencyValues {
    var dependencies = DependencyValues._current
    DependencyDefaults.$isSetting.withValue(true) { prepare(&dependencies) }
    if dependencies.storeContext == nil {
      // A state that was made before the store has taken ids.
      context.stackElementIDs.reserve(below: dependencies.stackElementIDs.peek())
    }
    dependencies.storeContext = context
    // A store that an effect of another one makes is a root of its own.
    dependencies.navigationPath = []
    return dependencies
  }
}

/// An observer of a store's activity.
package protocol StoreObserver: AnyObject, Sendable {
  /// The store has handled all actions, or an effect has changed. Called on the main actor.
  func storeDidFallIdle()
  /// The store went away, or the child to which the observer is attached. Called on the main actor, or by the thread that
  /// let go of the store.
  func storeDidClose()
}

/// The owner of an attachment: a location in source code, at a place in the tree of features.
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

/// The attachments of a store by the places in its tree of features, so that those of a child are found without the others.
private struct AttachmentTree: Sendable {
  private var attachments: [AttachmentKey: any AnyObject & Sendable] = [:]
  private var children: [NavigationID: AttachmentTree] = [:]

  /// The attachment for a key whose path leads here after some steps.
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

  /// Removes the attachments of a child, and of the children in it.
  ///
  /// - Returns: What was attached.
  mutating func remove(below path: ArraySlice<NavigationID>) -> [any AnyObject & Sendable] {
    guard let child = path.first, children[child] != nil else { return [] }
    guard path.count > 1 else { return children.removeValue(forKey: child)?.all ?? [] }
    let removed = children[child]?.remove(below: path.dropFirst()) ?? []
    if children[child]?.isEmpty == true { children[child] = nil }
    return removed
  }

  /// Whether the same objects are attached at the same places.
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

/// The number and origin of an action, known from the moment it is enqueued.
package struct ActionStamp: Sendable {
  /// Its place among all actions of the root store, from 1.
  package let number: Int
  package let origin: ActionOrigin

  package init(number: Int, origin: ActionOrigin) {
    self.number = number
    self.origin = origin
  }
}

/// Where an action comes from.
///
/// The queue carries it. Task-locals would leak it to the effects of other stores.
package enum ActionOrigin: Sendable {
  /// Sent to the store from outside.
  case view
  /// Sent by an effect, `via` the thing that is named, such as `dismiss`.
  case effect(tags: [EffectTag], via: String?)
  /// Sent from inside `reduce` or an observer while the store was busy with an action.
  case reentrant(action: Int)
}
