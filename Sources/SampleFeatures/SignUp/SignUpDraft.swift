package import TCACore

/// What someone fills in, step by step, to become a member of the library.
@LogValue
package struct SignUpDraft: Equatable, Sendable {
  /// The name that other members see, which nobody else has.
  package var name = ""
  package var email = ""
  package var password = ""
  package var fullName = ""
  package var birthYear: Int?
  package var topics: Set<Topic.ID> = []

  package init(
    name: String = "",
    email: String = "",
    password: String = "",
    fullName: String = "",
    birthYear: Int? = nil,
    topics: Set<Topic.ID> = []
  ) {
    self.name = name
    self.email = email
    self.password = password
    self.fullName = fullName
    self.birthYear = birthYear
    self.topics = topics
  }

  /// How many topics a member can follow.
  package static let topicLimit = 3
}

/// Something that members read about.
@LogValue
package struct Topic: Equatable, Identifiable, Sendable {
  package let id: String
  package let title: String

  package init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}

/// A member of the library.
@LogValue
package struct Member: Equatable, Sendable {
  package let number: Int
  package let name: String

  package init(number: Int, name: String) {
    self.number = number
    self.name = name
  }
}

extension SharedKey where Self == AppStorageKey<Bool>.Default {
  /// Whether members get the newsletter, a setting.
  package static var wantsNewsletter: Self {
    Self[.appStorage("wantsNewsletter"), default: false]
  }
}
