import Foundation
import Synchronization

/// The id of an element of a stack.
public struct StackElementID: Hashable, Sendable {
  /// The number of elements that were created before.
  @_spi(Internals) public var generation: Int

  /// Creates the id with a number.
  @_spi(Internals) public init(generation: Int) { self.generation = generation }
}

extension StackElementID: ExpressibleByIntegerLiteral {
  /// Creates the id with a number, in tests.
  public init(integerLiteral value: Int) { self.init(generation: value) }
}

extension StackElementID: CustomDebugStringConvertible {
  /// The number after a `#`.
  public var debugDescription: String { "#\(generation)" }
}

/// A generator of element ids.
@_spi(Internals)
public struct StackElementIDGenerator: DependencyKey, Sendable {
  /// Returns the next id.
  public let next: @Sendable () -> StackElementID
  /// Returns the next id without using it.
  public let peek: @Sendable () -> StackElementID

  /// A generator that starts at 0.
  public static var liveValue: Self {
    let counter = Counter()
    return Self(next: { counter.next() }, peek: { counter.peek() })
  }

  /// The generator of all tests.
  public static var testValue: Self { DependencyValues.live(Self.self) }

  private final class Counter: Sendable {
    private let number = Mutex(0)
    func next() -> StackElementID {
      number.withLock { number in
        defer { number += 1 }
        return StackElementID(generation: number)
      }
    }
    func peek() -> StackElementID { number.withLock { StackElementID(generation: $0) } }
  }
}

extension DependencyValues {
  /// The generator of element ids.
  @_spi(Internals) public var stackElementID: StackElementIDGenerator {
    get { self[StackElementIDGenerator.self] }
    set { self[StackElementIDGenerator.self] = newValue }
  }
}

/// A stack of feature states.
public struct StackState<Element> {
  private var keys: [StackElementID] = []
  private var values: [StackElementID: Element] = [:]
  /// The elements that the reducer has already handled.
  ///
  /// They are ignored by comparisons.
  var mounted: [StackElementID] = []

  /// Creates an empty stack.
  public init() {}

  /// Creates a stack of elements.
  public init(_ elements: some Sequence<Element>) { for element in elements { append(element) } }

  /// The ids from the bottom to the top.
  public var ids: [StackElementID] { keys }

  /// The element with an id.
  public subscript(id id: StackElementID) -> Element? {
    get { values[id] }
    set {
      if values[id] == nil, newValue != nil { keys.append(id) }
      if newValue == nil { keys.removeAll { $0 == id } }
      values[id] = newValue
    }
  }

  /// Pushes an element.
  public mutating func append(_ element: Element) {
    let id = DependencyValues._current.stackElementID.next()
    self[id: id] = element
  }

  /// Pops the top element.
  public mutating func removeLast() {
    values[keys.removeLast()] = nil
  }

  /// Removes all elements.
  public mutating func removeAll() {
    keys = []
    values = [:]
  }

  /// Removes an element and all elements above it.
  public mutating func pop(from id: StackElementID) {
    guard let index = keys.firstIndex(of: id) else { return }
    for id in keys[index...] { values[id] = nil }
    keys.removeSubrange(index...)
  }
}

extension StackState: RandomAccessCollection {
  /// The first position.
  public var startIndex: Int { 0 }
  /// The position after the last.
  public var endIndex: Int { keys.count }
  /// The element at a position.
  public subscript(position: Int) -> Element {
    guard let element = values[keys[position]] else { fatalError("A key has no element.") }
    return element
  }
}

extension StackState: Sendable where Element: Sendable {}
extension StackState: Equatable where Element: Equatable {
  /// Compares ids and elements.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.keys == rhs.keys && lhs.values == rhs.values
  }
}

/// An action of a stack.
public enum StackAction<State, Action>: CasePathable {
  /// An action of an element.
  indirect case element(id: StackElementID, action: Action)
  /// Removes an element and all elements above it.
  case popFrom(id: StackElementID)
  /// Pushes an element from a view.
  case push(id: StackElementID, state: State)

  /// The case paths of the enum.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }

