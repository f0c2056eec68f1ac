import TCACore

extension TestStoreMisuseTests {
  /// The ends of tests, and skipped actions and effects.
  nonisolated static let ofEnds: [Misuse] = [
    Misuse(
      name: "effects that don't end",
      run: {
        await $0.send(.sendAfter(.seconds(1), []))
        await $0.finish()
      },
      messages: [
        """
        Expected effects to finish, but 1 is still running after 0.005 seconds: …

            App/Lab.swift:7 "waiting", started by Lab.Action.sendAfter(Duration(1.0 seconds), [])

        If an effect sleeps on a test clock, advance the clock. If it needs more time, give a \
        longer "timeout". If it never ends, cancel it.
        """
      ]
    ),
    Misuse(
      name: "effects of several actions that don't end, and one without a name",
      run: {
        await $0.send(.sendAtOnce([.sendAfter(.seconds(1), []), .wait]))
        await $0.skipReceivedActions()
        await $0.finish()
      },
      messages: [
        """
        Expected effects to finish, but 3 are still running after 0.005 seconds: …

            App/Lab.swift:7 "waiting", started by Lab.Action.sendAfter(Duration(1.0 seconds), [])
            App/Lab.swift:8, started by Lab.Action.wait
            App/Lab.swift:9 "second", started by Lab.Action.wait

        If an effect sleeps on a test clock, advance the clock. If it needs more time, give a \
        longer "timeout". If it never ends, cancel it.
        """
      ],
      shown: [
        """
        Skipped assertions: …

        2 received actions skipped: …

            [
              [0]: .sendAfter(Duration(1.0 seconds), []),
              [1]: .wait
            ]
        """
      ]
    ),
    Misuse(
      name: "actions that finish finds",
      run: {
        await $0.send(.send([.add(1), .add(2)]))
        await $0.finish()
      },
      messages: [
        """
        The store received 2 unexpected actions by the end of this test.

        Assert them with "receive", or leave them out with "skipReceivedActions". Unhandled \
        actions: …

            [
              [0]: .add(1),
              [1]: .add(2)
            ]
        """
      ]
    ),
    Misuse(
      name: "a task that does not end",
      run: { await $0.send(.sendAfter(.seconds(1), [])).finish() },
      messages: [
        """
        Expected task to finish, but it is still running after 0.005 seconds: …

            App/Lab.swift:7 "waiting", started by Lab.Action.sendAfter(Duration(1.0 seconds), [])

        If an effect sleeps on a test clock, advance the clock. If it needs more time, give a \
        longer "timeout". If it never ends, cancel it.
        """
      ]
    ),
    Misuse(
      name: "actions that are left at the end",
      ends: true,
      run: { await $0.send(.send([.add(1)])) },
      messages: [
        """
        The store received 1 unexpected action by the end of this test.

        Assert them with "receive", or leave them out with "skipReceivedActions". Unhandled \
        actions: …

            Lab.Action.add(1)
        """
      ]
    ),
    Misuse(
      name: "effects that run at the end",
      ends: true,
      run: {
        await $0.send(.send([.sendAfter(.seconds(1), [])]))
        await $0.receive(\.sendAfter)
        await $0.send(.sendAfter(.seconds(2), []))
      },
      messages: [
        """
        An effect "waiting" returned for this action is still running. It must complete before \
        the end of the test. …

            Lab.Action.sendAfter(Duration(1.0 seconds), [])

        It was started at App/Lab.swift:7.

        Receive the actions that it sends, advance the test clock that it sleeps on, cancel it \
        through the task of its "send", or leave it running on purpose with \
        "skipInFlightEffects".
        """,
        """
        An effect "waiting" returned for this action is still running. It must complete before \
        the end of the test. …

            Lab.Action.sendAfter(Duration(2.0 seconds), [])

        It was started at App/Lab.swift:7.

        Receive the actions that it sends, advance the test clock that it sleeps on, cancel it \
        through the task of its "send", or leave it running on purpose with \
        "skipInFlightEffects".
        """,
      ]
    ),
    Misuse(
      name: "effects and actions that are left at the end of a nonexhaustive test",
      exhaustivity: .off(showSkippedAssertions: true),
      ends: true,
      run: {
        await $0.send(.sendAtOnce([.sendAfter(.seconds(1), []), .add(1)]))
      },
      shown: [
        """
        Skipped assertions: …

        The store received 2 unexpected actions by the end of this test.

        Assert them with "receive", or leave them out with "skipReceivedActions". Unhandled \
        actions: …

            [
              [0]: .sendAfter(Duration(1.0 seconds), []),
              [1]: .add(1)
            ]
        """,
        """
        Skipped assertions: …

        An effect "waiting" returned for this action is still running. It must complete before \
        the end of the test. …

            Lab.Action.sendAfter(Duration(1.0 seconds), [])

        It was started at App/Lab.swift:7.

        Receive the actions that it sends, advance the test clock that it sleeps on, cancel it \
        through the task of its "send", or leave it running on purpose with \
        "skipInFlightEffects".
        """,
      ]
    ),
    Misuse(
      name: "actions that are skipped",
      run: {
        await $0.send(.send([.add(1), .nothing]))
        await $0.skipReceivedActions()
      },
      shown: [
        """
        Skipped assertions: …

        2 received actions skipped: …

            [
              [0]: .add(1),
              [1]: .nothing
            ]
        """
      ]
    ),
    Misuse(
      name: "effects that are skipped",
      run: {
        await $0.send(.sendAfter(.seconds(1), []))
        await $0.skipInFlightEffects()
      },
      shown: [
        """
        Skipped assertions: …

        1 running effect skipped: …

            App/Lab.swift:7 "waiting", started by Lab.Action.sendAfter(Duration(1.0 seconds), [])
        """
      ]
    ),
    Misuse(
      name: "assertions that are skipped",
      exhaustivity: .off(showSkippedAssertions: true),
      run: {
        await $0.send(.add(1))
        await $0.send(.send([.add(1), .nothing, .add(1)])) { $0.count = 1 }
        await $0.receive(\.nothing)
        await $0.receive(\.add) { $0.isOn = false }
      },
      shown: [
        """
        Skipped assertions: …

        State was not expected to change, but a change occurred: …

              Lab.State(
            −   count: 0,
            +   count: 1,
                notes: [],
                isOn: false
              )

        (Expected: −, Actual: +)
        """,
        """
        Skipped assertions: …

        1 received action skipped: …

            Lab.Action.add(1)
        """,
        """
        Skipped assertions: …

        A state change does not match expectation: …

              Lab.State(
            −   count: 2,
            +   count: 3,
                notes: [],
                isOn: false
              )

        (Expected: −, Actual: +)
        """,
      ]
    ),
    Misuse(
      name: "nothing that could be skipped",
      run: {
        await $0.skipReceivedActions()
        await $0.skipInFlightEffects()
      },
      messages: [
        """
        There were no received actions to skip. Remove "skipReceivedActions", or give it \
        "strict: false".
        """,
        """
        There were no running effects to skip. Remove "skipInFlightEffects", or give it \
        "strict: false".
        """,
      ]
    ),
  ]
}
