#if os(Linux)
import Foundation
import Testing

/// A terminal for a program, and the output to it.
final class PseudoTerminal {
  private let main: Int32
  let path: String

  // Zero columns mean an unlimited width.
  init(columns: UInt16 = 0) throws {
    main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // `TIOCSPTLCK` and `TIOCGPTN` of <asm-generic/ioctls.h>.
    var (isLocked, number): (Int32, Int32) = (0, -1)
    #expect(main >= 0 && ioctl(main, 0x4004_5431, &isLocked) == 0)
    #expect(ioctl(main, 0x8004_5430, &number) == 0)
    path = "/dev/pts/\(number)"
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    #expect(columns == 0 || ioctl(main, UInt(TIOCSWINSZ), &size) == 0)
  }

  deinit { close(main) }

  /// Returns the program's end of the terminal.
  ///
  /// It does not become this process's own terminal.
  func program() -> FileHandle {
    FileHandle(
      fileDescriptor: open(path, O_RDWR | O_NOCTTY | O_CLOEXEC),
      closeOnDealloc: true
    )
  }

  /// Changes the width of the window.
  func resize(columns: UInt16) {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(main, UInt(TIOCSWINSZ), &size) == 0)
  }

  /// Types a text.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(main, bytes, bytes.count) == bytes.count)
  }

  /// Whether the terminal delivers complete lines and echoes input.
  var isCooked: Bool {
    var mode = termios()
    return tcgetattr(main, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON | ECHO) != 0
  }

  /// Reads until a text appears, or until no program uses the terminal any more.
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

extension PseudoTerminal {
  /// Returns the lines on a terminal after the tool has ended.
  static func shown(
    _ arguments: [String],
    columns: UInt16,
    pager: String? = nil,
    in folder: String? = nil
  ) throws -> (lines: [String], status: Int32) {
    let terminal = try PseudoTerminal(columns: columns)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Tool.replay.path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TERM": "xterm", "NO_COLOR": "1", "PAGER": pager ?? ""]
    ) { $1 }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let program = terminal.program()
    process.standardInput = program
    process.standardOutput = program
    process.standardError = FileHandle.nullDevice
    try process.run()
    try program.close()
    let text = terminal.read(until: nil)
    process.waitUntilExit()
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    return (lines, process.terminationStatus)
  }
}
#endif
