import Synchronization

/// The data that a root store shares with the code that runs inside it: reducers reach it through
/// `DependencyValues._current.storeContext`.
package final class StoreContext: Sendable {
  private struct Contents: Sendable {
    var current: ActionStamp?
    var attachments: [AttachmentKey: any AnyObject & Sendable] = [:]
    /// The attachment that was asked for last, which is mostly the one that is asked for next.
    var last: (key: AttachmentKey, attachment: any AnyObject & Sendable)?
    var observers: [any StoreObserver] = []
  }

  private let contents = Mutex(Contents())
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

  /// Notes which reducer gets the store's state first and last.
  func setRoot(_ reducer: (some Reducer).Type) { root.withLock { $0 = ObjectIdentifier(reducer) } }

  /// Whether reducers of a type are the store's own: no one else changes its state.
  package func isRoot(_ reducer: (some Reducer).Type) -> Bool {
    root.withLock { $0 == ObjectIdentifier(reducer) }
  }

  /// An object that lives as long as the store, made when it is asked for first.
  ///
  /// - Parameters:
  ///   - key: Who asks.
  ///   - make: Makes the object. It must not ask the context for anything.
  /// - Returns: The object.
  package func attachment<T: AnyObject & Sendable>(for key: AttachmentKey, make: () -> T) -> T {
    contents.withLock { contents in
      if let last = contents.last, last.key == key, let made = last.attachment as? T { return made }
      let made = contents.attachments[key] as? T ?? make()
      contents.attachments[key] = made
      contents.last = (key, made)
      return made
    }
  }

  /// Adds an observer of the store.
  package func observe(_ observer: any StoreObserver) {
    contents.withLock { $0.observers.append(observer) }
  }

  func didFallIdle() {
    for observer in contents.withLock({ $0.observers }) { observer.storeDidFallIdle() }
  }

  func didClose() {
    for observer in contents.withLock({ $0.observers }) { observer.storeDidClose() }
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
  /// The store went away. Called by the thread that let go of it.
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
