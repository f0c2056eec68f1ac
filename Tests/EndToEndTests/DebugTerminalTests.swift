#if os(Linux)
import Foundation
import TestSupport
import Testing

/// `debug` with a user at a terminal.
@Suite("Debug on a terminal") struct DebugTerminalTests {
  /// A debugger session with typed input.
  private final class Session {
    let terminal: PseudoTerminal
    let process = Process()

    init(in folder: TemporaryFolder, log: String = "todos.jsonl", _ options: String...) throws {
      terminal = try PseudoTerminal(columns: 100)
      process.executableURL = URL(fileURLWithPath: Tool.replay.path)
      process.arguments = ["debug", Project.sample(log)] + options
      process.currentDirectoryURL = folder.url
      let environment = ["TERM": "xterm", "NO_COLOR": "1", "XDG_CACHE_HOME": folder.path]
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      let program = terminal.program()
      process.standardInput = program
      process.standardOutput = program
      process.standardError = program
      try process.runWithoutBlockedSignals()
      try program.close()
    }

    /// Types keys, and reads up to the prompt after a step whose line contains only the given text.
    func type(_ keys: String, until text: String) -> String {
      if !keys.isEmpty { terminal.type(keys) }
      return terminal.read(until: text)
    }

    /// Returns the output of the line editor for a prompt followed by a text.
    static func prompt(_ seq: Int, _ text: String = "") -> String {
      "\r(debug \(seq)) \(text)\u{1B}[K"
    }
  }

