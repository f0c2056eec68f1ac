import Synchronization

/// The objects that were made with dependencies of their own.
enum DependencyOwners {
  private struct Owner {
    let isAlive: @Sendable () -> Bool
    let values: DependencyValues
  }

  private static let owners = Mutex<[ObjectIdentifier: Owner]>([:])

  /// Remembers the dependencies that an object was made with, and gives it back; anything else it just gives back.
  static func remember<R>(_ made: R, with values: DependencyValues) -> R {
    guard R.self is AnyObject.Type else { return made }
    let object = made as AnyObject
    let id = ObjectIdentifier(object)
    let owner = Owner(isAlive: liveness(of: object), values: values)
    // Others have the address of an object once that has gone.
    owners.withLock { owners in
      owners = owners.filter { $0.value.isAlive() }
      owners[id] = owner
    }
    return made
  }

  /// The dependencies of an object, the current ones and an issue if it has none.
  static func dependencies<Model: AnyObject>(
    of model: Model,
    at location: IssueLocation
  ) -> DependencyValues {
    let owner = owners.withLock { $0[ObjectIdentifier(model)] }
    if let owner, owner.isAlive() { return owner.values }
    var mirror: Mirror? = Mirror(reflecting: model)
    while let current = mirror {
      for case (_, let wrapper as any DependencyCapturing) in current.children {
        return wrapper.captured
      }
      mirror = current.superclassMirror
    }
    reportIssue(Messages.modelWithoutDependencies(model), at: location)
    return DependencyValues._current
  }

  private static func liveness(of object: AnyObject) -> @Sendable () -> Bool {
    let reference = WeakReference(object)
    return { reference.isAlive }
  }
}

/// Unchecked: the reference is only compared with nil, which any thread may do.
private final class WeakReference: @unchecked Sendable {
  private weak var object: AnyObject?

  init(_ object: AnyObject) {
    self.object = object
  }

  var isAlive: Bool { object != nil }
}

/// A property wrapper that captured dependencies when it was made.
protocol DependencyCapturing {
  var captured: DependencyValues { get }
}
