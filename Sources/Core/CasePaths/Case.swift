/// A case of an enum as key paths see it: the type at which a case key path starts and ends.
///
/// Members of a case are the case paths of its payload, so `\.child.tap` is a key path from
/// `Case<Parent>` through `Case<Child>` to `Case<Void>`.
@dynamicMemberLookup
public struct Case<Value>: Sendable {
  /// How to get here; nil at the start of a key path, which is the whole value.
  private let way: (any WayToCase<Value>)?

  private init(way: any WayToCase<Value>) {
    self.way = way
  }

  /// The place where each case key path starts: the whole value.
  public init() {
    self.way = nil
  }

  /// Goes on to a case of the payload.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, AnyCasePath<Value, Member>>
  ) -> Case<Member> where Value: CasePathable {
    appending(Value.allCasePaths[keyPath: keyPath])
  }

  func appending<Member>(_ next: AnyCasePath<Value, Member>) -> Case<Member> {
    Case<Member>(way: way?.going(along: next) ?? next)
  }

  func path<Root>(from root: Root.Type) -> AnyCasePath<Root, Value> {
    let way = way ?? AnyCasePath<Value, Value>()
    guard let path = way as? AnyCasePath<Root, Value> else {
      // A key path from `Case<Root>` is always resolved on a whole `Root`.
      preconditionFailure("\(way) does not start at \(root)")
    }
    return path
  }
}

/// A case path whose start is not known to the type system any more.
private protocol WayToCase<Value>: Sendable {
  associatedtype Value
  func going<Next>(along next: AnyCasePath<Value, Next>) -> any WayToCase<Next>
  func embed(any value: Any) -> Any?
  func extract(from root: Any) -> Any?
}

extension AnyCasePath: WayToCase {
  fileprivate func going<Next>(along next: AnyCasePath<Value, Next>) -> any WayToCase<Next> {
    appending(path: next)
  }

  fileprivate func embed(any value: Any) -> Any? {
    (value as? Value).map { self.embed($0) }
  }

  fileprivate func extract(from root: Any) -> Any? {
    guard let root = root as? Root, let value: Value = extract(from: root) else { return nil }
    return value
  }
}

/// What can be asked of a case whose payload type is not known: the end of a partial key path.
protocol PartialCase {
  func embed(any value: Any) -> Any?
  func extract(from root: Any) -> Any?
}

extension Case: PartialCase {
  func embed(any value: Any) -> Any? {
    (way ?? AnyCasePath<Value, Value>()).embed(any: value)
  }

  func extract(from root: Any) -> Any? {
    (way ?? AnyCasePath<Value, Value>()).extract(from: root)
  }
}
