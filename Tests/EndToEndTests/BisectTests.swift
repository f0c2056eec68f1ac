import Foundation
import TestSupport
import Testing

/// Searches in the history of real repositories whose commits build hosts with different behavior.
@Suite("Bisect")
struct BisectTests {
  /// A repository with a host in each commit that forwards everything to the built program.
  final class Repository {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try git("init", "--quiet", "--initial-branch", "main")
      try git("config", "user.name", "Ada")
      try git("config", "user.email", "ada@example.com")
      try write("build.sh", "mkdir -p out && cp host.sh out/host && chmod +x out/host\n")
      try write("host.sh", Self.well)
      try write(".gitignore", "out/\n")
    }

    static let well = "#!/bin/sh\nexec '\(Tool.replay.path)' \"$@\"\n"
    /// A host that counts to another number from the first action on.
    static let wrong = """
      #!/bin/sh
      '\(Tool.replay.path)' "$@" | sed -u 's|"path":"/count","value":1}|"path":"/count","value":41}|'

      """
    /// A host that behaves differently in every second run.
    static let flaky = """
      #!/bin/sh
      count="$(dirname "$0")/count"
      echo x >> "$count"
      if [ $(( $(wc -l < "$count") % 2 )) = 0 ]; then exec '\(Tool.replay.path)' "$@"; fi
      '\(Tool.replay.path)' "$@" | sed -u 's|"path":"/count","value":1}|"path":"/count","value":41}|'

      """

    func write(_ name: String, _ text: String) throws { try folder.write(text, to: name) }

    @discardableResult
    func git(_ arguments: String...) throws -> String {
      let git = try #require(Tool.git)
      let result = try git.run(arguments, in: folder.path)
      #expect(result.status == 0, "git \(arguments): \(result.error)")
      return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Commits all files.
    ///
    /// - Returns: The commit's hash.
    @discardableResult
    func commit(_ subject: String) throws -> String {
      try write("notes.txt", subject)
      try git("add", "--all")
      try git("commit", "--quiet", "--message", subject)
      return try git("rev-parse", "HEAD")
    }

    func bisect(_ arguments: String...) throws -> Tool.Result { try bisect(arguments) }

    func bisect(_ arguments: [String]) throws -> Tool.Result {
      let caches = try TemporaryFolder()
      defer { withExtendedLifetime(caches) {} }
      return try Tool.replay.run(
        [
          "bisect", Project.sample("counter.jsonl"), "--good", "first", "--bad", "main",
          "--build", "sh build.sh", "--host", "out/host",
        ] + arguments,
        environment: ["XDG_CACHE_HOME": caches.path],
        in: folder.path
      )
    }
  }

