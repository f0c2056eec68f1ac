import ReplayEngine
import SampleFeatures
import TCACore

/// The sign-up screens of the library app.
extension ReplayPicture {
  package static func signUp(_ state: SignUp.State) -> ReplayPicture {
    var screen = PhoneScreen()
    let words: String
    switch state.path.last {
    case nil: words = start(state, on: &screen)
    case .account(let step):
      screen.bar("1 of 4", leading: "Back", trailing: "Close")
      words = account(step, on: &screen)
    case .profile(let step):
      screen.bar("2 of 4", leading: "Back", trailing: "Close")
      words = profile(step, on: &screen)
    case .topics(let step):
      screen.bar("3 of 4", leading: "Back", trailing: "Close")
      words = topics(step, on: &screen)
    case .review(let step):
      screen.bar("4 of 4", leading: "Back", trailing: "Close")
      words = review(step, on: &screen)
    }
    if let dialog = state.dialog { screen.show(dialog) }
    return screen.picture("\(words).")
  }

  private static func start(_ state: SignUp.State, on screen: inout PhoneScreen) -> String {
    screen.title("Library")
    guard let member = state.member else {
      screen.large("📚", below: "Borrow books, films and music.")
      screen.button(state.draft == SignUpDraft() ? "Become a member" : "Go on")
      return "The start, without a member"
    }
    screen.large("\(member.number)", below: "Member \(member.name)")
    return "The member \(member.number)"
  }

  /// Draws the account step and returns its description.
  ///
  /// The password is drawn only where the app shows it. The description never contains it.
  private static func account(_ state: AccountStep.State, on screen: inout PhoneScreen) -> String {
    screen.title("Account")
    func shown(_ password: String) -> String {
      state.isPasswordVisible ? password : String(repeating: "•", count: min(password.count, 24))
    }
    screen.field("Name", state.draft.name, hasFocus: state.focus == .name)
    screen.field("Email", state.draft.email, hasFocus: state.focus == .email)
    screen.field("Password", shown(state.password), hasFocus: state.focus == .password)
    screen.field(
      "Repeat",
      shown(state.repeatedPassword),
      hasFocus: state.focus == .repeatedPassword
    )
    screen.toggle("Show the password", isOn: state.isPasswordVisible)
    switch state.availability {
    case .unknown: break
    case .checking: screen.caption("Looking for the name …")
    case .available: screen.caption("The name is free.")
    case .taken(let names):
      screen.caption("Taken. Free: \(names.joined(separator: ", "))", tint: .red)
    case .failed: screen.caption("The name could not be looked up.", tint: .red)
    }
    for problem in state.problems { screen.caption(words(problem), tint: .red) }
    screen.button("Next")
    return "The account step with \(state.problems.count) problems"
  }

  private static func words(_ problem: AccountStep.FieldProblem) -> String {
    switch problem {
    case .emailInvalid: "This is no address."
    case .nameTaken: "The name is taken."
    case .nameTooShort: "The name is too short."
    case .passwordTooShort: "The password is too short."
    case .passwordsDiffer: "The passwords differ."
    }
  }

  private static func profile(_ state: ProfileStep.State, on screen: inout PhoneScreen) -> String {
    screen.title("Profile")
    screen.field("Full name", state.fullName)
    screen.field("Year of birth", state.birthYear)
    screen.button("Next")
    if let alert = state.alert { screen.show(alert) }
    return "The profile step"
  }

  private static func topics(_ state: TopicsStep.State, on screen: inout PhoneScreen) -> String {
    screen.title("Topics")
    switch state.topics {
    case .notLoaded, .loading: screen.caption("Loading …")
    case .loaded(let topics):
      for topic in topics {
        screen.row(topic.title, mark: state.draft.topics.contains(topic.id) ? .chosen : .none)
      }
    }
    screen.space(8)
    screen.toggle("Newsletter", isOn: state.wantsNewsletter)
    screen.button("Next")
    if let alert = state.alert { screen.show(alert) }
    return "The topics step with \(state.draft.topics.count) topics chosen"
  }

  private static func review(_ state: ReviewStep.State, on screen: inout PhoneScreen) -> String {
    screen.title("Review")
    screen.row("Name", detail: state.draft.name)
    screen.row("Email", detail: state.draft.email)
    screen.row("Full name", detail: state.draft.fullName)
    screen.row("Topics", detail: "\(state.draft.topics.count)")
    screen.space(8)
    screen.toggle("I accept the terms", isOn: state.acceptsTerms)
    let words: String
    switch state.submission {
    case .idle:
      screen.button("Join", isEnabled: state.acceptsTerms)
      words = "The review"
    case .inFlight(let attempt):
      screen.button("Joining …", isEnabled: false)
      words = "The review, joining (attempt \(attempt))"
    case .waiting(_, let seconds):
      screen.button("Busy; again in \(seconds) s", isEnabled: false)
      words = "The review, waiting \(seconds) seconds"
    }
    switch state.destination {
    case nil: break
    case .alert(let alert): screen.show(alert)
    case .account(let step):
      screen.sheet()
      screen.bar("Edit", leading: "Cancel")
      _ = account(step, on: &screen)
    case .profile(let step):
      screen.sheet()
      screen.bar("Edit", leading: "Cancel")
      _ = profile(step, on: &screen)
    case .topics(let step):
      screen.sheet()
      screen.bar("Edit", leading: "Cancel")
      _ = topics(step, on: &screen)
    }
    return words
  }
}
