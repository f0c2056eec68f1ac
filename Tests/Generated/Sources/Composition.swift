import Foundation
import TCACore

/// A stack of several screens.
@Reducer
enum GeneratedScreens {
  case child(GeneratedChild)
  case tree(GeneratedTree)
  @ReducerCaseIgnored
  case note(String, number: Int)
}

extension GeneratedScreens.State: Equatable, Sendable {}
extension GeneratedScreens.Action: Sendable {}

extension GeneratedScreens.State {
  static func random(_ number: Int) -> GeneratedScreens.State {
    switch number.magnitudeModulo(3) {
    case 0: .child(GeneratedChild.State())
    case 1: .tree(GeneratedTree.State(id: number))
    default: .note(Make.text(number), number: number)
    }
  }
}

extension StackAction
where State == GeneratedScreens.State, Action == GeneratedScreens.Action {
  static func random(
    _ stack: StackState<GeneratedScreens.State>,
    using random: inout some RandomNumberGenerator
  ) -> StackAction<GeneratedScreens.State, GeneratedScreens.Action>? {
    guard let id = stack.ids.randomElement(using: &random), let screen = stack[id: id] else {
      return nil
    }
    if Int.random(in: 0..<6, using: &random) == 0 { return .popFrom(id: id) }
    return switch screen {
    case .child: .element(id: id, action: .child(.random(using: &random)))
    case .tree(let tree): .element(id: id, action: .tree(.random(tree, using: &random)))
    case .note: .popFrom(id: id)
    }
  }
}

/// A feature that contains itself, as rows and as a screen above it.
@Reducer
struct GeneratedTree: Sendable {
  @ObservableState
  struct State: Equatable, Identifiable, Sendable {
    let id: Int
    var depth = 0
    var grown = 0
    var branches: IdentifiedArrayOf<State> = []
  }

  indirect enum Action: Sendable {
    case grow
    case grown(by: Int = 1)
    case prune
    case branches(IdentifiedActionOf<GeneratedTree>)
  }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .grow:
        state.branches.updateOrAppend(State(id: state.branches.count, depth: state.depth + 1))
        // The order of effects that end at the same instant is not defined.
        return .run { [milliseconds = 30 + Double(state.depth) / 1_000] send in
          try await clock.sleep(for: .milliseconds(milliseconds))
          await send(.grown())
          try await clock.sleep(for: .milliseconds(milliseconds))
          await send(.grown(by: 2))
        }
        .cancellable(id: Branch.last, cancelInFlight: true)
      case .grown(let by): state.grown += by
      case .prune:
        if !state.branches.isEmpty { state.branches.removeLast() }
        return .cancel(id: Branch.last)
      case .branches: break
      }
      return .none
    }
    .forEach(\.branches, action: \.branches) { Self() }
  }

  private enum Branch: Hashable { case last }
}

extension GeneratedTree.Action {
  static func random(
    _ state: GeneratedTree.State,
    using random: inout some RandomNumberGenerator
  ) -> GeneratedTree.Action {
    if let branch = state.branches.randomElement(using: &random), Bool.random(using: &random) {
      return .branches(.element(id: branch.id, action: .random(branch, using: &random)))
    }
    return Int.random(in: 0..<4, using: &random) == 0 ? .prune : .grow
  }
}

/// A feature of any content.
@Reducer
struct GeneratedBox<Content: Equatable & Sendable>: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    var content: Content
    var history: [Content] = []
  }

  enum Action: Sendable {
    case put(Content)
    case putLater(Content)
  }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .put(let content):
        state.history.append(state.content)
        state.content = content
        return .none
      case .putLater(let content):
        return .run { send in
          try await clock.sleep(for: .milliseconds(40))
          await send(.put(content))
        }
        .cancellable(id: Later(content: 0), cancelInFlight: true)
      }
    }
  }

  private struct Later: Hashable { var content: Int }
}

/// A part of a shared value in a screen above the value.
@LogValue
struct Profile: Equatable, Sendable {
  var name = ""
  var tags: IdentifiedArrayOf<Item> = [Item(id: 1), Item(id: 2)]
}

@Reducer
struct GeneratedEditor: Sendable {
  @ObservableState
  struct State: Equatable, Sendable {
    @Shared var name: String
    @SharedReader var profile: Profile
    /// A row of the shared value.
    @Shared var tag: Item
    var renamed = 0

    init?(_ profile: Shared<Profile>) {
      guard let tag = Shared(profile.tags[id: 2]) else { return nil }
      _name = profile.name
      _profile = SharedReader(profile)
      _tag = tag
    }
  }

  enum Action: Sendable {
    case rename(Int)
    case renamed
    case done
  }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .rename(let number):
        if number == 3 { state.$tag.withLock { $0.title += "." } }
        state.$name.withLock { $0 = Make.text(number) }
        return .run { send in
          do { try await clock.sleep(for: .milliseconds(80)) } catch { await send(.rename(0)) }
          await send(.renamed)
        }
      case .renamed:
        state.renamed += state.profile.tags.count
        return .none
      case .done: return .run { _ in await dismiss() }
      }
    }
  }
}

extension GeneratedEditor.Action {
  static func random(using random: inout some RandomNumberGenerator) -> GeneratedEditor.Action {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .done
    case let number: .rename(number)
    }
  }
}

private enum LimitKey: DependencyKey {
  static let liveValue = 1
  static let testValue = 1
}

extension DependencyValues {
  /// A value that reducers around a feature change for it.
  var generatedLimit: Int {
    get { self[LimitKey.self] }
    set { self[LimitKey.self] = newValue }
  }
}

@Reducer
struct GeneratedLimited: Sendable {
  @ObservableState
  struct State: Equatable, Sendable { var sum = 0 }
  enum Action: Sendable {
    case add
    case added(Int)
  }

  @Dependency(\.generatedLimit) var limit

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add:
        state.sum += limit
        return .run { send in
          @Dependency(\.generatedLimit) var limit
          await send(.added(limit))
        }
      case .added(let number):
        state.sum += number
        return .none
      }
    }
  }
}
