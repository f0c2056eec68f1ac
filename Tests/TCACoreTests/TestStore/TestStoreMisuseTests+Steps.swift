import TCACore

extension TestStoreMisuseTests {
  /// Steps that differ from the test's expectations.
  nonisolated static let ofSteps: [Misuse] = [
    Misuse(
      name: "a wrong change",
      run: { await $0.send(.add(1)) { $0.count = 2 } },
      messages: [
        """
        A state change does not match expectation: …

              Lab.State(
            −   count: 2,
            +   count: 1,
                notes: [],
                isOn: false
              )

        (Expected: −, Actual: +)
        """
      ]
    ),
    Misuse(
      name: "a wrong change in a nonexhaustive test",
      exhaustivity: .off,
      run: { await $0.send(.add(1)) { $0.notes = ["a"] } },
      messages: [
        """
        A state change does not match expectation: …

              Lab.State(
                count: 1,
            −   notes: [
            −     [0]: "a"
            −   ],
            +   notes: [],
                isOn: false
              )

        (Expected: −, Actual: +)
        """
      ]
    ),
    Misuse(
      name: "a change and no closure",
      run: { await $0.send(.note("a")) },
      messages: [
        """
        State was not expected to change, but a change occurred: …

              Lab.State(
                count: 0,
            −   notes: [],
            +   notes: [
            +     [0]: "a"
            +   ],
                isOn: false
              )

        (Expected: −, Actual: +)
        """
      ]
    ),
    Misuse(
      name: "a closure and no change",
      run: { await $0.send(.nothing) { $0.count = 0 } },
      messages: [
        """
        Expected state to change, but no change occurred.

        The closure of the assertion leaves the state as it was. If no change is expected, omit \
        it.
        """
      ]
    ),
    Misuse(
      name: "a closure that throws",
      run: { await $0.send(.add(1)) { _ in throw Failure() } },
      messages: [
        """
        Threw error: Failure()
        """
      ]
    ),
    Misuse(
      name: "a closure that throws in a nonexhaustive test",
      exhaustivity: .off(showSkippedAssertions: true),
      run: { await $0.send(.add(1)) { _ in throw Failure() } },
      messages: [
        """
        Threw error: Failure()
        """
      ]
    ),
    Misuse(
      name: "a wrong state asserted without a step",
      run: { $0.assert { $0.count = 1 } },
      messages: [
        """
        A state change does not match expectation: …

              Lab.State(
            −   count: 1,
            +   count: 0,
                notes: [],
                isOn: false
              )

        (Expected: −, Actual: +)
        """
      ]
    ),
    Misuse(
      name: "a wrong change of a received action",
      run: {
        await $0.send(.send([.add(1)]))
        await $0.receive(\.add) { $0.count = 2 }
      },
      messages: [
        """
        A state change does not match expectation: …

              Lab.State(
            −   count: 2,
            +   count: 1,
                notes: [],
                isOn: false
              )

        (Expected: −, Actual: +)
        """
      ]
    ),
    Misuse(
      name: "an action sent before one was received",
      run: {
        await $0.send(.send([.add(1)]))
        await $0.send(.nothing) { $0.count = 1 }
      },
      messages: [
        """
        Must handle 1 received action before sending an action.

        Assert them with "receive", or leave them out with "skipReceivedActions". Unhandled \
        actions: …

            Lab.Action.add(1)
        """
      ]
    ),
    Misuse(
      name: "an action sent before several were received",
      run: {
        await $0.send(.send([.note("a"), .nothing]))
        await $0.send(.nothing) { $0.notes = ["a"] }
      },
      messages: [
        """
        Must handle 2 received actions before sending an action.

        Assert them with "receive", or leave them out with "skipReceivedActions". Unhandled \
        actions: …

            [
              [0]: .note("a"),
              [1]: .nothing
            ]
        """
      ]
    ),
    Misuse(
      name: "an action sent to a store that was dismissed",
      run: {
        await $0.send(.close)
        await $0.send(.add(1))
      },
      messages: [
        """
        Can't send action to dismissed test store.

        The feature has dismissed itself, and the action was not sent: …

            Lab.Action.add(1)
        """
      ]
    ),
  ]
}
