#if os(Linux)
import Foundation
import TestSupport
import Testing

/// How far long work has come is told on a terminal, after a second, and nowhere else.
@Suite("Progress") struct ProgressTests {
  /// A terminal that a program is given, and what is written to it.
  private final class PseudoTerminal {
    private let main: Int32
    let path: String

    init() throws {
      main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>.
      var (isLocked, number): (Int32, Int32) = (0, -1)
      #expect(main >= 0 && ioctl(main, 0x4004_5431, &isLocked) == 0)
      #expect(ioctl(main, 0x8004_5430, &number) == 0)
      path = "/dev/pts/\(number)"
    }

    deinit { close(main) }

    /// The end of it that a program gets; it does not become this process's own terminal.
    func program() -> FileHandle {
      FileHandle(
        fileDescriptor: open(path, O_RDWR | O_NOCTTY | O_CLOEXEC),
        closeOnDealloc: true
      )
    }

    /// Reads until a text is there, or no program has the terminal any more.
    func read(until text: String?) -> String {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1024)
      while true {
        let all = String(decoding: bytes, as: UTF8.self)
        if let text, all.contains(text) { return all }
        let count = Foundation.read(main, &buffer, buffer.count)
        guard count > 0 else { return all }
        bytes += buffer[..<count]
      }
    }
  }

  static let commands: [[String]] = [
    ["show", "-"], ["stats", "-"], ["verify", "-"], ["blame", "-", "/count"], ["replay", "-"],
    ["mask", "-", "--path", "/count", "-o", "out"], ["diff", "-", Project.sample("counter.jsonl")],
    ["bisect", "-", "--when", "$.seq == 2"], ["migrate", "-"], ["test", "-"],
  ]

  @Test("a command that waits for its log says so, and takes the line away", arguments: commands)
  func waiting(command: [String]) throws {
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal()
    let input = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Tool.replay.path)
    process.arguments = command
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    let program = terminal.program()
    process.standardError = program
    try process.run()
    try program.close()
    #expect(terminal.read(until: "\r\u{1B}[K1 s") == "\r\u{1B}[K1 s")
    try input.fileHandleForWriting.write(
      contentsOf: Data(contentsOf: URL(fileURLWithPath: Project.sample("counter.jsonl")))
    )
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // The line is gone, whatever number of seconds it has come to.
    #expect(terminal.read(until: nil).hasSuffix("\r\u{1B}[K"))
  }
}
#endif
