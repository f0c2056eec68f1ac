import Foundation
import SampleFeatures
import TCACore
import Testing

/// The path through all steps.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct SignUpTests {
  private let clock = TestClock()
  private let topics = [Topic(id: "art", title: "Art"), Topic(id: "poems", title: "Poems")]

  private func store(
    draft: SignUpDraft = SignUpDraft(),
    _ prepare: @escaping (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<SignUp> {
    TestStore(initialState: SignUp.State(draft: draft)) {
      SignUp()
    } withDependencies: {
      $0.continuousClock = clock
      $0.calendar = Calendar(identifier: .gregorian)
      $0.date = .constant(Date(timeIntervalSinceReferenceDate: 800_000_000))
      prepare(&$0)
    }
  }

  private var filled: SignUpDraft {
    SignUpDraft(
      name: "grace",
      email: "grace@example.com",
      password: "nanosecond",
      topics: ["art"]
    )
  }

  /// Moves from a filled draft to the last step.
  private func goToReview(_ store: TestStoreOf<SignUp>) async {
    await store.send(.startButtonTapped) {
      $0.path[id: 0] = .account(AccountStep.State(draft: $0.$draft))
    }
    await store.send(\.path[id: 0].account.nextButtonTapped) {
      $0.path[id: 0]?.modify(\.account) { $0.focus = nil }
    }
    await store.receive(\.path[id: 0].account.delegate.completed) {
      $0.path[id: 1] = .profile(ProfileStep.State(draft: $0.$draft))
    }
    await store.send(\.path[id: 1].profile.nextButtonTapped)
    await store.receive(\.path[id: 1].profile.delegate.completed) {
      $0.path[id: 2] = .topics(TopicsStep.State(draft: $0.$draft))
    }
    await store.send(\.path[id: 2].topics.nextButtonTapped)
    await store.receive(\.path[id: 2].topics.delegate.completed) {
      $0.path[id: 3] = .review(ReviewStep.State(draft: $0.$draft))
    }
  }

  @Test func `the steps of the sign-up fill in one draft and create a member`() async {
    let member = Member(number: 7, name: "grace")
    let store = store { [topics] in
      $0.signUp.availability = { _ in .available }
      $0.signUp.topics = { topics }
      $0.signUp.submit = { draft in
        #expect(
          draft
            == SignUpDraft(
              name: "grace",
              email: "grace@example.com",
              password: "nanosecond",
              fullName: "Grace Hopper",
              birthYear: 1996,
              topics: ["poems"]
            )
        )
        return member
      }
    }
    await store.send(.startButtonTapped) {
      $0.path[id: 0] = .account(AccountStep.State(draft: $0.$draft))
    }
    await store.send(\.path[id: 0].account.nameChanged, "grace") {
      $0.$draft.withLock { $0.name = "grace" }
      $0.path[id: 0]?.modify(\.account) { $0.availability = .checking }
    }
    await clock.advance(by: .milliseconds(300))
    await store.receive(\.path[id: 0].account.availabilityResponse.success) {
      $0.path[id: 0]?.modify(\.account) { $0.availability = .available }
    }
    await store.send(\.path[id: 0].account.emailChanged, "grace@example.com") {
      $0.$draft.withLock { $0.email = "grace@example.com" }
    }
    await store.send(\.path[id: 0].account.binding.password, "nanosecond") {
      $0.path[id: 0]?.modify(\.account) { $0.password = "nanosecond" }
    }
    await store.send(\.path[id: 0].account.binding.repeatedPassword, "nanosecond") {
      $0.path[id: 0]?.modify(\.account) { $0.repeatedPassword = "nanosecond" }
    }
    await store.send(\.path[id: 0].account.nextButtonTapped) {
      $0.$draft.withLock { $0.password = "nanosecond" }
      $0.path[id: 0]?.modify(\.account) { $0.focus = nil }
    }
    await store.receive(\.path[id: 0].account.delegate.completed) {
      $0.path[id: 1] = .profile(ProfileStep.State(draft: $0.$draft))
    }
    await store.send(\.path[id: 1].profile.binding.fullName, "Grace Hopper") {
      $0.path[id: 1]?.modify(\.profile) { $0.fullName = "Grace Hopper" }
    }
    await store.send(\.path[id: 1].profile.binding.birthYear, "1996") {
      $0.path[id: 1]?.modify(\.profile) { $0.birthYear = "1996" }
    }
    await store.send(\.path[id: 1].profile.nextButtonTapped) {
      $0.$draft.withLock {
        $0.fullName = "Grace Hopper"
        $0.birthYear = 1996
      }
    }
    await store.receive(\.path[id: 1].profile.delegate.completed) {
      $0.path[id: 2] = .topics(TopicsStep.State(draft: $0.$draft))
    }
    await store.send(\.path[id: 2].topics.task) {
      $0.path[id: 2]?.modify(\.topics) { $0.topics = .loading }
    }
    await store.receive(\.path[id: 2].topics.topicsResponse.success) { [topics] in
      $0.path[id: 2]?.modify(\.topics) {
        $0.topics = .loaded(IdentifiedArray(uniqueElements: topics))
      }
    }
    await store.send(\.path[id: 2].topics.topicTapped, "poems") {
      $0.$draft.withLock { $0.topics = ["poems"] }
    }
    await store.send(\.path[id: 2].topics.nextButtonTapped)
    await store.receive(\.path[id: 2].topics.delegate.completed) {
      $0.path[id: 3] = .review(ReviewStep.State(draft: $0.$draft))
    }
    await store.send(\.path[id: 3].review.binding.acceptsTerms, true) {
      $0.path[id: 3]?.modify(\.review) { $0.acceptsTerms = true }
    }
    await store.send(\.path[id: 3].review.submitButtonTapped) {
      $0.path[id: 3]?.modify(\.review) { $0.submission = .inFlight(attempt: 1) }
    }
    await store.receive(\.path[id: 3].review.submitResponse.success, member) {
      $0.path[id: 3]?.modify(\.review) { $0.submission = .idle }
      $0.$draft.withLock { $0 = SignUpDraft() }
    }
    await store.receive(\.path[id: 3].review.delegate.joined, member) {
      $0.member = member
      $0.path = StackState()
    }
  }

  @Test func `going back in the sign-up keeps the draft`() async {
    let store = store(draft: filled)
    await store.send(.startButtonTapped) {
      $0.path[id: 0] = .account(AccountStep.State(draft: $0.$draft))
    }
    await store.send(\.path[id: 0].account.emailChanged, "hopper@example.com") {
      $0.$draft.withLock { $0.email = "hopper@example.com" }
    }
    await store.send(\.path[id: 0].account.cancelButtonTapped)
    await store.receive(\.path.popFrom, 0) { $0.path[id: 0] = nil }
    await store.send(.startButtonTapped) {
      $0.path[id: 1] = .account(AccountStep.State(draft: $0.$draft))
    }
    #expect(store.state.path[id: 1]?.account?.draft.email == "hopper@example.com")
  }

  @Test func `a change in an earlier step of the sign-up appears in the later steps`() async {
    let store = store(draft: filled)
    await goToReview(store)
    await store.send(\.path[id: 0].account.emailChanged, "hopper@example.com") {
      $0.$draft.withLock { $0.email = "hopper@example.com" }
    }
    #expect(store.state.path[id: 3]?.review?.draft.email == "hopper@example.com")
  }

  @Test func `leaving the account step ends the check of its name`() async {
    let store = store(draft: filled)
    await store.send(.startButtonTapped) {
      $0.path[id: 0] = .account(AccountStep.State(draft: $0.$draft))
    }
    await store.send(\.path[id: 0].account.nameChanged, "hopper") {
      $0.$draft.withLock { $0.name = "hopper" }
      $0.path[id: 0]?.modify(\.account) { $0.availability = .checking }
    }
    await store.send(\.path.popFrom, 0) { $0.path[id: 0] = nil }
    await clock.advance(by: .seconds(1))
  }

  @Test func `canceling a step of the sign-up removes it and the steps above it from the stack`()
    async
  {
    let store = store(draft: filled)
    await goToReview(store)
    await store.send(\.path[id: 1].profile.cancelButtonTapped)
    await store.receive(\.path.popFrom, 1) { $0.path.pop(from: 1) }
    #expect(Array(store.state.path.ids) == [0])
  }

  @Test func `closing the sign-up with an empty draft needs no confirmation`() async {
    let store = store()
    await store.send(.startButtonTapped) {
      $0.path[id: 0] = .account(AccountStep.State(draft: $0.$draft))
    }
    await store.send(.closeButtonTapped) { $0.path.removeAll() }
  }

  @Test func `closing the sign-up discards the draft only after a confirmation`() async {
    let store = store(draft: filled)
    await store.send(.startButtonTapped) {
      $0.path[id: 0] = .account(AccountStep.State(draft: $0.$draft))
    }
    await store.send(.closeButtonTapped) { $0.dialog = .close }
    await store.send(\.dialog.dismiss) { $0.dialog = nil }
    await store.send(.closeButtonTapped) { $0.dialog = .close }
    await store.send(\.dialog.discard) {
      $0.dialog = nil
      $0.path.removeAll()
      $0.$draft.withLock { $0 = SignUpDraft() }
    }
  }

  @Test func `a draft that is kept is restored in the next sign-up`() async {
    let store = store(draft: filled)
    await store.send(.startButtonTapped) {
      $0.path[id: 0] = .account(AccountStep.State(draft: $0.$draft))
    }
    await store.send(.closeButtonTapped) { $0.dialog = .close }
    await store.send(\.dialog.keepForLater) {
      $0.dialog = nil
      $0.path.removeAll()
    }
    await goToReviewAgain(store)
  }

  /// The ids of the stack continue from their last value.
  private func goToReviewAgain(_ store: TestStoreOf<SignUp>) async {
    await store.send(.startButtonTapped) {
      $0.path[id: 1] = .account(AccountStep.State(draft: $0.$draft))
    }
    await store.send(\.path[id: 1].account.nextButtonTapped) {
      $0.path[id: 1]?.modify(\.account) { $0.focus = nil }
    }
    await store.receive(\.path[id: 1].account.delegate.completed) {
      $0.path[id: 2] = .profile(ProfileStep.State(draft: $0.$draft))
    }
  }

  @Test func `closing the sign-up ends a submission`() async {
    let store = store(draft: filled) {
      $0.signUp.submit = { _ in try await Task.never() }
    }
    await goToReview(store)
    await store.send(\.path[id: 3].review.binding.acceptsTerms, true) {
      $0.path[id: 3]?.modify(\.review) { $0.acceptsTerms = true }
    }
    await store.send(\.path[id: 3].review.submitButtonTapped) {
      $0.path[id: 3]?.modify(\.review) { $0.submission = .inFlight(attempt: 1) }
    }
    await store.send(.closeButtonTapped) { $0.dialog = .close }
    await store.send(\.dialog.keepForLater) {
      $0.dialog = nil
      $0.path.removeAll()
    }
  }

  @Test func `canceling a sheet of the last step dismisses the sheet but not the step`() async {
    let store = store(draft: filled)
    await goToReview(store)
    await store.send(\.path[id: 3].review.editButtonTapped, .topics) {
      $0.path[id: 3]?.modify(\.review) {
        $0.destination = .topics(TopicsStep.State(draft: $0.$draft))
      }
    }
    // Only the sheet is dismissed, not the step below it.
    await store.send(\.path[id: 3].review.destination.topics.cancelButtonTapped)
    await store.receive(\.path[id: 3].review.destination.dismiss) {
      $0.path[id: 3]?.modify(\.review) { $0.destination = nil }
    }
    #expect(store.state.path.count == 4)
  }

  @Test func `the newsletter is the same setting in the step and in its sheet`() async {
    let store = store(draft: filled)
    await goToReview(store)
    await store.send(\.path[id: 3].review.editButtonTapped, .topics) {
      $0.path[id: 3]?.modify(\.review) {
        $0.destination = .topics(TopicsStep.State(draft: $0.$draft))
      }
    }
    await store.send(\.path[id: 3].review.destination.topics.newsletterToggled) {
      $0.path[id: 2]?.modify(\.topics) { $0.$wantsNewsletter.withLock { $0 = true } }
    }
    #expect(
      store.state.path[id: 3]?.review?.destination?.topics?.wantsNewsletter == true
    )
  }
}