  @Test("debug edits, completes and repeats lines on a terminal")
  func keys() throws {
    let folder = try TemporaryFolder()
    let session = try Session(in: folder)
    let prompt = Session.prompt
    let opening = session.type("", until: prompt(0, ""))
    #expect(opening.contains("actions 1 to 16, the last one at +0.277 s; 'help' lists the words"))
    _ = session.type("ste\t", until: prompt(0, "step "))
    let first = session.type("\r", until: prompt(1, ""))
    #expect(first.contains("   1    +0.001 s  .addButtonTapped\r\n"), "\(first)")
    #expect(first.contains("                    todos[0]: + (id: …AC1A, "), "\(first)")
    // An empty line repeats the step, Ctrl-C gives a new prompt, and the history contains the line before it.
    _ = session.type("\r", until: prompt(2, ""))
    #expect(session.type("nonsense\u{3}", until: "^C\u{1B}[K\r\n").contains("nonsense^C"))
    _ = session.type("\u{1B}[A", until: prompt(2, "step "))
    _ = session.type("\u{15}print tod", until: prompt(2, "print tod"))
    _ = session.type("\t", until: prompt(2, "print todos"))
    _ = session.type("[0].ti\t", until: prompt(2, "print todos[0].title"))
    #expect(session.type("\r", until: prompt(2, "")).contains("\"Buy milk\"\r\n"))
    // Two paths match, and the second Tab lists them.
    #expect(session.type("p t\t\t", until: "todos\r\n").contains("\r\ntitles  todos\r\n"))
    _ = session.type("\u{15}", until: prompt(2, ""))
    _ = session.type("\u{12}ste", until: "(search 'ste') step ")
    _ = session.type("\r", until: prompt(3, ""))
    #expect(session.type("stpe\r", until: prompt(3, "")).contains("did you mean 'step'?"))
    session.terminal.type("\u{4}")
    _ = session.terminal.read(until: nil)
    session.process.waitUntilExit()
    #expect(session.process.terminationStatus == 0)
    #expect(
      try folder.read("tca-replay/debug-history")
        == "step \nprint todos[0].title\nstep \nstpe\n"
    )
  }

  @Test("Tab completes actions and effects of the log on a terminal")
  func completion() throws {
    let folder = try TemporaryFolder()
    let session = try Session(in: folder)
    _ = session.type("", until: Session.prompt(0, ""))
    _ = session.type("b .add\t", until: Session.prompt(0, "b .addButtonTapped "))
    _ = session.type("\u{15}b --eff\tsa\t", until: Session.prompt(0, "b --effect save "))
    #expect(session.type("\r", until: Session.prompt(0, "")).contains("1  break --effect save\r\n"))
    #expect(
      session.type("c\r", until: Session.prompt(2, "")).contains("breakpoint 1, --effect save\r\n")
    )
    session.terminal.type("q\r")
    _ = session.terminal.read(until: nil)
    session.process.waitUntilExit()
    #expect(session.process.terminationStatus == 0)
  }

  @Test("Tab completes files and the cases of values on a terminal")
  func files() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "other.jsonl")
    let session = try Session(in: folder)
    _ = session.type("", until: Session.prompt(0, ""))
    _ = session.type("fork -o oth\t", until: Session.prompt(0, "fork -o other.jsonl "))
    _ = session.type("\u{15}b .saved(.f\t", until: Session.prompt(0, "b .saved(.failure) "))
    _ = session.type("\u{15}b --read uu\t", until: Session.prompt(0, "b --read uuid "))
    session.terminal.type("\u{15}q\r")
    _ = session.terminal.read(until: nil)
    session.process.waitUntilExit()
    #expect(session.process.terminationStatus == 0)
  }

  @Test("debug draws its line again when the window changes")
  func resize() throws {
    let session = try Session(in: try TemporaryFolder())
    _ = session.type("", until: Session.prompt(0, ""))
    let text = "print todos[0].title"
    _ = session.type(text, until: Session.prompt(0, text))
    session.terminal.resize(columns: 24)
    kill(session.process.processIdentifier, SIGWINCH)
    // Only the part around the cursor fits.
    let drawn = session.type("", until: "\r\u{1B}[21C")
    #expect(drawn.contains("\r\u{1B}[J\r(debug 0) "), "\(drawn)")
    session.terminal.type("\u{15}\u{4}")
    _ = session.terminal.read(until: nil)
    session.process.waitUntilExit()
    #expect(session.process.terminationStatus == 0)
  }

  @Test
  func `live takes actions and commands on a terminal, prints changes, and returns to the log`()
    throws
  {
    let folder = try TemporaryFolder()
    let session = try Session(in: folder)
    _ = session.type("", until: Session.prompt(0, ""))
    _ = session.type("live -o new.jsonl\r", until: "(live 0) ")
    let added = session.type(".addButtonTapped\r", until: "(live 1) ")
    #expect(added.contains("  .addButtonTapped\r\n                    todos[0]: + "), "\(added)")
    let printed = session.type("print todos[0].title\r", until: "(live 1) ")
    #expect(printed.contains("\"\"\r\n"), "\(printed)")
    let refused = session.type(".nothing\r", until: "lacks\r\n(live 1) ")
    #expect(refused.contains("tca-replay: standard input:3: "), "\(refused)")
    let back = session.type("\u{4}", until: Session.prompt(0, ""))
    #expect(back.contains("recorded 1 action in new.jsonl\r\n"), "\(back)")
    // A terminal sends Ctrl-C to the group of both processes. It ends the recording but not the debugger.
    _ = session.type("live -o other.jsonl\r", until: "(live 0) ")
    kill(-session.process.processIdentifier, SIGINT)
    let ended = session.type("", until: Session.prompt(0, ""))
    #expect(ended.contains("recorded 0 actions in other.jsonl\r\n"), "\(ended)")
    session.terminal.type("quit\r")
    _ = session.terminal.read(until: nil)
    session.process.waitUntilExit()
    #expect(session.process.terminationStatus == 0)
  }

  @Test("debug restores the settings of the terminal when a signal ends it")
  func signal() throws {
    let session = try Session(in: try TemporaryFolder())
    _ = session.type("", until: Session.prompt(0, ""))
    let program = session.terminal.program()
    defer { try? program.close() }
    #expect(!session.terminal.isCooked)
    session.process.terminate()
    session.process.waitUntilExit()
    #expect(session.process.terminationReason == .uncaughtSignal)
    #expect(session.terminal.isCooked)
  }
}
#endif
