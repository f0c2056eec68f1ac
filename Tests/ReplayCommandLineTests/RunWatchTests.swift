import ActionLog
import Foundation
import ReplayTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ReplayCommands
@testable import ReplayEngine
@testable import ReplayHosts

/// `run --watch`: runs again if a log or the host has changed.
@MainActor @Suite struct RunWatchTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "logs/a.jsonl")
    try terminal.folder.write("1", to: "host")
  }

  /// The log of an app that counted differently.
  private static let other = SampleLog.text.replacing(
    #""path":"/count","value":1}"#,
    with: #""path":"/count","value":2}"#
  )

  /// Runs with a host whose behavior is in the file `host`.
  private func watch(
    _ arguments: [String],
    _ pauses: [@Sendable () throws -> Void]
  ) async throws -> Terminal.Result {
    let folder = terminal.folder
    terminal.makeReplayStarter = {
      { (log: LogSlice, options: ReplayOptions) throws -> any ReplayEventSource in
        let isOther = try folder.read("host") == "2"
        return InProcessReplay(
          ReplaySession(
            until: options.until ?? .max,
            isResyncing: options.isContinuing,
            ignored: options.comparison.ignored,
            isPruning: options.isPruning,
            events: try log.events(),
            makeEngine: { _ in CounterEngine(isOther ? .countsByTwo : .none) }
          )
        )
      }
    }
    terminal.pauses = pauses
    return try await terminal.run(
      ["run", "logs", "--watch", "--host", "\(folder.path)/host"] + arguments
    )
  }

  /// The name of the log's page.
  private var pageName: String {
    terminal.folder.path.dropFirst().replacing("/", with: "-") + "-logs-a.html"
  }

  nonisolated private static let waiting =
    "tca-replay: waiting for the logs or the host to change; Ctrl-C ends\n"

  @Test func `run --watch runs again when a log or the host has changed`() async throws {
    let folder = terminal.folder
    let result = try await watch(
      ["--ignore", "id"],
      [
        {},
        { try folder.write("2", to: "host") },
        // The file is still being written.
        { try folder.write("22", to: "host") },
        { unlink(folder.path + "/host") },
        {},
        { try folder.write("2", to: "host") },
        {},
        { try folder.write(SampleLog.text, to: "logs/b.jsonl") },
        {},
        { unlink(folder.path + "/logs/b.jsonl") },
        { try folder.write("1", to: "host") },
        {},
      ]
    )
    #expect(
      result.error == Self.waiting
        + "tca-replay: host has changed; running again\n" + Self.waiting
        + "tca-replay: logs/b.jsonl has changed; running again\n" + Self.waiting
        + "tca-replay: host, logs/b.jsonl have changed; running again\n" + Self.waiting
    )
    let verdicts = result.output.split(separator: "\n").filter { $0.hasPrefix("logs/") }
    #expect(
      verdicts == [
        "logs/a.jsonl: identical, through action 16",
        "logs/a.jsonl: diverged at action 1: state count",
        "logs/a.jsonl: diverged at action 1: state count",
        "logs/b.jsonl: diverged at action 1: state count",
        "logs/a.jsonl: identical, through action 16",
      ]
    )
    #expect(result.status == 0)
  }

  @Test func `run --watch exits with the status of its last run`() async throws {
    let folder = terminal.folder
    let result = try await watch([], [{ try folder.write("2", to: "host") }, {}])
    #expect(result.status == 1)
  }

  @Test func `run --watch updates its pages while it runs, and writes plain pages at the end`()
    async throws
  {
    let folder = terminal.folder
    let name = pageName
    let live = Mutex<[String]>([])
    /// Reads the page's information about the replay, and the generation of the page and of its updates.
    @Sendable func look() throws {
      let page = try folder.read("pages/\(name)")
      let about = try JSON(
        parsing: page.components(separatedBy: #"id="about">"#)[1].components(
          separatedBy: "</script>"
        )[0]
      )
      let now = try folder.read("pages/\(name).live/now.js")
      let generation = try #require(about["live"]?["generation"]?.string)
      #expect(about["live"]?["grows"] == false)
      #expect(now.hasPrefix("tcaReplay({") && now.hasSuffix("});\n"))
      let news = try JSON(parsing: String(now.dropFirst("tcaReplay(".count).dropLast(3)))
      #expect(news["generation"]?.string == generation && news["next"] == 1 && news["last"] == 0)
      // The command waits, and sends a sign of life every second.
      #expect(news["patience"] == 10 && news["beat"] != 1)
      live.withLock { $0 += [about["other"]?["line"]?.string ?? "", generation] }
    }
    let result = try await watch(
      ["--pages", folder.path + "/pages"],
      [
        {
          #expect(!folder.contains("pages/\(name)"))
          try folder.write("2", to: "host")
        }, {},
        {
          try look()
          try folder.write("1", to: "host")
        }, {},
        // A log that passes again keeps its page, which shows this.
        { try look() },
      ]
    )
    #expect(result.status == 0)
    let seen = live.withLock { $0 }
    #expect(seen.count == 4)
    #expect(seen[0] == "diverged at action 1: state count")
    #expect(seen[2] == "identical, through action 16")
    #expect(seen[1] != seen[3])
    // The final page does not look for updates, and is otherwise the same.
    let page = try folder.read("pages/\(name)")
    #expect(!page.contains("strict-dynamic") && !page.contains("\"live\":"))
    #expect(page.contains("\"line\":\"identical, through action 16\""))
    #expect(page.hasSuffix("</script>\n</body>\n</html>\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/pages").sorted()
        == ["index.html", name].sorted()
    )
  }

  @Test func `run --watch writes the same page as run when it ends`() async throws {
    let folder = terminal.folder
    try folder.write("2", to: "host")
    let name = pageName
    _ = try await watch(["--pages", folder.path + "/pages"], [])
    let page = try folder.read("pages/\(name)")
    let result = try await terminal.run(
      "run",
      "logs",
      "--host",
      "\(folder.path)/host",
      "--pages",
      folder.path + "/pages"
    )
    #expect(result.status == 1)
    #expect(try folder.read("pages/\(name)") == page)
  }

  @Test func `run --watch reports invalid settings, and waits until they are valid`() async throws {
    let folder = terminal.folder
    let result = try await watch(
      [],
      [
        { try folder.write("{", to: ".tca-replay.json") }, {},
        { try folder.write("{}", to: ".tca-replay.json") }, {},
      ]
    )
    #expect(result.status == 0)
    #expect(
      result.error == Self.waiting
        + "tca-replay: .tca-replay.json has changed; running again\n"
        + "tca-replay: .tca-replay.json: the text ends in the middle of a JSON value, at byte 1\n"
        + Self.waiting
        + "tca-replay: .tca-replay.json has changed; running again\n" + Self.waiting
    )
  }

  @Test func `run --watch refuses options that cannot be combined with it`() async throws {
    let cases = [
      (["logs", "--accept"], "'--watch' and '--accept' exclude each other; give one of them"),
      (
        ["logs", "--format", "json"],
        "'--watch' and '--format' exclude each other; give one of them"
      ),
      (["-"], "invalid LOG '-'; expected files or folders with --watch"),
    ]
    for (arguments, message) in cases {
      let result = try await terminal.run(["run", "--watch"] + arguments)
      #expect(result.status == 64)
      #expect(result.error == "tca-replay: \(message)\nsee 'tca-replay run --help'\n")
    }
  }
}
