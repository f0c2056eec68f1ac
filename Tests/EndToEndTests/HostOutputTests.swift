import Foundation
import TestSupport
import Testing

/// Host output and the stack of a trap appear only below the verdict.
@Suite("Host output") struct HostOutputTests {
  private static let message = "Fatal error: the counter cannot count further"
  private static let host = Tool.crashingApp.path
  private static let log = Project.sample("counter.jsonl")

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("run reports the output of a trap once, cut to the app's own functions")
  func brief() throws {
    let result = try Tool.replay.run("run", Self.log, "--host", Self.host)
    #expect(result.status == 1)
    #expect(result.error == "")
    let lines = lines(result.output)
    #expect(lines[0].hasPrefix("\(Self.log): trapped at action 3 ("), "\(result.output)")
    let start = try #require(lines.firstIndex(of: "  the host wrote:"))
    #expect(
      lines[(start + 1)...].prefix(3)
        == ["    the counter is at 0", "    the counter is at 1", "    the counter is at 2"]
    )
    #expect(lines.count { $0.contains(Self.message) } == 1)
    #expect(lines[start + 4].hasPrefix("    ") && lines[start + 4].hasSuffix(Self.message))
    #expect(lines[start + 5].hasPrefix("      in CrashingApp.HangingCounter."))
    #expect(!result.output.contains("Current stack trace"))
    #expect(!result.output.contains("0x"))
    let next = try #require(lines.firstIndex(of: "  next:"))
    #expect(lines[next - 1].hasSuffix(" more lines; --verbose shows all)"))
    #expect(lines[next + 2].contains("minimize"))
    #expect(lines.count < 30)
  }

  @Test("run --verbose prints the host's whole output")
  func verbose() throws {
    let result = try Tool.replay.run("run", Self.log, "--host", Self.host, "--verbose")
    #expect(result.error == "")
    #expect(lines(result.output).count { $0 == "    Current stack trace:" } == 1)
    #expect(lines(result.output).count { $0.contains(Self.message) } == 1)
    #expect(!result.output.contains("--verbose"))
  }

  @Test("run --expected prints the host's output only for a log whose replay traps")
  func folder() throws {
    let result = try Tool.replay.run(
      ["run", Project.folder + "/SampleLogs", "--expected"]
    )
    #expect(result.error == "")
    #expect(lines(result.output).count { $0.contains("Fatal error: Index out of range") } == 1)
    #expect(lines(result.output).count { $0 == "  the host wrote:" } == 1)
    #expect(!result.output.contains("Current stack trace"))
    #expect(
      lines(result.output).contains { $0.hasPrefix("      in ") && $0.contains("SampleFeatures.") }
    )
  }

  static let analyses: [[String]] = [
    ["minimize", "--when", "$.seq == 2", "-o", "out"], ["audit"],
    ["explore", "--invariant", "$.seq > 0"], ["run"],
  ]

  @Test("commands report the output of a host that cannot start", arguments: analyses)
  func lastWords(analysis: [String]) throws {
    let folder = try TemporaryFolder()
    let host = try folder.script("echo 'libApp.so: no such file' >&2\nexit 127\n", named: "host")
    let result = try Tool.replay.run(
      [analysis[0], Self.log] + analysis.dropFirst() + ["--host", host],
      in: folder.path
    )
    #expect(result.status == 69)
    let heard = """
      the host \(host) ended with status 127 before it answered; \
      expected an executable that was built from a ReplayHost
        the host wrote:
          libApp.so: no such file

      """
    if analysis == ["run"] {
      #expect(result.output == "\(Self.log): \(heard)")
      #expect(result.error == "")
    } else {
      #expect(result.output == "")
      #expect(result.error == "tca-replay: \(heard)")
    }
  }

  @Test("run writes the host's output to a separate field in JSON, JUnit and other formats")
  func formats() throws {
    func run(_ format: String) throws -> String {
      let result = try Tool.replay.run("run", Self.log, "--host", Self.host, "--format", format)
      #expect(result.error == "")
      #expect(result.output.components(separatedBy: Self.message).count == 2, "\(result.output)")
      return result.output
    }
    let json = try JSONSerialization.jsonObject(with: Data(try run("json").utf8)) as? [String: Any]
    let log = try #require((json?["logs"] as? [[String: Any]])?.first)
    #expect((log["hostOutput"] as? String)?.contains(Self.message) == true)
    let junit = try run("junit")
    let error = try #require(junit.firstRange(of: "<system-err>"))
    #expect(junit[error.upperBound...].contains(Self.message))
    #expect(!junit[..<error.lowerBound].contains("the counter is at"))
    let github = lines(try run("github"))
    let start = try #require(
      github.firstIndex { $0.hasPrefix("::group::what the host wrote for ") }
    )
    let token = try #require(github[start + 1].split(separator: "::").last)
    #expect(github[start + 1] == "::stop-commands::\(token)")
    let end = try #require(github.firstIndex(of: "::\(token)::"))
    #expect(github[end + 1] == "::endgroup::")
    #expect(github[start..<end].contains { $0.contains(Self.message) })
  }
}
