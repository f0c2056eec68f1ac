import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TCAReplay
import TestSupport

/// A sign-up whose calendar does not depend on the machine.
struct GregorianSignUp: Reducer, Sendable {
  var body: some Reducer<SignUp.State, SignUp.Action> {
    SignUp().dependency(\.calendar, .gregorian)
  }
}

extension Calendar {
  fileprivate static var gregorian: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }
}

/// A user who becomes a member, and occasionally changes their mind.
enum SignUpUser {
  static func action(_ state: JSON, _ random: inout SplitMix64) -> SignUp.Action? {
    if state[path: "dialog"] != nil {
      return .dialog(
        [.dismiss, .dismiss, .presented(.keepForLater), .presented(.discard)].pick(&random)
      )
    }
    let path = state[path: "path"]?.array ?? []
    guard let top = path.last, let number = top[path: "id"]?.int else { return .startButtonTapped }
    let id = StackElementID(number)
    switch Int.random(in: 0..<40, using: &random) {
    case 0: return .closeButtonTapped
    case 1: return .path(.popFrom(id: id))
    default: break
    }
    return top[path: "element"].flatMap { step($0, &random) }
      .map { .path(.element(id: id, action: $0)) }
  }

  private static func step(_ state: JSON, _ random: inout SplitMix64) -> SignUp.Path.Action? {
    if state[path: "account"] != nil { return .account(account(&random)) }
    if let profile = state[path: "profile", "_0"] {
      return .profile(self.profile(profile, &random))
    }
    if let topics = state[path: "topics", "_0"] { return .topics(self.topics(topics, &random)) }
    return state[path: "review", "_0"].map { .review(review($0, &random)) }
  }

  private static func account(_ random: inout SplitMix64) -> AccountStep.Action {
    [
      .nameChanged(["ada", "grace", "gr", "offline"].pick(&random)), .suggestionTapped("ada-2"),
      .emailChanged(["grace", "grace@example.com", "ada@example.com"].pick(&random)),
      .emailChanged(["busy@example.com", "offline@example.com"].pick(&random)),
      .set(\.password, "nanosecond"), .set(\.repeatedPassword, "nanosecond"),
      .set(\.repeatedPassword, "nano"), .set(\.isPasswordVisible, true), .nextButtonTapped,
      .nextButtonTapped, .nextButtonTapped,
    ].pick(&random)
  }

  private static func profile(
    _ state: JSON,
    _ random: inout SplitMix64
  ) -> ProfileStep.Action {
    if state[path: "alert"] != nil {
      return state[path: "alert", "buttons"]?.array?.isEmpty == true
        ? .alert(.dismiss) : .alert([.dismiss, .presented(.leaveOut)].pick(&random))
    }
    return [
      .set(\.fullName, " Grace "), .set(\.birthYear, ["1996", "1815", "x", ""].pick(&random)),
      .nextButtonTapped, .nextButtonTapped, .nextButtonTapped, .cancelButtonTapped,
    ].pick(&random)
  }

  private static func topics(_ state: JSON, _ random: inout SplitMix64) -> TopicsStep.Action {
    if state[path: "alert"] != nil { return .alert([.dismiss, .presented(.skip)].pick(&random)) }
    return [
      .task, .topicTapped(["art", "poems", "gardens", "machines", "chess"].pick(&random)),
      .topicTapped(["art", "poems", "gardens", "machines"].pick(&random)), .newsletterToggled,
      .nextButtonTapped, .nextButtonTapped,
    ].pick(&random)
  }

  private static func review(_ state: JSON, _ random: inout SplitMix64) -> ReviewStep.Action {
    if let destination = state[path: "destination"] {
      if destination[path: "alert"] != nil {
        return .destination([.dismiss, .presented(.alert(.editAccount))].pick(&random))
      }
      if Int.random(in: 0..<8, using: &random) == 0 { return .destination(.dismiss) }
      if destination[path: "account"] != nil {
        return .destination(.presented(.account(account(&random))))
      }
      if let profile = destination[path: "profile", "_0"] {
        return .destination(.presented(.profile(self.profile(profile, &random))))
      }
      if let topics = destination[path: "topics", "_0"] {
        return .destination(.presented(.topics(self.topics(topics, &random))))
      }
    }
    return [
      .set(\.acceptsTerms, true), .submitButtonTapped, .submitButtonTapped, .stopButtonTapped,
      .editButtonTapped(ReviewStep.DraftSection.allCases.pick(&random)),
    ].pick(&random)
  }
}
