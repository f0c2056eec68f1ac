import TCACore
import Testing

/// A method of removing elements from a stack.
struct Removal: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The remaining elements of three.
  let rest: [StackElementID]
  let remove: @Sendable (inout StackState<Job.State>) -> Void

  init(
    _ description: String,
    leaving rest: [StackElementID] = [],
    _ remove: @escaping @Sendable (inout StackState<Job.State>) -> Void
  ) {
    testDescription = description
    self.rest = rest
    self.remove = remove
  }

  /// All methods of the collection, its ids and its setter.
  static let all = [
    Removal("removeAll()") { $0.removeAll() },
    Removal("removeAll(keepingCapacity:)") { $0.removeAll(keepingCapacity: true) },
    Removal("removeAll(where:)", leaving: [0, 2]) { stack in
      let second = stack[1].id
      stack.removeAll { $0.id == second }
    },
    Removal("= StackState()") { $0 = StackState() },
    Removal("= []") { $0 = [] },
    Removal("removeLast()", leaving: [0, 1]) { $0.removeLast() },
    Removal("removeLast(_:)", leaving: [0]) { $0.removeLast(2) },
    Removal("popLast()", leaving: [0, 1]) { _ = $0.popLast() },
    Removal("removeFirst()", leaving: [1, 2]) { $0.removeFirst() },
    Removal("remove(at:)", leaving: [0, 2]) { $0.remove(at: 1) },
    Removal("removeSubrange(_:)", leaving: [0]) { $0.removeSubrange(1...) },
    Removal("replaceSubrange(_:with:)", leaving: [0]) { $0.replaceSubrange(1..., with: []) },
    Removal("pop(from:)", leaving: [0]) { $0.pop(from: 1) },
    Removal("pop(to:)", leaving: [0, 1]) { $0.pop(to: 1) },
    Removal("[id:] = nil", leaving: [0, 2]) { $0[id: 1] = nil },
    Removal("optional = nil in place", leaving: [0, 2]) { stack in
      func clear(_ job: inout Job.State?) { job = nil }
      clear(&stack[id: 1])
    },
  ]
}

/// A feature with a stack.
///
/// Reducers at each position around the operator change it.
@Reducer
struct Walk {
  @ObservableState
  struct State {
    var path = StackState([Job.State(id: 0), Job.State(id: 1), Job.State(id: 2)])
    /// The elements that have sent an action.
    var arrived: [StackElementID] = []
  }

  enum Action {
    case path(StackActionOf<Job>)
    case removeBefore(Removal)
    case removeWithin(Removal)
    case removeAfter(Removal)
    case look
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .removeBefore(let removal) = action { removal.remove(&state.path) }
      return .none
    }
    Reduce { state, action in
      if case .removeWithin(let removal) = action { removal.remove(&state.path) }
      if case .path(.element(let id, .done)) = action { state.arrived.append(id) }
      return .none
    }
    .forEach(\.path, action: \.path) { Job() }
    Reduce { state, action in
      if case .removeAfter(let removal) = action { removal.remove(&state.path) }
      return .none
    }
  }
}

/// Two walks in scopes, and a feature that discards them.
@Reducer
struct Tour {
  @ObservableState
  struct State {
    var left = Walk.State()
    var right = Walk.State()
  }

  enum Action {
    case left(Walk.Action)
    case right(Walk.Action)
    case remove(Removal)
    case replaceLeft
    case replaceAll
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .remove(let removal): removal.remove(&state.left.path)
      case .replaceLeft: state.left = Walk.State()
      case .replaceAll: state = State()
      case .left, .right: break
      }
      return .none
    }
    Scope(\.left, action: \.left) { Walk() }
    Scope(\.right, action: \.right) { Walk() }
  }
}

/// A walk whose parent calls its reducer directly, next to another one.
struct HandmadeTour: Reducer {
  typealias State = Tour.State
  typealias Action = Tour.Action

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .left(let action): Walk().reduce(into: &state.left, action: action).map { .left($0) }
    case .right(let action): Walk().reduce(into: &state.right, action: action).map { .right($0) }
    case .remove, .replaceLeft, .replaceAll: .none
    }
  }
}
