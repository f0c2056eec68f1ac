import ActionLog
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

/// A host that searches in the memory of the test.
package final class InProcessSearchHost: SearchHost {
  private let service: SearchService

  package init(_ features: [FeatureEntry]) {
    service = SearchService(FeatureCatalog(features), page: nil)
  }

  /// Returns a function that creates a host with these features.
  package static func maker(_ features: [FeatureEntry]) -> CommandContext.SearchHostMaker {
    { _ in InProcessSearchHost(features) }
  }

  package func search(_ request: JSON, _ report: (JSON) -> Bool) throws -> SearchEnding? {
    var isStopped = false
    let answer = withoutActuallyEscaping(report) { report in
      service.answer(request) { json in
        // A real host ends there.
        if !isStopped, !report(json) { isStopped = true }
      }
    }
    return isStopped ? nil : .answered(answer)
  }
}
