import TCACore

extension TestStoreMisuseTests {
  /// Missing or unexpected actions.
  nonisolated static let ofReceiving: [Misuse] = [
    Misuse(
      name: "no action, and none can come",
      run: { await $0.receive(.add(1)) },
      messages: [
        """
        Expected to receive an action, but received none. Expected: …

            Lab.Action.add(1)

        No effect is running that could send it. Was the effect canceled, or has it ended \
        without sending?
        """
      ]
    ),
    Misuse(
      name: "no action of a case, and none can come",
      run: { await $0.receive(\.add) },
      messages: [
        """
        Expected to receive an action matching the case path, but received none.

        No effect is running that could send it. Was the effect canceled, or has it ended \
        without sending?
        """
      ]
    ),
    Misuse(
      name: "no action of a case with a value, and none can come",
      run: { await $0.receive(\.note, "a") },
      messages: [
        """
        Expected to receive an action, but received none. Expected: …

            Lab.Action.note("a")

        No effect is running that could send it. Was the effect canceled, or has it ended \
        without sending?
        """
      ]
    ),
    Misuse(
      name: "no action while an effect sleeps",
      run: {
        await $0.send(.sendAfter(.seconds(1), [.add(1)]))
        await $0.receive({ $0 == .nothing })
      },
      messages: [
        """
        Expected to receive an action matching the predicate, but received none after 0.005 \
        seconds.

        These effects are still running: …

            App/Lab.swift:7 "waiting", started by Lab.Action.sendAfter(Duration(1.0 seconds), […])

        If an effect sleeps on a test clock, advance the clock. If it needs more time, give a \
        longer "timeout". If it never ends, cancel it.
        """
      ]
    ),
    Misuse(
      name: "only other actions in a nonexhaustive test",
      exhaustivity: .off,
      run: {
        await $0.send(.send([.add(1)]))
        await $0.receive(.add(2))
      },
      messages: [
        """
        Expected to receive an action, but received only 1 other action. Expected: …

            Lab.Action.add(2)

        Received: …

            Lab.Action.add(1)

        No effect is running that could send it. Was the effect canceled, or has it ended \
        without sending?
        """
      ]
    ),
    Misuse(
      name: "another action",
      run: {
        await $0.send(.send([.add(1)]))
        await $0.receive(.add(2))
      },
      messages: [
        """
        Received unexpected action: …

            − Lab.Action.add(2)
            + Lab.Action.add(1)

        (Expected: −, Actual: +)
        """
      ]
    ),
    Misuse(
      name: "an action of another case",
      run: {
        await $0.send(.send([.add(1)]))
        await $0.receive(\.note)
      },
      messages: [
        """
        Received unexpected action: …

        Expected an action matching the case path, but received: …

            Lab.Action.add(1)
        """
      ]
    ),
    Misuse(
      name: "an action that does not fit a predicate, before one that does",
      run: {
        await $0.send(.send([.add(1), .nothing]))
        await $0.receive({ $0 == .nothing })
      },
      messages: [
        """
        Received unexpected action before this one: …

        Expected an action matching the predicate, but received: …

            Lab.Action.add(1)
        """
      ]
    ),
    Misuse(
      name: "an action with another value",
      run: {
        await $0.send(.send([.note("a")]))
        await $0.receive(\.note, "b")
      },
      messages: [
        """
        Received unexpected action: …

            − Lab.Action.note("b")
            + Lab.Action.note("a")

        (Expected: −, Actual: +)
        """
      ]
    ),
    Misuse(
      name: "an action of another case, where a value was expected too",
      run: {
        await $0.send(.send([.add(1)]))
        await $0.receive(\.note, "b")
      },
      messages: [
        """
        Received unexpected action: …

            − Lab.Action.note("b")
            + Lab.Action.add(1)

        (Expected: −, Actual: +)
        """
      ]
    ),
  ]
}
