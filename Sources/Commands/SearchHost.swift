import ActionLog
import Dispatch
import Foundation
import ReplayEngine

/// A host that searches in memory for an analysis, in this process or another.
package protocol SearchHost: AnyObject {
  /// Runs a search.
  ///
  /// - Parameters:
  ///   - request: The request of the analysis.
  ///   - report: A closure that receives each intermediate result, and returns whether to continue.
  /// - Returns: The end of the search, or `nil` if `report` stopped it.
  /// - Throws: `HostFailure`, `Interrupted`.
  func search(_ request: JSON, _ report: (JSON) -> Bool) throws -> SearchEnding?
  /// The steps up to the one that exceeded the time limit, or `nil` if the host was killed between two steps.
  var openSteps: [Int]? { get }
}

extension SearchHost {
  package var openSteps: [Int]? { nil }
}
