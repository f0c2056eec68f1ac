package import Foundation
package import TCACore

/// A site that is inspected regularly.
@LogValue
package struct Site: Codable, Equatable, Identifiable, Sendable {
  package let id: UUID
  package var name = ""
  package var address = ""
  /// The checks of a visit, from top to bottom.
  package var checks: [Check] = []
  /// The visits, newest first.
  package var visits: IdentifiedArrayOf<Visit> = []

  package init(
    id: UUID,
    name: String = "",
    address: String = "",
    checks: [Check] = []
  ) {
    self.id = id
    self.name = name
    self.address = address
    self.checks = checks
  }
}

/// One check of a visit.
@LogValue
package struct Check: Codable, Equatable, Identifiable, Sendable {
  package let id: UUID
  package var title = ""

  package init(
    id: UUID,
    title: String = ""
  ) {
    self.id = id
    self.title = title
  }
}

/// The findings of one day.
@LogValue
package struct Visit: Codable, Equatable, Identifiable, Sendable {
  package let id: UUID
  package var date: Date
  package var seconds: Int
  package var weather: String?
  package var findings: [Finding]
  /// The number under which the office filed the report; `nil` until it is filed.
  package var receipt: String?

  package init(
    id: UUID,
    date: Date,
    seconds: Int,
    weather: String? = nil,
    findings: [Finding] = []
  ) {
    self.id = id
    self.date = date
    self.seconds = seconds
    self.weather = weather
    self.findings = findings
  }
}

/// The finding of one check.
@LogValue
package struct Finding: Codable, Equatable, Sendable {
  package var title: String
  package var grade: Grade?
  package var note: String

  package init(
    title: String,
    grade: Grade? = nil,
    note: String = ""
  ) {
    self.title = title
    self.grade = grade
    self.note = note
  }
}

/// The grade of a check.
@LogValue
package enum Grade: String, CaseIterable, Codable, Sendable {
  case good, fair, poor
}

extension SharedKey where Self == FileStorageKey<IdentifiedArrayOf<Site>>.Default {
  /// All sites, stored in a file.
  package static var sites: Self {
    Self[.fileStorage(.documents.appending(component: "sites.json")), default: []]
  }
}

extension URL {
  /// The user's documents folder, or the temporary folder on systems without one, such as servers.
  fileprivate static var documents: URL {
    FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
      ?? FileManager.default.temporaryDirectory
  }
}

/// The order of the sites in the list.
@CasePathable
package enum SiteOrder: String, CaseIterable, Sendable {
  case added, name, lastVisit
}

extension SharedKey where Self == AppStorageKey<SiteOrder>.Default {
  /// The setting for the order of the sites.
  package static var siteOrder: Self {
    Self[.appStorage("siteOrder"), default: .added]
  }
}
