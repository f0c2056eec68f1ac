package import Foundation
package import TCACore

/// A place that is inspected now and then.
@LogValue
package struct Site: Codable, Equatable, Identifiable, Sendable {
  package let id: UUID
  package var name = ""
  package var address = ""
  /// What is looked at during a visit, from top to bottom.
  package var checks: [Check] = []
  /// The visits, the last one first.
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

/// One thing that is looked at.
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

/// What was found on one day.
@LogValue
package struct Visit: Codable, Equatable, Identifiable, Sendable {
  package let id: UUID
  package var date: Date
  package var seconds: Int
  package var weather: String?
  package var findings: [Finding]
  /// Under which number the office has it, once it was sent there.
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

/// What was found of one check.
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

/// How well something does.
@LogValue
package enum Grade: String, CaseIterable, Codable, Sendable {
  case good, fair, poor
}

extension SharedKey where Self == FileStorageKey<IdentifiedArrayOf<Site>>.Default {
  /// All sites, in a file.
  package static var sites: Self {
    Self[.fileStorage(.documents.appending(component: "sites.json")), default: []]
  }
}

extension URL {
  /// Where the user's documents are; where there are none, as on servers, the folder for passing files.
  fileprivate static var documents: URL {
    FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
      ?? FileManager.default.temporaryDirectory
  }
}

/// In which order sites are listed.
@CasePathable
package enum SiteOrder: String, CaseIterable, Sendable {
  case added, name, lastVisit
}

extension SharedKey where Self == AppStorageKey<SiteOrder>.Default {
  /// In which order sites are listed, a setting.
  package static var siteOrder: Self {
    Self[.appStorage("siteOrder"), default: .added]
  }
}
