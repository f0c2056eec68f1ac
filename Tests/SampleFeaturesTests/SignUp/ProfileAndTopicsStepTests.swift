import Foundation
import SampleFeatures
import TCACore
import Testing

/// The step that asks for personal data.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct ProfileStepTests {
  private func store(draft: SignUpDraft = SignUpDraft()) -> TestStoreOf<ProfileStep> {
    TestStore(initialState: ProfileStep.State(draft: Shared(value: draft))) {
      ProfileStep()
    } withDependencies: {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      $0.calendar = calendar
      // A day in 2026.
      $0.date = .constant(Date(timeIntervalSinceReferenceDate: 800_000_000))
    }
  }

  @Test func `the profile step stores the trimmed name and the year in the draft`() async {
    let store = store()
    await store.send(\.binding.fullName, " Grace Hopper ") { $0.fullName = " Grace Hopper " }
    await store.send(\.binding.birthYear, "1996") { $0.birthYear = "1996" }
    await store.send(.nextButtonTapped) {
      $0.$draft.withLock {
        $0.fullName = "Grace Hopper"
        $0.birthYear = 1996
      }
    }
    await store.receive(\.delegate.completed)
  }

  @Test(arguments: [("19x9", "199"), ("19 96", "1996"), ("199612", "1996"), ("née", "")])
  func `a birth year has at most four digits`(typed: String, kept: String) async {
    let store = store(draft: SignUpDraft(birthYear: 2))
    await store.send(\.binding.birthYear, typed) { $0.birthYear = kept }
  }

  @Test(arguments: ["1815", "3", "2027"])
  func `an impossible birth year shows an alert`(year: String) async {
    let store = store()
    await store.send(\.binding.birthYear, year) { $0.birthYear = year }
    await store.send(.nextButtonTapped) { $0.alert = .impossible(year: year) }
    await store.send(\.alert.dismiss) { $0.alert = nil }
  }

  @Test func `an impossible birth year can be left out`() async {
    let store = store(draft: SignUpDraft(fullName: "Grace", birthYear: 1815))
    await store.send(.nextButtonTapped) { $0.alert = .impossible(year: "1815") }
    await store.send(\.alert.leaveOut) {
      $0.alert = nil
      $0.birthYear = ""
      $0.$draft.withLock { $0.birthYear = nil }
    }
    await store.receive(\.delegate.completed)
  }

  @Test func `a user who is too young cannot complete the profile step`() async {
    let store = store(draft: SignUpDraft(birthYear: 2020))
    await store.send(.nextButtonTapped) { $0.alert = .tooYoung }
    await store.send(\.alert.dismiss) { $0.alert = nil }
  }

  @Test func `an empty profile step completes`() async {
    let store = store()
    await store.send(.nextButtonTapped)
    await store.receive(\.delegate.completed)
  }

  @Test func `canceling the profile step leaves the draft unchanged`() async {
    let store = store(draft: SignUpDraft(fullName: "Grace"))
    await store.send(\.binding.fullName, "Ada") { $0.fullName = "Ada" }
    await store.send(.cancelButtonTapped)
    await store.finish()
    #expect(store.isDismissed)
    #expect(store.state.draft.fullName == "Grace")
  }
}

/// The step that asks for topics.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct TopicsStepTests {
  private let topics = ["art", "gardens", "machines", "poems"].map { Topic(id: $0, title: $0) }

  private func store(
    draft: SignUpDraft = SignUpDraft(),
    isLoaded: Bool = true,
    topics load: @escaping @Sendable () async throws -> [Topic] = { [] }
  ) -> TestStoreOf<TopicsStep> {
    var state = TopicsStep.State(draft: Shared(value: draft))
    if isLoaded { state.topics = .loaded(IdentifiedArray(uniqueElements: topics)) }
    return TestStore(initialState: state) {
      TopicsStep()
    } withDependencies: {
      $0.signUp.topics = load
    }
  }

  @Test func `the topics step loads its topics once`() async {
    let store = store(isLoaded: false) { [topics] in topics }
    await store.send(.task) { $0.topics = .loading }
    await store.receive(\.topicsResponse.success, topics) {
      $0.topics = .loaded(IdentifiedArray(uniqueElements: topics))
    }
    await store.send(.task)
  }

  @Test func `loading topics can be tried again after a failure`() async {
    let isOnline = LockIsolated(false)
    let store = store(isLoaded: false) { [topics] in
      guard isOnline.value else { throw SignUpError.offline }
      return topics
    }
    await store.send(.task) { $0.topics = .loading }
    await store.receive(\.topicsResponse.failure) {
      $0.topics = .notLoaded
      $0.alert = .notLoaded
    }
    isOnline.setValue(true)
    await store.send(\.alert.tryAgain) {
      $0.alert = nil
      $0.topics = .loading
    }
    await store.receive(\.topicsResponse.success, topics) {
      $0.topics = .loaded(IdentifiedArray(uniqueElements: topics))
    }
  }

  @Test func `the topics step can be skipped if loading fails`() async {
    let store = store(draft: SignUpDraft(topics: ["art"]), isLoaded: false) {
      throw SignUpError.offline
    }
    await store.send(.task) { $0.topics = .loading }
    await store.receive(\.topicsResponse.failure) {
      $0.topics = .notLoaded
      $0.alert = .notLoaded
    }
    await store.send(\.alert.skip) {
      $0.alert = nil
      $0.$draft.withLock { $0.topics = [] }
    }
    await store.receive(\.delegate.completed)
  }

  @Test func `tapping a topic selects it, and tapping it again deselects it`() async {
    let store = store()
    await store.send(.topicTapped("art")) { $0.$draft.withLock { $0.topics = ["art"] } }
    await store.send(.topicTapped("poems")) {
      $0.$draft.withLock { $0.topics = ["art", "poems"] }
    }
    await store.send(.topicTapped("art")) { $0.$draft.withLock { $0.topics = ["poems"] } }
    await store.send(.nextButtonTapped)
    await store.receive(\.delegate.completed)
  }

  @Test func `at most three topics can be selected`() async {
    let store = store(draft: SignUpDraft(topics: ["art", "gardens", "machines"]))
    await store.send(.topicTapped("poems")) { $0.alert = .tooMany }
    await store.send(\.alert.dismiss) { $0.alert = nil }
    await store.send(.topicTapped("art")) {
      $0.$draft.withLock { $0.topics = ["gardens", "machines"] }
    }
  }

  @Test func `a topic that is not listed cannot be selected`() async {
    let store = store()
    await store.send(.topicTapped("chess"))
  }

  @Test func `the topics step without a selection asks before it completes`() async {
    let store = store()
    await store.send(.nextButtonTapped) { $0.alert = .nothingChosen }
    await store.send(\.alert.skip) { $0.alert = nil }
    await store.receive(\.delegate.completed)
  }

  @Test func `the newsletter is a shared setting`() async {
    let store = store()
    await store.send(.newsletterToggled) { $0.$wantsNewsletter.withLock { $0 = true } }
    @Shared(.wantsNewsletter) var wantsNewsletter
    #expect(wantsNewsletter)
    await store.send(.newsletterToggled) { $0.$wantsNewsletter.withLock { $0 = false } }
  }
}
