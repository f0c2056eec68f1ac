import ActionLog
import TCAReplay
import TestSupport

/// Effects whose ids have the same text, or are equal despite different texts.
@Reducer
struct Loaders: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var loaded: [String] = []
    var left = LeftLoader.State()
    var right = RightLoader.State()
  }

  enum Action: Sendable {
    case load(String, under: String, milliseconds: Int, cancelInFlight: Bool)
    case loadBoth(String, String)
    case loadAfterOther(String, String)
    case stop(String)
    case stopFromEffect(String)
    case loaded(String)
    case leftSheet(SheetLoader.Action)
    case rightSheet(SheetLoader.Action)
    case left(LeftLoader.Action)
    case right(RightLoader.Action)
  }

  @Dependency(\.continuousClock) private var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .load(let name, let id, let milliseconds, let cancelInFlight):
        return load(name, under: id, milliseconds, cancelInFlight: cancelInFlight)
      case .loadBoth(let first, let second):
        return .merge(load("a", under: first, 300), load("b", under: second, 400))
      case .loadAfterOther(let first, let second):
        return .concatenate(load("c", under: first, 300), load("d", under: second, 300))
      case .stop(let id): return .cancel(id: AlikeIDs.id(id))
      case .stopFromEffect(let id):
        return .run(name: "stopper") { _ in
          try await clock.sleep(for: .milliseconds(100))
          Task.cancel(id: AlikeIDs.id(id))
        }
      case .loaded(let name):
        state.loaded.append(name)
        return .none
      // A user sees only presented features.
      case .leftSheet(let action):
        return state.left.sheet == nil ? .none : .send(.left(.sheet(.presented(action))))
      case .rightSheet(let action):
        return state.right.sheet == nil ? .none : .send(.right(.sheet(.presented(action))))
      case .left, .right: return .none
      }
    }
    Scope(state: \.left, action: \.left) { LeftLoader() }
    Scope(state: \.right, action: \.right) { RightLoader() }
  }

  private func load(
    _ name: String,
    under id: String,
    _ milliseconds: Int,
    cancelInFlight: Bool = false
  ) -> Effect<Action> {
    .run(name: "load") { send in
      try await clock.sleep(for: .milliseconds(milliseconds))
      await send(.loaded(name))
    }
    .cancellable(id: AlikeIDs.id(id), cancelInFlight: cancelInFlight)
  }
}

extension AlikeIDs {
  fileprivate static func id(_ name: String) -> any Hashable & Sendable { all[name]?() ?? name }
}

/// Presents a sheet whose path has the same text as that of `RightLoader`.
@Reducer
struct LeftLoader: Sendable {
  @ObservableState
  struct State: Equatable, Sendable { @Presents var sheet: SheetLoader.State? }
  enum Action: Sendable {
    case toggle
    case sheet(PresentationAction<SheetLoader.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .toggle = action { state.sheet = state.sheet == nil ? SheetLoader.State() : nil }
      return .none
    }
    .ifLet(\.$sheet, action: \.sheet) { SheetLoader() }
  }
}

@Reducer
struct RightLoader: Sendable {
  @ObservableState
  struct State: Equatable, Sendable { @Presents var sheet: SheetLoader.State? }
  enum Action: Sendable {
    case toggle
    case sheet(PresentationAction<SheetLoader.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .toggle = action { state.sheet = state.sheet == nil ? SheetLoader.State() : nil }
      return .none
    }
    .ifLet(\.$sheet, action: \.sheet) { SheetLoader() }
  }
}

@Reducer
struct SheetLoader: Sendable {
  @ObservableState
  struct State: Equatable, Sendable { var loaded = 0 }
  enum Action: Sendable { case load, stop, loaded }

  @Dependency(\.continuousClock) private var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .load:
        return .run(name: "sheet") { send in
          try await clock.sleep(for: .milliseconds(250))
          await send(.loaded)
        }
        .cancellable(id: AlikeIDs.load)
      case .stop: return .cancel(id: AlikeIDs.load)
      case .loaded:
        state.loaded += 1
        return .none
      }
    }
  }
}

extension Loaders.Action {
  static func random(
    _ ids: [String],
    using random: inout SplitMix64
  ) -> Loaders.Action {
    func id() -> String { ids[Int.random(in: 0..<ids.count, using: &random)] }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2, 3:
      return .load(
        "\(Int.random(in: 0..<9, using: &random))",
        under: id(),
        milliseconds: Int.random(in: 1...900, using: &random),
        cancelInFlight: Bool.random(using: &random)
      )
    case 4: return .loadBoth(id(), id())
    case 5: return .loadAfterOther(id(), id())
    case 6: return .stopFromEffect(id())
    case 7:
      let action: SheetLoader.Action = [.load, .load, .stop][Int.random(in: 0..<3, using: &random)]
      return Bool.random(using: &random) ? .leftSheet(action) : .rightSheet(action)
    case 8: return Bool.random(using: &random) ? .left(.toggle) : .right(.toggle)
    default: return .stop(id())
    }
  }
}
