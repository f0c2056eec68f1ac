public import TCACore
import Testing

// The same feature with each access level. Generated code must have exactly the access of the feature.

@Reducer
private struct PrivateFeature {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var inner = Inner()
    @Presents var alert: AlertState<Action.Alert>?

    struct Inner: Equatable {
      var depth = Depth.deep
      enum Depth: Equatable {
        case deep
        case deeper(Int)
      }
    }
  }
  enum Action {
    case add(Int)
    case alert(PresentationAction<Alert>)
    enum Alert { case confirmed }
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .add(let number) = action { state.count += number }
      return .none
    }
    .ifLet(\.$alert, action: \.alert)
  }
}

@Reducer
private struct FileprivateFeature {
  @ObservableState
  struct State: Equatable { var count = 0 }
  enum Action { case add(Int) }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .add(let number) = action { state.count += number }
      return .none
    }
  }
}

@Reducer
struct InternalFeature {
  @ObservableState
  struct State: Equatable { var count = 0 }
  enum Action { case add(Int) }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .add(let number) = action { state.count += number }
      return .none
    }
  }
}

@Reducer
package struct PackageFeature {
  @ObservableState
  package struct State: Equatable { package var count = 0 }
  package enum Action { case add(Int) }
  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .add(let number) = action { state.count += number }
      return .none
    }
  }
}

/// A feature for everyone.
@Reducer
public struct PublicFeature {
  /// The number.
  @ObservableState
  public struct State: Equatable {
    /// The count.
    public var count = 0
  }
  /// The actions of the feature.
  public enum Action {
    /// Adds to the count.
    case add(Int)
  }
  /// The logic.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .add(let number) = action { state.count += number }
      return .none
    }
  }
}

@Reducer private struct PrivateEmpty {}
@Reducer private enum PrivateDestination {
  case feature(PrivateFeature)
  case empty(PrivateEmpty)
  case alert(AlertState<Int>)
}
@LogValue private struct PrivateValue: Equatable { var number = 1 }
@DependencyClient private struct PrivateClient { var number: @Sendable () -> Int = { 1 } }

private enum Namespace {
  fileprivate struct Inner {
    @LogValue struct Value: Equatable { var number = 1 }
  }
}

extension InternalFeature {
  @LogValue fileprivate struct Extended: Equatable { var number = 2 }
}

@MainActor
@Suite("Features of every access")
struct AccessTests {
  @Test func `the Reducer macro supports features of every access level`() {
    let hidden = Store(initialState: PrivateFeature.State()) { PrivateFeature() }
    hidden.send(.add(2))
    let file = Store(initialState: FileprivateFeature.State()) { FileprivateFeature() }
    file.send(.add(2))
    let module = Store(initialState: InternalFeature.State()) { InternalFeature() }
    module.send(.add(2))
    let package = Store(initialState: PackageFeature.State()) { PackageFeature() }
    package.send(.add(2))
    let open = Store(initialState: PublicFeature.State()) { PublicFeature() }
    open.send(.add(2))
    #expect(
      [hidden.count, file.count, module.count, package.count, open.count] == [2, 2, 2, 2, 2]
    )
  }

  @Test func `states and values of private types are written to the log and read back`() throws {
    var state = PrivateFeature.State(count: 3)
    state.inner.depth = .deeper(4)
    let text = JSON(logging: state).description
    #expect(text == #"{"count":3,"inner":{"depth":{"deeper":{"_0":4}}},"alert":null}"#)
    #expect(
      try LogDecoder(JSON(parsing: text)).value(PrivateFeature.State.self).inner == state.inner
    )
    #expect(JSON(logging: Namespace.Inner.Value()).description == #"{"number":1}"#)
    #expect(JSON(logging: InternalFeature.Extended()).description == #"{"number":2}"#)
    #expect(JSON(logging: PrivateValue()).description == #"{"number":1}"#)
  }

  @Test func `the macro's case properties work in a private enum of features`() {
    let state = PrivateDestination.State.feature(PrivateFeature.State(count: 1))
    #expect(state.feature?.count == 1)
    #expect(state.is(\.feature) && !state.is(\.alert))
    withKnownIssue { #expect(PrivateClient().number() == 1) }
  }
}
