import ActionLog
@preconcurrency import Foundation
import ReplayEngine

/// The standard streams of a command, and the properties of the terminal.
package struct Console {
  package var input: FileHandle
  package var output: any ByteSink
  package var error: any ByteSink
  /// Whether results may contain escape sequences for colors.
  package var hasColor = false
  /// The width in columns of the terminal that displays results, or `nil` if results don't go to a terminal.
  package var width: Int?
  /// The width in columns of the terminal that displays diagnostics, or `nil` if diagnostics don't go to a terminal.
  package var errorWidth: Int?
  /// The progress line that is shown during long work.
  package var progress = Progress(isShown: false)
  /// Whether these are the standard streams of this process.
  package var isProcess = false

  package init(input: FileHandle, output: any ByteSink, error: any ByteSink) {
    self.input = input
    self.output = output
    self.error = error
  }

  /// Returns the standard streams of this process.
  package static func standard(environment: [String: String]) -> Console {
    let progress = Progress(
      isShown: isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    )
    let output = DescriptorSink(STDOUT_FILENO, name: Wording.standardOutput)
    let error = DescriptorSink(STDERR_FILENO, name: Wording.standardError)
    var console = Console(
      input: .standardInput,
      output: progress.wrapping(output),
      error: progress.wrapping(error)
    )
    // A terminal without a name, or with the name `dumb`, would display the escape sequences as text.
    console.hasColor =
      isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
      && !["", "dumb"].contains(environment["TERM"] ?? "")
    console.width = Self.columns(of: STDOUT_FILENO)
    console.errorWidth = Self.columns(of: STDERR_FILENO)
    console.progress = progress
    console.isProcess = true
    return console
  }

  private static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes text for people to standard output.
  ///
  /// Control characters are removed, because names from logs or files may contain them.
  package func print(_ text: String) throws(StreamError) {
    try output.write(text.withoutControls(keepsColors: hasColor).utf8)
  }

  /// Writes a JSON document on one line to standard output.
  package func print(_ document: JSON) throws(StreamError) {
    try output.write("\(document.description.visibleJSON)\n".utf8)
  }

  /// Writes a JSON document, or else text for people, to standard output.
  ///
  /// - Parameters:
  ///   - document: The document, or `nil` to write the text.
  ///   - text: The text, which is evaluated only if `document` is `nil`.
  /// - Throws: `StreamError` if standard output can't be written.
  package func print(_ document: JSON?, or text: @autoclosure () -> String) throws(StreamError) {
    if let document { try print(document) } else { try print(text()) }
  }

  /// Writes a file that appears when it is complete, or writes to standard output.
  ///
  /// - Parameters:
  ///   - path: The path of the file. For `-` or `nil`, the content is written to standard output.
  ///   - keepsOnTrap: Whether the file is kept if a trap ends the process, with the output up to the trap.
  ///   - body: A closure that writes the content.
  /// - Throws: The errors of `body`, and `StreamError` if the file can't be written.
  package func write(
    to path: String?,
    keepsOnTrap: Bool = false,
    _ body: (any ByteSink) throws -> Void
  ) throws {
    guard let path, path != "-" else { return try body(output) }
    let file = try AtomicFile(path)
    if keepsOnTrap { file.moveIntoPlaceOnTrap() }
    try body(file)
    try file.finish()
  }

  /// Writes a report about a file to standard output, or to standard error if the file itself goes to standard output.
  package func report(_ text: String, besides path: String?) throws {
    try (path == "-" ? error : output).write(text.utf8)
  }

  /// Writes a diagnostic message to standard error.
  package func complain(_ text: String) {
    let text = text.withoutControls()
    let lines = errorWidth.map { text.wrapped(to: $0, indent: "    ") } ?? text
    // A failure to write to standard error can't be reported.
    try? error.write("\(lines)\n".utf8)
  }
}

extension Console {
  /// Reserves the standard streams for the caller.
  ///
  /// From then on, other output to standard output, such as a `print` in a reducer, goes to standard error. Other
  /// readers of standard input find it empty.
  package mutating func reserveStreams() {
    guard isProcess else { return }
    reserveInput()
    let reserved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard reserved >= 0 else { return }
    // The output that is already buffered belongs to standard output.
    fflush(nil)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    // Output is buffered by line, so that output before a trap is not lost.
    setvbuf(stdout, nil, _IOLBF, 0)
    output = progress.wrapping(DescriptorSink(reserved, name: Wording.standardOutput))
  }

  private mutating func reserveInput() {
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0 else { return }
    defer { close(nothing) }
    let reserved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    guard reserved >= 0 else { return }
    dup2(nothing, STDIN_FILENO)
    input = FileHandle(fileDescriptor: reserved, closeOnDealloc: true)
  }
}

/// Functions that check the standard streams of this process.
///
/// The parent may have closed some of them (`tca-replay show log >&-`).
package enum FileDescriptorSetup {
  /// Opens standard streams that are closed, so that no file that is opened later gets their number and their data.
  ///
  /// Reading from and writing to these streams still fails.
  package static func openClosed() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The system assigns the lowest free number, which is the number of the closed stream.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The minimum number of files that a command needs: its log, its output, and those for dispatch queues and signals.
  package static let fewestFiles = 8

  /// Returns the number of files that this process can still open, up to the number that a command needs.
  package static func freeDescriptors() -> Int {
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    while copies.count < fewestFiles {
      let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { break }
      copies.append(copy)
    }
    return copies.count
  }
}
