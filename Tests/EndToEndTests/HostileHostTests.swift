import Foundation
import TestSupport
import Testing

/// Hosts that do not end, leave processes behind, or give invalid answers.
@Suite struct HostileHostTests {
  private static let log = "SampleLogs/counter.jsonl"

  /// Returns a shell script as a host, in a separate folder.
  private func host(_ script: String, in folder: TemporaryFolder) throws -> String {
    let path = try folder.write("#!/bin/sh\n\(script)\n", to: "host")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func isAlive(_ pid: String) -> Bool {
    guard let id = pid_t(pid.trimmingCharacters(in: .whitespacesAndNewlines)) else { return false }
    guard let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else {
      return false
    }
    return status.split(separator: ")").last?.hasPrefix(" Z") == false
  }

  @Test(
    .timeLimit(.minutes(30)),
    arguments: [
      "setsid sh sleeper &", "sh sleeper &", "(setsid sh parent &)", "(setsid sh repeater &)",
    ]
  )
  func `a time limit ends a host and the processes that it has started in any session`(
    child: String
  ) throws {
    let folder = try TemporaryFolder()
    let note = "echo $$ >> pids"
    try folder.write("\(note)\nexec sleep 600\n", to: "sleeper")
    try folder.write("\(note)\nsh sleeper &\nwait\n", to: "parent")
    // The process replaces itself repeatedly, so that it often has no environment.
    try folder.write("[ $# -gt 0 ] || \(note)\nexec sh repeater again\n", to: "repeater")
    let path = try host("cd '\(folder.path)'\n\(child)\nsleep 600", in: folder)
    let result = try Tool.replay.run("run", Self.log, "--host", path, "--timeout", "1")
    #expect(result.status == 69, "\(result.output)\(result.error)")
    let started = try folder.read("pids").split(separator: "\n").map(String.init)
    #expect(!started.isEmpty)
    for pid in started { #expect(!isAlive(pid), "\(pid) lives") }
  }

  @Test(
    .timeLimit(.minutes(30)),
    arguments: [
      ["run", log], ["audit", log, "--runs", "2"], ["explore", log, "--invariant", "$.seq > 0"],
      ["fuzz", log, "--runs", "2"], ["minimize", log, "--when", "$.seq > 1", "-o", "least.jsonl"],
      ["coverage", log], ["fork", log, "--skip", "1"],
      ["view", log, "-o", "page.html"], ["features"],
    ],
    [SIGTERM, SIGINT]
  )
  func `a signal ends a host and the processes that it has started in any session`(
    command: [String],
    number: Int32
  ) throws {
    let place = try WorkPlace()
    let sign = place.sign()
    let script = """
      #!/bin/sh
      setsid sh -c 'echo x > \(sign.path); exec sleep 600' &
      wait
      """
    let host = try place.work.write(script + "\n", to: "host")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: host)
    let words = command.map { $0 == Self.log ? "\(Project.folder)/\($0)" : $0 }
    let tool = try place.start(words + ["--host", host])
    try sign.wait()
    #expect(tool.interrupt(by: number), "\(tool.output)\(tool.error)")
    #expect(place.processesAtLast() == [])
  }

  @Test(
    .timeLimit(.minutes(30)),
    arguments: [[], ["--verbose"], ["--format", "github"], ["--format", "json"]]
  )
  func `control characters in the output of a host reach neither a terminal nor a CI`(
    options: [String]
  ) throws {
    let folder = try TemporaryFolder()
    let path = try host(
      #"""
      printf '\033]52;c;eA==\007\n::error::x\n\302\233 31m\n\342\200\256 turned\n' >&2
      exit 3
      """#,
      in: folder
    )
    let result = try Tool.replay.run(["run", Self.log, "--host", path] + options)
    #expect(result.status == 69, "\(result)")
    let text = result.output + result.error
    #expect(text.contains("turned"), "\(text)")
    let hidden: [Unicode.Scalar] = ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}"]
    #expect(!text.unicodeScalars.contains { hidden.contains($0) }, "\(text.debugDescription)")
    // Between these two lines, a CI system ignores its commands.
    let open = text.split(
      separator: /::stop-commands::([-0-9A-F]+)\n(?s:.*)\n::\1::\n/
    ).joined(separator: "\n")
    let isCommand = open.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("::error::x") }
    #expect(!isCommand, "\(text)")
  }

  @Test(
    .timeLimit(.minutes(30)),
    arguments: [
      #""end":{"seq":-1,"unknown":0,"matchedIgnores":[],"stop":"ended"}"#,
      #""end":{"seq":9223372036854775807,"unknown":0,"matchedIgnores":[],"stop":"ended"}"#,
      #""end":{"seq":1,"unknown":-5,"matchedIgnores":[],"stop":"ended"}"#,
      #""end":{"seq":1,"unknown":0,"matchedIgnores":[],"stop":"replayStops","open":-9223372036854775808}"#,
      #""differences":[{"seq":-9223372036854775808,"cause":"state","subject":"/a"}],"places":[]"#,
      #""proof":{"seq":-1,"ignored":[]}"#,
    ]
  )
  func `run reports a host that answers with impossible numbers`(answer: String) throws {
    let folder = try TemporaryFolder()
    let path = try host(
      """
      if [ "$1" = features ]; then echo '{"features":[]}'; exit 0; fi
      read hello
      echo "$hello" | sed 's/^{/{"to":0,/'
      read request
      number=$(echo "$request" | sed 's/.*"check":\\([0-9]*\\).*/\\1/')
      echo "{\\"to\\":$number,"'\(answer)'"}"
      cat > /dev/null
      """,
      in: folder
    )
    let result = try Tool.replay.run("run", Self.log, "--host", path, "--timeout", "5")
    #expect(![0, 1].contains(result.status) && !result.isSignal, "\(result)")
    #expect(!(result.output + result.error).contains("922337"), "\(result)")
  }

  @Test(
    .timeLimit(.minutes(30)),
    arguments: [
      ["fuzz", "SampleLogs/counter.jsonl", "--runs", "10", "--seed", "1"],
      ["explore", "SampleLogs/draft.jsonl", "--invariant", "$.seq > 0", "--transitions", "5"],
    ],
    [
      #"{"runs":-1,"transitions":-5,"covered":-1,"seeded":-1,"findings":[{"rule":99,"run":-1,"transitions":9223372036854775807,"events":[]}]}"#,
      #"{"runs":9223372036854775807,"transitions":9223372036854775807,"covered":1,"seeded":1,"findings":[],"unread":{"log":99,"seq":-1,"reason":""}}"#,
      #"{"runs":1,"transitions":1,"covered":1,"seeded":1,"findings":[{"rule":99,"run":1,"transitions":1,"events":[]}]}"#,
      #"{"transitions":-1,"states":-1,"unclear":-1,"isComplete":true,"violation":{"rule":99,"steps":[-1,99999]}}"#,
      #"{"transitions":1,"states":1,"unclear":0,"isComplete":true,"violation":{"rule":99,"steps":[0,99999]}}"#,
    ]
  )
  func `explore and fuzz survive a host that answers with impossible numbers`(
    command: [String],
    answer: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = try host(
      """
      if [ "$1" = replay ]; then exec '\(Tool.replay.path)' "$@"; fi
      if [ "$1" = features ]; then exec '\(Tool.replay.path)' "$@"; fi
      read hello
      echo "$hello" | sed 's/^{/{"to":0,/'
      read request
      number=$(echo "$request" | sed 's/.*"search":\\([0-9]*\\).*/\\1/')
      echo "{\\"to\\":$number,\\"searched\\":"'\(answer)'"}"
      cat > /dev/null
      """,
      in: folder
    )
    let result = try Tool.replay.run(command + ["--host", path, "--timeout", "5"])
    #expect(!result.isSignal, "\(result)")
  }
}

/// Whether this process can hide folders from a child, as its own user in a container can.
private let canHide =
  (try? Tool.inPath("unshare")?.run("-m", "mount", "-t", "tmpfs", "none", "/proc"))?.status == 0

/// The tool without the resources that it expects.
@Suite struct ScarceResourceTests {
  private func run(
    _ limit: String,
    _ arguments: [String],
    in folder: TemporaryFolder
  ) throws -> Tool.Result {
    let words = ([Tool.replay.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    // A pipe has no size limit.
    return try Tool.shell.run([
      "-c", "said=$( (\(limit); exec \(words)) 2>&1 ); status=$?; echo \"$said\"; exit $status",
    ])
  }

  @Test(
    .timeLimit(.minutes(30)),
    arguments: [
      ["run", "SampleLogs/todos.jsonl"], ["show", "SampleLogs/todos.jsonl"],
      ["audit", "SampleLogs/counter.jsonl"],
      ["explore", "SampleLogs/draft.jsonl", "--invariant", "$.seq > 0"],
      ["verify", "SampleLogs/todos.jsonl"], ["features"],
    ],
    [3, 4, 5, 6, 7, 8, 10]
  )
  func `commands report a lack of file descriptors without a trap`(
    command: [String],
    count: Int
  ) throws {
    let folder = try TemporaryFolder()
    let result = try run("ulimit -n \(count)", command, in: folder)
    #expect(!result.isSignal && result.status < 128, "\(command): \(result)")
    #expect(result.status == 0 || !(result.output + result.error).isEmpty, "\(command)")
  }

  @Test(
    .timeLimit(.minutes(30)),
    arguments: [
      ["mask", "SampleLogs/todos.jsonl", "--path", "/**/title", "-o"],
      ["view", "SampleLogs/todos.jsonl", "-o"], ["trace", "SampleLogs/todos.jsonl", "-o"],
      ["record", "Todos", "--actions", "SampleLogs/todos.actions", "-o"],
      ["run", "SampleLogs/todos.jsonl", "--junit"],
    ]
  )
  func `commands report that a file exceeds the size limit, and leave no file behind`(
    command: [String]
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out"
    let result = try run(
      "ulimit -f 0; export TMPDIR='\(folder.path)'",
      command + [path],
      in: folder
    )
    #expect([73, 74].contains(result.status), "\(command): \(result)")
    #expect(result.output.contains("File too large"), "\(command): \(result.output)")
    #expect(folder.files.isEmpty, "\(folder.files)")
  }

  @Test(
    .timeLimit(.minutes(30)),
    .enabled(if: canHide),
    arguments: [
      ["record", "Todos", "--actions", "SampleLogs/todos.actions", "-o", "DISK/out"],
      ["mask", "SampleLogs/todos.jsonl", "--path", "/**/title", "-o", "DISK/out"],
      ["view", "SampleLogs/todos.jsonl", "-o", "DISK/out"],
      ["trace", "SampleLogs/todos.jsonl", "-o", "DISK/out"],
      ["run", "SampleLogs/todos.jsonl", "--junit", "DISK/out"],
      ["run", "failed.jsonl", "--keep-failed", "DISK/kept"],
    ]
  )
  func `commands report a full disk, and leave no temporary file on it`(command: [String]) throws {
    let folder = try TemporaryFolder()
    let log = try String(contentsOfFile: "SampleLogs/counter.jsonl", encoding: .utf8)
    let failed = try folder.write(log.replacing("increment", with: "x"), to: "failed.jsonl")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/disk",
      withIntermediateDirectories: false
    )
    let words = ([Tool.replay.path] + command).map { word in
      let word = word.replacing("DISK", with: folder.path + "/disk")
      return "'\(word == "failed.jsonl" ? failed : word)'"
    }
    let result = try #require(Tool.inPath("unshare")).run(
      "-m",
      "/bin/sh",
      "-c",
      """
      cd '\(FileManager.default.currentDirectoryPath)'
      mount -t tmpfs -o size=8k none '\(folder.path)/disk'
      head -c 8192 /dev/zero > '\(folder.path)/disk/full'
      \(words.joined(separator: " "))
      status=$?
      echo "left: $(find '\(folder.path)/disk' -type f | sed 's|.*/||' | tr '\\n' ' ')"
      exit $status
      """
    )
    #expect(result.status == 74, "\(command): \(result)")
    #expect(result.error.contains("No space left on device"), "\(command): \(result)")
    #expect(!result.error.contains("is empty"), "\(command): \(result)")
    #expect(result.output.contains("left: full \n"), "\(command): \(result)")
  }

  @Test(
    .timeLimit(.minutes(30)),
    .enabled(if: canHide),
    arguments: [
      ["run", "SampleLogs/todos.jsonl"], ["show", "SampleLogs/todos.jsonl"],
      ["explore", "SampleLogs/draft.jsonl", "--invariant", "$.seq > 0"], ["features"],
      ["debug", "SampleLogs/todos.jsonl", "--batch", "-ex", "end"],
    ]
  )
  func `commands work or report an error on a system without /proc`(command: [String]) throws {
    let words = ([Tool.replay.path] + command).map { "'\($0)'" }.joined(separator: " ")
    let result = try #require(Tool.inPath("unshare")).run(
      "-m",
      "/bin/sh",
      "-c",
      "mount -t tmpfs none /proc; exec \(words)"
    )
    #expect(!result.isSignal && result.status < 128, "\(command): \(result)")
    #expect(!(result.output + result.error).isEmpty, "\(command)")
  }

  @Test func `run reports that it cannot write the copy of a failed log`() throws {
    let folder = try TemporaryFolder()
    let log = try String(contentsOfFile: "SampleLogs/counter.jsonl", encoding: .utf8)
    let path = try folder.write(
      log.split(separator: "\n").dropLast(3).joined(separator: "\n").replacing(
        "increment",
        with: "x"
      ),
      to: "a.jsonl"
    )
    let result = try run(
      "ulimit -f 0",
      ["run", path, "--keep-failed", folder.path + "/kept"],
      in: folder
    )
    #expect([73, 74].contains(result.status), "\(result)")
    #expect(result.output.contains("File too large"), "\(result.output)")
  }
}
