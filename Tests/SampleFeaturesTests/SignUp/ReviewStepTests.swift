import SampleFeatures
import TCACore
import Testing

/// The last step: a review of all data, changes in sheets, and the submission.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct ReviewStepTests {
  private let clock = TestClock()
  private let grace = Member(number: 7, name: "grace")
  private let draft = SignUpDraft(
    name: "grace",
    email: "grace@example.com",
    password: "nanosecond",
    topics: ["machines"]
  )

  private func store(
    acceptsTerms: Bool = true,
    submit: @escaping @Sendable (SignUpDraft) async throws -> Member = { _ in
      throw SignUpError.offline
    }
  ) -> TestStoreOf<ReviewStep> {
    var state = ReviewStep.State(draft: Shared(value: draft))
    state.acceptsTerms = acceptsTerms
    return TestStore(initialState: state) {
      ReviewStep()
    } withDependencies: {
      $0.continuousClock = clock
      $0.signUp.submit = submit
    }
  }

  @Test func `the review step submits only after the terms are accepted`() async {
    let store = store(acceptsTerms: false) { [grace] _ in grace }
    await store.send(.submitButtonTapped)
    await store.send(\.binding.acceptsTerms, true) { $0.acceptsTerms = true }
    await store.send(.submitButtonTapped) { $0.submission = .inFlight(attempt: 1) }
    await store.receive(\.submitResponse.success, grace) { $0.submission = .idle }
    await store.receive(\.delegate.joined, grace)
  }

  @Test func `the review step submits the complete draft`() async {
    let store = store { [draft, grace] submitted in
      #expect(submitted == draft)
      return grace
    }
    await store.send(.submitButtonTapped) { $0.submission = .inFlight(attempt: 1) }
    await store.receive(\.submitResponse.success) { $0.submission = .idle }
    await store.receive(\.delegate.joined)
  }

  @Test func `a second tap during a submission submits nothing`() async {
    let store = store { _ in try await Task.never() }
    await store.send(.submitButtonTapped) { $0.submission = .inFlight(attempt: 1) }
    await store.send(.submitButtonTapped)
    await store.send(.editButtonTapped(.account))
    await store.send(.stopButtonTapped) { $0.submission = .idle }
  }

  @Test
  func `a submission that fails without a connection shows an alert that offers to try again`()
    async
  {
    let isOnline = LockIsolated(false)
    let store = store { [grace] _ in
      guard isOnline.value else { throw SignUpError.offline }
      return grace
    }
    await store.send(.submitButtonTapped) { $0.submission = .inFlight(attempt: 1) }
    await store.receive(\.submitResponse.failure) {
      $0.submission = .idle
      $0.destination = .alert(.offline)
    }
    isOnline.setValue(true)
    await store.send(\.destination.alert.tryAgain) {
      $0.destination = nil
      $0.submission = .inFlight(attempt: 1)
    }
    await store.receive(\.submitResponse.success) { $0.submission = .idle }
    await store.receive(\.delegate.joined)
  }

  @Test func `if the library is busy, the submission is repeated after the time that it specifies`()
    async
  {
    let attempts = LockIsolated(0)
    let store = store { [grace] _ in
      attempts.withValue { $0 += 1 }
      if attempts.value == 1 { throw SignUpError.busy(retryAfter: 2) }
      return grace
    }
    await store.send(.submitButtonTapped) { $0.submission = .inFlight(attempt: 1) }
    await store.receive(\.submitResponse.failure) {
      $0.submission = .waiting(attempt: 1, seconds: 2)
    }
    await clock.advance(by: .seconds(1))
    await store.receive(\.waitTicked) { $0.submission = .waiting(attempt: 1, seconds: 1) }
    await clock.advance(by: .seconds(1))
    await store.receive(\.waitTicked) { $0.submission = .waiting(attempt: 1, seconds: 0) }
    await store.receive(\.retryDue) { $0.submission = .inFlight(attempt: 2) }
    await store.receive(\.submitResponse.success) { $0.submission = .idle }
    await store.receive(\.delegate.joined, grace)
    #expect(attempts.value == 2)
  }

  @Test func `a submission ends after three attempts`() async {
    let store = store { _ in throw SignUpError.busy(retryAfter: 1) }
    await store.send(.submitButtonTapped) { $0.submission = .inFlight(attempt: 1) }
    for attempt in 1...2 {
      await store.receive(\.submitResponse.failure) {
        $0.submission = .waiting(attempt: attempt, seconds: 1)
      }
      await clock.advance(by: .seconds(1))
      await store.receive(\.waitTicked) {
        $0.submission = .waiting(attempt: attempt, seconds: 0)
      }
      await store.receive(\.retryDue) { $0.submission = .inFlight(attempt: attempt + 1) }
    }
    await store.receive(\.submitResponse.failure) {
      $0.submission = .idle
      $0.destination = .alert(.offline)
    }
  }

  @Test func `stopping the wait for a busy library cancels the submission`() async {
    let store = store { _ in throw SignUpError.busy(retryAfter: 5) }
    await store.send(.submitButtonTapped) { $0.submission = .inFlight(attempt: 1) }
    await store.receive(\.submitResponse.failure) {
      $0.submission = .waiting(attempt: 1, seconds: 5)
    }
    await clock.advance(by: .seconds(1))
    await store.receive(\.waitTicked) { $0.submission = .waiting(attempt: 1, seconds: 4) }
    // The wait and the following effects are canceled together.
    await store.send(.stopButtonTapped) { $0.submission = .idle }
    await clock.advance(by: .seconds(9))
  }

  @Test(arguments: [(SignUpError.emailInUse, "address"), (.nameTaken, "name")])
  func `a refused name or address can be changed in a sheet`(error: SignUpError, part: String) async
  {
    let store = store { _ in throw error }
    await store.send(.submitButtonTapped) { $0.submission = .inFlight(attempt: 1) }
    await store.receive(\.submitResponse.failure) {
      $0.submission = .idle
      $0.destination = .alert(.refused(part))
    }
    await store.send(\.destination.alert.editAccount) { [draft] in
      $0.destination = .account(AccountStep.State(draft: Shared(value: draft)))
    }
  }

  @Test func `a complete change in the account sheet is copied to the draft`() async {
    let store = store()
    await store.send(.editButtonTapped(.account)) { [draft] in
      $0.destination = .account(AccountStep.State(draft: Shared(value: draft)))
    }
    await store.send(\.destination.account.emailChanged, "hopper@example.com") {
      $0.destination?.modify(\.account) {
        $0.$draft.withLock { $0.email = "hopper@example.com" }
      }
    }
    #expect(store.state.draft.email == "grace@example.com")
    await store.send(\.destination.account.nextButtonTapped) {
      $0.destination?.modify(\.account) { $0.focus = nil }
      // The parent has already answered. Tests see the last state of shared values.
      $0.$draft.withLock { $0.email = "hopper@example.com" }
    }
    await store.receive(\.destination.account.delegate.completed) { $0.destination = nil }
  }

  @Test func `canceling the account sheet leaves the draft unchanged`() async {
    let store = store()
    await store.send(.editButtonTapped(.account)) { [draft] in
      $0.destination = .account(AccountStep.State(draft: Shared(value: draft)))
    }
    await store.send(\.destination.account.nameChanged, "hopper") {
      $0.destination?.modify(\.account) {
        $0.$draft.withLock { $0.name = "hopper" }
        $0.availability = .checking
      }
    }
    await store.send(\.destination.account.cancelButtonTapped)
    // The check of the name ends with the sheet.
    await store.receive(\.destination.dismiss) { $0.destination = nil }
    #expect(store.state.draft.name == "grace")
  }

  @Test func `a change in the profile sheet is copied to the draft`() async {
    let store = store()
    await store.send(.editButtonTapped(.profile)) { [draft] in
      $0.destination = .profile(ProfileStep.State(draft: Shared(value: draft)))
    }
    await store.send(\.destination.profile.binding.fullName, "Grace Hopper") {
      $0.destination?.modify(\.profile) { $0.fullName = "Grace Hopper" }
    }
    await store.send(\.destination.profile.nextButtonTapped) {
      $0.destination?.modify(\.profile) {
        $0.$draft.withLock { $0.fullName = "Grace Hopper" }
      }
      $0.$draft.withLock { $0.fullName = "Grace Hopper" }
    }
    await store.receive(\.destination.profile.delegate.completed) { $0.destination = nil }
  }

  @Test func `the topics sheet changes the draft directly`() async {
    let store = store()
    await store.withDependencies {
      $0.signUp.topics = { [Topic(id: "art", title: "Art")] }
    } operation: {
      await store.send(.editButtonTapped(.topics)) {
        $0.destination = .topics(TopicsStep.State(draft: $0.$draft))
      }
      await store.send(\.destination.topics.task) {
        $0.destination?.modify(\.topics) { $0.topics = .loading }
      }
      await store.receive(\.destination.topics.topicsResponse.success) {
        $0.destination?.modify(\.topics) { $0.topics = .loaded([Topic(id: "art", title: "Art")]) }
      }
    }
    await store.send(\.destination.topics.topicTapped, "art") {
      $0.$draft.withLock { $0.topics = ["machines", "art"] }
    }
    #expect(store.state.destination?.topics?.draft.topics == ["machines", "art"])
    await store.send(\.destination.dismiss) { $0.destination = nil }
  }
}
