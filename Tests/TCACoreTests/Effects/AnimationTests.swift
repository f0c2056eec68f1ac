import TCACore
import Testing

/// Animations do not affect the actions that an effect sends.
@MainActor
@Suite struct AnimationTests {
  private enum Action: Equatable, Sendable {
    case start
    case sent(Int)
  }

  @Test func `effects with animations send the same actions as effects without`() async {
    struct Failed: Error {}
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Action> { state, action in
        guard case .sent(let number) = action else {
          return .merge(
            .send(.sent(1), animation: .default),
            .concatenate(
              .run { send in
                await send(.sent(2), animation: .easeIn(duration: 1).delay(1))
                await send(.sent(3), transaction: Transaction(animation: nil))
                throw Failed()
              } catch: { _, send in
                await send(.sent(4))
              },
              .run { await $0(.sent(5)) }
            )
            .animation()
          )
        }
        state.append(number)
        return .none
      }
    }
    let task = store.send(.start, animation: .spring)
    #expect(store.state == [1])
    await task.finish()
    #expect(store.state == [1, 2, 3, 4, 5])
  }

  @Test func `a canceled effect with an animation sends nothing`() async {
    let gate = Gate()
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Action> { state, action in
        if case .sent(let number) = action { state.append(number) }
        return action == .start
          ? .run { send in
            await gate.waitUncancellably()
            await send(.sent(1))
          }
          .animation(.linear) : .none
      }
    }
    let task = store.send(.start)
    task.cancel()
    gate.open()
    await task.finish()
    #expect(store.state == [])
  }

  #if !canImport(SwiftUI)
  @Test(arguments: [
    (Animation.spring(), "spring(duration: 0.5, bounce: 0.0)"),
    (.spring(response: 0.5, dampingFraction: 0.8), "spring(response: 0.5, dampingFraction: 0.8)"),
    (
      .interactiveSpring(response: 0.5),
      "interactiveSpring(response: 0.5, dampingFraction: 0.86)"
    ),
    (
      .interpolatingSpring(stiffness: 3_000, damping: 40),
      "interpolatingSpring(mass: 1.0, stiffness: 3000.0, damping: 40.0)"
    ),
    (.bouncy(duration: 1).speed(2), "bouncy(duration: 1.0, extraBounce: 0.0).speed(2.0)"),
    (.timingCurve(0, 1, 1, 0), "timingCurve(0.0, 1.0, 1.0, 0.0, duration: 0.35)"),
  ])
  func `the description of an animation contains its name and parameters`(
    animation: Animation,
    text: String
  ) {
    #expect(animation.description == text)
  }
  #endif
}
