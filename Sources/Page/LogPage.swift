import ActionLog
import ReplayCommands

/// The page of a log, with its replay or another log beside it.
package struct LogPage {
  private let log: PageLog
  private let comparison: PageComparison?
  private let program: Program

  package init(_ log: PageLog, comparison: PageComparison? = nil, program: Program) {
    (self.log, self.comparison, self.program) = (log, comparison, program)
  }

  /// Writes the whole page.
  ///
  /// - Throws: `LogReadError`, `StreamError`.
  package func write(to sink: any ByteSink) throws {
    var about = log.about
    about["program"] = .string("\(program.name) \(program.version)")
    about["other"] = comparison?.about
    var page = PageWriter(to: sink)
    try page.open(title: "\(log.name) – \(log.header.feature)", about: .object(about))
    try log.write(to: &page, as: .log)
    try comparison?.write(to: &page)
    try page.close()
  }
}
