package import TCACore

/// Whether a name can still be had.
@CasePathable
package enum NameAvailability: Equatable, Sendable {
  case available
  /// Another member has it; these are free.
  case taken(suggestions: [String])
}

/// Why the library did not take a new member.
@LogValue
package enum SignUpError: Error, Equatable {
  case busy(retryAfter: Int)
  case emailInUse
  case nameTaken
  case offline
}

/// The library that takes members.
@DependencyClient
package struct SignUpClient: Sendable {
  package var availability: @Sendable (_ name: String) async throws -> NameAvailability
  package var topics: @Sendable () async throws -> [Topic]
  package var submit: @Sendable (_ draft: SignUpDraft) async throws -> Member
}

extension SignUpClient: DependencyKey {
  package static let testValue = SignUpClient()

  /// A library that is part of the code: Ada is a member already, and it is closed to years that are yet to come.
  package static let liveValue = SignUpClient(
    availability: { name in
      try await answer()
      guard name != "offline" else { throw SignUpError.offline }
      return name == "ada" ? .taken(suggestions: ["ada1", "ada-2"]) : .available
    },
    topics: {
      try await answer()
      return ["Art", "Gardens", "Machines", "Poems"].map { Topic(id: $0.lowercased(), title: $0) }
    },
    submit: { draft in
      try await answer()
      switch draft.email {
      case "ada@example.com": throw SignUpError.emailInUse
      case "busy@example.com": throw SignUpError.busy(retryAfter: 1)
      case "offline@example.com": throw SignUpError.offline
      default: return Member(number: 1843, name: draft.name)
      }
    }
  )

  private static func answer() async throws {
    @Dependency(\.continuousClock) var clock
    try await clock.sleep(for: .milliseconds(20))
  }
}

extension DependencyValues {
  /// The library that takes members.
  package var signUp: SignUpClient {
    get { self[SignUpClient.self] }
    set { self[SignUpClient.self] = newValue }
  }
}
