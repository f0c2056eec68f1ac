import SampleFeatures
import TCACore
import Testing

/// The step that asks for a name, an address and a password.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct AccountStepTests {
  private let clock = TestClock()

  private func store(
    draft: SignUpDraft = SignUpDraft(),
    availability: @escaping @Sendable (String) async throws -> NameAvailability = { _ in .available
    }
  ) -> TestStoreOf<AccountStep> {
    TestStore(initialState: AccountStep.State(draft: Shared(value: draft))) {
      AccountStep()
    } withDependencies: {
      $0.continuousClock = clock
      $0.signUp.availability = availability
    }
  }

  /// A draft that fulfills the requirements of the step.
  private var filled: SignUpDraft {
    SignUpDraft(name: "grace", email: "grace@example.com", password: "nanosecond")
  }

  @Test func `a name is checked 300 milliseconds after the last change`() async {
    let store = store { name in
      #expect(name == "grace")
      return .available
    }
    await store.send(.nameChanged("Grace")) {
      $0.$draft.withLock { $0.name = "grace" }
      $0.availability = .checking
    }
    await clock.advance(by: .milliseconds(299))
    await clock.advance(by: .milliseconds(1))
    await store.receive(\.availabilityResponse.success, .available) {
      $0.availability = .available
    }
  }

  @Test func `only the last of several quickly typed names is checked`() async {
    let asked = LockIsolated<[String]>([])
    let store = store { name in
      asked.withValue { $0.append(name) }
      return .available
    }
    await store.send(.nameChanged("gra")) {
      $0.$draft.withLock { $0.name = "gra" }
      $0.availability = .checking
    }
    await clock.advance(by: .milliseconds(200))
    await store.send(.nameChanged("grac")) { $0.$draft.withLock { $0.name = "grac" } }
    await clock.advance(by: .milliseconds(200))
    await store.send(.nameChanged("grace")) { $0.$draft.withLock { $0.name = "grace" } }
    await clock.advance(by: .milliseconds(300))
    await store.receive(\.availabilityResponse.success, .available) {
      $0.availability = .available
    }
    #expect(asked.value == ["grace"])
  }

  @Test func `changing the name discards a late answer for the old one`() async {
    let store = store { name in
      if name == "grace" { try await clock.sleep(for: .seconds(5)) }
      return name == "grace" ? .taken(suggestions: []) : .available
    }
    await store.send(.nameChanged("grace")) {
      $0.$draft.withLock { $0.name = "grace" }
      $0.availability = .checking
    }
    await clock.advance(by: .seconds(1))
    await store.send(.nameChanged("hopper")) { $0.$draft.withLock { $0.name = "hopper" } }
    await clock.advance(by: .seconds(9))
    await store.receive(\.availabilityResponse.success, .available) {
      $0.availability = .available
    }
  }

  @Test func `a name of two letters is not checked`() async {
    let store = store()
    await store.send(.nameChanged("gra")) {
      $0.$draft.withLock { $0.name = "gra" }
      $0.availability = .checking
    }
    await store.send(.nameChanged("gr")) {
      $0.$draft.withLock { $0.name = "gr" }
      $0.availability = .unknown
    }
  }

  @Test func `the same name in capitals is not checked again`() async {
    let store = store(draft: filled)
    await store.send(.nameChanged("GRACE"))
  }

  @Test func `a taken name shows suggestions, and a tapped suggestion is checked`() async {
    let store = store { $0 == "ada" ? .taken(suggestions: ["ada1", "ada-2"]) : .available }
    await store.send(.nameChanged("ada")) {
      $0.$draft.withLock { $0.name = "ada" }
      $0.availability = .checking
    }
    await clock.advance(by: .milliseconds(300))
    await store.receive(\.availabilityResponse.success) {
      $0.availability = .taken(suggestions: ["ada1", "ada-2"])
    }
    await store.send(.suggestionTapped("ada-2")) {
      $0.$draft.withLock { $0.name = "ada-2" }
      $0.availability = .checking
    }
    await clock.advance(by: .milliseconds(300))
    await store.receive(\.availabilityResponse.success, .available) {
      $0.availability = .available
    }
  }

  @Test func `the account step completes if its name cannot be checked`() async {
    let store = store(draft: filled) { _ in throw SignUpError.offline }
    await store.send(.nameChanged("hopper")) {
      $0.$draft.withLock { $0.name = "hopper" }
      $0.availability = .checking
    }
    await clock.advance(by: .milliseconds(300))
    await store.receive(\.availabilityResponse.failure) { $0.availability = .failed }
    await store.send(.nextButtonTapped) { $0.focus = nil }
    await store.receive(\.delegate.completed)
  }

  @Test func `the account step marks all missing fields`() async {
    let store = store()
    await store.send(.nextButtonTapped) {
      $0.problems = [.nameTooShort, .emailInvalid, .passwordTooShort]
    }
  }

  @Test func `a corrected field is no longer marked`() async {
    let store = store()
    await store.send(.nextButtonTapped) {
      $0.problems = [.nameTooShort, .emailInvalid, .passwordTooShort]
    }
    await store.send(.emailChanged("grace@example.com")) {
      $0.$draft.withLock { $0.email = "grace@example.com" }
      $0.problems = [.nameTooShort, .passwordTooShort]
    }
    // A password that has not been repeated yet is a new problem, but is not marked.
    await store.send(\.binding.password, "nanosecond") {
      $0.password = "nanosecond"
      $0.problems = [.nameTooShort]
    }
  }

  @Test(
    arguments: [
      ("", "grace@example.com", "nanosecond", AccountStep.Field.name),
      ("grace", "", "nanosecond", .email),
      ("grace", "grace@example.com", "nano", .password),
    ]
  )
  func `the account step focuses the first field with a problem`(
    name: String,
    email: String,
    password: String,
    field: AccountStep.Field
  ) async {
    let store = store(draft: SignUpDraft(name: name, email: email, password: password))
    await store.send(\.binding.focus, nil) { $0.focus = nil }
    await store.send(.nextButtonTapped) {
      $0.focus = field
      switch field {
      case .email: $0.problems = [.emailInvalid]
      case .name: $0.problems = [.nameTooShort]
      case .password, .repeatedPassword: $0.problems = [.passwordTooShort]
      }
    }
  }

  @Test func `the account step requires the password to be repeated`() async {
    let store = store(draft: filled)
    await store.send(\.binding.repeatedPassword, "nanoseconds") {
      $0.repeatedPassword = "nanoseconds"
    }
    await store.send(.nextButtonTapped) {
      $0.problems = [.passwordsDiffer]
      $0.focus = .repeatedPassword
    }
    await store.send(\.binding.repeatedPassword, "nanosecond") {
      $0.repeatedPassword = "nanosecond"
      $0.problems = []
    }
  }

  @Test func `the account step does not complete if the name is taken`() async {
    let store = store(draft: filled) { _ in .taken(suggestions: []) }
    await store.send(.nameChanged("ada")) {
      $0.$draft.withLock { $0.name = "ada" }
      $0.availability = .checking
    }
    await clock.advance(by: .milliseconds(300))
    await store.receive(\.availabilityResponse.success) {
      $0.availability = .taken(suggestions: [])
    }
    await store.send(.nextButtonTapped) { $0.problems = [.nameTaken] }
  }

  @Test func `the next button copies the password to the draft, but typing does not`() async {
    let draft = Shared(value: SignUpDraft(name: "grace", email: "grace@example.com"))
    let store = TestStore(initialState: AccountStep.State(draft: draft)) { AccountStep() }
    for password in ["nanosecon", "nanosecond"] {
      await store.send(\.binding.password, password) { $0.password = password }
    }
    await store.send(\.binding.repeatedPassword, "nanosecond") {
      $0.repeatedPassword = "nanosecond"
    }
    #expect(draft.wrappedValue.password.isEmpty)
    await store.send(.nextButtonTapped) {
      $0.focus = nil
      $0.$draft.withLock { $0.password = "nanosecond" }
    }
    await store.receive(\.delegate.completed)
    #expect(draft.wrappedValue.password == "nanosecond")
  }

  @Test func `an email address is stored without spaces`() async {
    let store = store()
    await store.send(.emailChanged(" grace@example.com ")) {
      $0.$draft.withLock { $0.email = "grace@example.com" }
    }
  }

  @Test func `canceling the account step dismisses it and ends the check of the name`() async {
    let store = store()
    await store.send(.nameChanged("grace")) {
      $0.$draft.withLock { $0.name = "grace" }
      $0.availability = .checking
    }
    await store.send(.cancelButtonTapped)
    await store.finish()
    #expect(store.isDismissed)
  }

  @Test func `the password can be shown and hidden`() async {
    let store = store()
    await store.send(.set(\.isPasswordVisible, true)) { $0.isPasswordVisible = true }
    await store.send(.set(\.isPasswordVisible, false)) { $0.isPasswordVisible = false }
  }
}
