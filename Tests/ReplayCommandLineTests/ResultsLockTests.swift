import TestSupport
import Testing

@testable import ReplayCommandLine

@Suite struct ResultsLockTests {
  @Test func `a finished file of results is free for the next run while a worker still holds it`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "/results.jsonl"
    func open() throws -> ResultsFile {
      let setting = RunResult.Configuration(host: "host", options: "")
      return try ResultsFile(path, setting, isContinued: true, isForced: false)
    }
    let first = try open()
    #expect(throws: ResultsError.inUse(path)) { try open() }
    try first.finish()
    #expect(throws: Never.self) { try open() }
    withExtendedLifetime(first) {}
  }
}
