import ActionLog
import Dispatch
import Foundation
import ReplayEngine

/// A host that searches in memory for an analysis, in this process or another.
package protocol SearchHost: AnyObject {
  /// Runs a search.
  ///
  /// - Parameters:
  ///   - request: The request, which only the analysis and its counterpart in the host interpret.
  ///   - report: A closure that receives each intermediate result, and returns whether to continue.
  /// - Returns: The end of the search, or `nil` if `report` stopped it.
  /// - Throws: `HostFailure` if the host fails, or `Interrupted` if an interruption was requested.
  func search(_ request: JSON, _ report: (JSON) -> Bool) throws -> SearchEnding?
  /// The steps that led to the step that exceeded the time limit, or `nil` if no step was in progress.
  var openSteps: [Int]? { get }
}

extension SearchHost {
  package var openSteps: [Int]? { nil }
}