  /// The case paths of the enum.
  public struct AllCasePaths: Sendable {
    /// The case of an element's actions.
    public var element: AnyCasePath<StackAction, (id: StackElementID, action: Action)> {
      AnyCasePath(
        embed: { .element(id: $0.id, action: $0.action) },
        extract: { if case .element(let id, let action) = $0 { (id, action) } else { nil } }
      )
    }
    /// The case of the actions of one element.
    public subscript(id id: StackElementID) -> AnyCasePath<StackAction, Action> {
      AnyCasePath(
        embed: { .element(id: id, action: $0) },
        extract: { if case .element(id, let action) = $0 { action } else { nil } }
      )
    }
    /// The case of removed elements.
    public var popFrom: AnyCasePath<StackAction, StackElementID> {
      AnyCasePath(
        embed: { .popFrom(id: $0) },
        extract: { if case .popFrom(let id) = $0 { id } else { nil } }
      )
    }
    /// The case of a pushed element.
    public var push: AnyCasePath<StackAction, (id: StackElementID, state: State)> {
      AnyCasePath(
        embed: { .push(id: $0.id, state: $0.state) },
        extract: { if case .push(let id, let state) = $0 { (id, state) } else { nil } }
      )
    }
  }
}

extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Sendable where State: Sendable, Action: Sendable {}

/// The actions of a stack of a feature.
public typealias StackActionOf<R: Reducer> = StackAction<R.State, R.Action>

extension Reducer {
  /// Runs a reducer on the elements of a stack.
  public func forEach<ElementState, ElementAction, Child: Reducer<ElementState, ElementAction>>(
    _ stack: WritableKeyPath<State, StackState<ElementState>>,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> destination child: () -> Child
  ) -> some Reducer<State, Action> {
    _Stack(base: self, place: stack, action: AnyCasePath(action), child: child())
  }

  /// Runs the features of an enum on the elements of a stack.
  public func forEach<ElementState: CaseReducerState, ElementAction>(
    _ stack: WritableKeyPath<State, StackState<ElementState>>,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>
  ) -> some Reducer<State, Action> where ElementState.StateReducer.Action == ElementAction {
    forEach(stack, action: action) { ElementState.StateReducer.body }
  }
}

private struct _Stack<Base: Reducer, Child: Reducer>: Reducer {
  let base: Base
  let place: WritableKeyPath<Base.State, StackState<Child.State>>
  let action: AnyCasePath<Base.Action, StackAction<Child.State, Child.Action>>
  let child: Child

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let path = DependencyValues._current.navigationPath
    let before = state[keyPath: place].ids
    var effects = Effect<Base.Action>.none
    let embed = self.action
    switch self.action.extract(from: action) {
    case .element(let id, let childAction)?:
      if var element = state[keyPath: place][id: id] {
        let step = step(id)
        let own = ChildFeature.reduce(step, path) {
          child._reduce(into: &element, action: childAction)
        }
        state[keyPath: place][id: id] = element
        effects = ChildFeature.effects(
          own.map { embed.embed(.element(id: id, action: $0)) },
          of: step,
          path
        )
      }
      effects = effects.merge(with: base._reduce(into: &state, action: action))
    case .popFrom(let id)?:
      effects = base._reduce(into: &state, action: action)
      state[keyPath: place].pop(from: id)
    case .push(let id, let element)?:
      let generator = DependencyValues._current.stackElementID
      while generator.peek().generation <= id.generation { _ = generator.next() }
      state[keyPath: place][id: id] = element
      effects = base._reduce(into: &state, action: action)
    default: effects = base._reduce(into: &state, action: action)
    }
    let ids = state[keyPath: place].ids
    let mounted = state[keyPath: place].mounted
    for id in Set(before).union(mounted).subtracting(ids) {
      effects = effects.merge(with: ChildFeature.end(step(id), path))
    }
    for id in ids where !mounted.contains(id) {
      effects = effects.merge(
        with: ChildFeature.begin(step(id), path, dismissal: embed.embed(.popFrom(id: id)))
      )
    }
    if mounted != ids { state[keyPath: place].mounted = ids }
    return effects
  }

  private func step(_ id: StackElementID) -> NavigationStep {
    NavigationStep(place: place, id: AnyHashable(id))
  }
}
