package import TCACore

/// The office: knows the weather, and takes reports.
@DependencyClient
package struct OfficeClient: Sendable {
  /// What the weather is like somewhere.
  package var weather: @Sendable (_ address: String) async throws -> String
  /// Takes a report and says under which number it is kept.
  package var file: @Sendable (_ visit: Visit, _ site: String) async throws -> String
}

/// Why the office did not take a report.
@LogValue
package enum OfficeError: Error, Equatable {
  case offline
  /// These checks have no grade.
  case ungraded([String])
}

extension OfficeClient: TestDependencyKey {
  package static let testValue = OfficeClient()
}

extension OfficeClient: DependencyKey {
  /// An office that is part of the code: it asks nobody.
  package static let liveValue = OfficeClient(
    weather: { address in
      @Dependency(\.continuousClock) var clock
      try await clock.sleep(for: .milliseconds(20))
      if address.isEmpty { throw OfficeError.offline }
      return address.count.isMultiple(of: 2) ? "Dry" : "Rain"
    },
    file: { visit, site in
      @Dependency(\.continuousClock) var clock
      try await clock.sleep(for: .milliseconds(20))
      let ungraded = visit.findings.filter { $0.grade == nil }.map(\.title)
      guard ungraded.isEmpty else { throw OfficeError.ungraded(ungraded) }
      return "\(site.uppercased())-\(visit.findings.count)"
    }
  )
}

extension DependencyValues {
  /// The office.
  package var office: OfficeClient {
    get { self[OfficeClient.self] }
    set { self[OfficeClient.self] = newValue }
  }
}