  @Test("bisect reports a cache folder that cannot be used, and exits with 73")
  func unusableCaches() throws {
    let repository = try Repository()
    try repository.commit("begin")
    try repository.git("tag", "first")
    let caches = try TemporaryFolder()
    try caches.write("", to: "file")
    let result = try Tool.replay.run(
      ["bisect", Project.sample("counter.jsonl"), "--good", "first", "--bad", "main"]
        + ["--build", "sh build.sh", "--host", "out/host"],
      environment: ["XDG_CACHE_HOME": caches.path + "/file"],
      in: repository.folder.path
    )
    #expect(result.status == 73)
    #expect(result.output == "")
    let message = result.error.replacing(/bisect-[0-9a-f]+/, with: "bisect-…")
    #expect(
      message == """
        tca-replay: cannot write \(caches.path)/file/tca-replay/bisect-…/builds: Not a directory; expected a folder for \
        caches that can be written: XDG_CACHE_HOME names another one

        """
    )
  }

  @Test("bisect finds the first bad commit past merges and commits that do not build")
  func findsTheCommit() throws {
    let repository = try Repository()
    try repository.commit("begin")
    try repository.git("tag", "first")
    for number in 1...4 { try repository.commit("change \(number)") }
    try repository.git("checkout", "--quiet", "-b", "side")
    try repository.commit("aside")
    try repository.git("checkout", "--quiet", "main")
    try repository.write("build.sh", "echo no compiler; exit 3\n")
    let broken = try repository.commit("break the build")
    try repository.write("build.sh", "mkdir -p out && cp host.sh out/host && chmod +x out/host\n")
    try repository.commit("mend the build")
    try repository.git(
      "merge",
      "--quiet",
      "--strategy-option",
      "ours",
      "--message",
      "merge",
      "side"
    )
    try repository.commit("change 5")
    try repository.write("host.sh", Repository.wrong)
    let culprit = try repository.commit("count from another number")
    for number in 6...9 { try repository.commit("change \(number)") }
    let status = try repository.git("status", "--porcelain")
    let run = try repository.bisect()
    #expect(run.status == 0, "\(run.error)")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.first?.hasPrefix("first bad commit: \(culprit)  ") == true, "\(run.output)")
    #expect(lines.first?.hasSuffix("  Ada  count from another number") == true)
    #expect(run.output.contains("counter.jsonl: diverged at action 1: state count"))
    #expect(
      run.output.contains("tested 6 commits; a linear search would have tested up to 15"),
      "\(run.output)"
    )
    #expect(!run.output.contains("skipped \(broken)") || run.output.contains("status 3"))
    #expect(try repository.git("status", "--porcelain") == status)
    #expect(try repository.git("rev-parse", "--abbrev-ref", "HEAD") == "main")
    #expect(try repository.git("worktree", "list").split(separator: "\n").count == 1)
  }

  @Test("bisect lists all suspects when commits between them cannot be tested")
  func skipsWhatCannotBeTested() throws {
    let repository = try Repository()
    try repository.commit("begin")
    try repository.git("tag", "first")
    try repository.write("build.sh", "exit 3\n")
    let broken = try repository.commit("break the build")
    try repository.write("build.sh", "mkdir -p out && cp host.sh out/host && chmod +x out/host\n")
    try repository.write("host.sh", Repository.flaky)
    let flaky = try repository.commit("toss a coin")
    try repository.write("host.sh", Repository.wrong)
    let wrong = try repository.commit("count from another number")
    let run = try repository.bisect("--format", "json")
    #expect(run.status == 0, "\(run.error)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    )
    let suspects = try #require(report["oneOf"] as? [[String: String]])
    #expect(Set(suspects.compactMap { $0["commit"] }) == [broken, flaky, wrong])
    let tested = try #require(report["tested"] as? [[String: Any]])
    let reasons = tested.reduce(into: [:]) { reasons, entry in
      reasons[entry["commit"] as? String ?? ""] = entry["reason"] as? String
    }
    #expect(reasons == [broken: "buildFailed", flaky: "notDeterministic"])
  }

  @Test("bisect waits for a host to end instead of killing it")
  func hostsEnd() throws {
    let repository = try Repository()
    let ends = "echo end >> '\(repository.folder.path)/out/ends'\n"
    try repository.write("out/ends", "")
    try repository.write("host.sh", Repository.well.replacing("exec ", with: "") + ends)
    try repository.commit("begin")
    try repository.git("tag", "first")
    try repository.write("host.sh", Repository.wrong + ends)
    try repository.commit("count from another number")
    #expect(try repository.bisect().status == 0)
    // Two commits, each replayed twice.
    #expect(try repository.folder.read("out/ends") == "end\nend\nend\nend\n")
  }

  @Test(
    "bisect migrates a log of an older schema to the version of each commit",
    arguments: [false, true]
  )
  func migrates(isSearching: Bool) throws {
    let repository = try Repository()
    try repository.commit("begin")
    try repository.git("tag", "first")
    let newer = #"sed -u 's/^{"kind":"header",/&"schemaVersion":2,/'"#
    let older = #"sed -u 's/"schemaVersion":2,//'"#
    let migrating = "if [ \"$1\" = migrate ]; then \(newer) \"$2\" > \"$4\"; exit; fi\n"
    func host(_ host: String) -> String {
      let answer = host.split(separator: "\n").last?.replacing("exec ", with: "") ?? ""
      return "#!/bin/sh\n\(migrating)\(older) | \(answer) | \(newer)\n"
    }
    try repository.write("host.sh", host(Repository.well))
    try repository.commit("count versions")
    try repository.write("host.sh", host(Repository.wrong))
    let culprit = try repository.commit("count from another number")
    let condition = isSearching ? ["--when", "$.state.count == 41"] : []
    let run = try repository.bisect(condition)
    #expect(run.output.hasPrefix("first bad commit: \(culprit)  "), "\(run)")
  }

  @Test("bisect does not blame a commit for a difference at a path that the project ignores")
  func ignoresWhatTheProjectIgnores() throws {
    let repository = try Repository()
    try repository.commit("begin")
    try repository.git("tag", "first")
    try repository.write("host.sh", Repository.wrong)
    try repository.commit("count from another number")
    try repository.write(".tca-replay.json", #"{"ignore":["/count"]}"#)
    let run = try repository.bisect()
    #expect(run.status == 1)
    #expect(run.error.contains(" is not bad: its replay shows nothing;"), "\(run.error)")
  }

  @Test("bisect --when finds the first commit whose replay meets a condition")
  func findsACondition() throws {
    let repository = try Repository()
    try repository.commit("begin")
    try repository.git("tag", "first")
    try repository.commit("change 1")
    try repository.write("host.sh", Repository.wrong)
    let culprit = try repository.commit("count from another number")
    try repository.commit("change 2")
    let run = try repository.bisect("--when", "$.state.count == 41")
    #expect(run.output.hasPrefix("first bad commit: \(culprit)  "), "\(run.output)\(run.error)")
    #expect(run.output.contains("counter.jsonl: $.state.count == 41 holds first after action 1"))
  }

  @Test("bisect refuses good and bad commits that do not behave as such before it searches")
  func checksTheEnds() throws {
    let repository = try Repository()
    try repository.commit("begin")
    try repository.git("tag", "first")
    let last = try repository.commit("change 1")
    let run = try repository.bisect()
    #expect(run.status == 1)
    #expect(
      run.error.contains(
        "tca-replay: the bad commit \(last.prefix(12)) is not bad: its replay shows nothing; give another one"
          + " with --bad\n"
      ),
      "\(run.error)"
    )
  }
}
