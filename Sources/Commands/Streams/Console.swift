@preconcurrency import Foundation
import ReplayEngine

/// The standard streams of a command.
package struct Console {
  package var input: FileHandle
  package var output: any ByteSink
  package var error: any ByteSink
  /// Whether results may be coloured.
  package var hasColor = false
  /// Says how far long work has come.
  package var progress = Progress(isShown: false)
  /// Whether these are the streams of the process itself.
  package var isProcess = false

  package init(input: FileHandle, output: any ByteSink, error: any ByteSink) {
    self.input = input
    self.output = output
    self.error = error
  }

  /// The streams of this process.
  package static func standard(environment: [String: String]) -> Console {
    let progress = Progress(
      isShown: isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    )
    let output = DescriptorSink(STDOUT_FILENO, name: Wording.standardOutput)
    let error = DescriptorSink(STDERR_FILENO, name: Wording.standardError)
    var console = Console(
      input: .standardInput,
      output: progress.making(roomFor: output),
      error: progress.making(roomFor: error)
    )
    console.hasColor = isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
    console.progress = progress
    console.isProcess = true
    return console
  }

  package func print(_ text: String) throws(StreamError) {
    try output.write(text.utf8)
  }

  /// Lets something write to a file, which appears when it is whole, or, for `-` and nothing, to standard output.
  package func write(to path: String?, _ body: (any ByteSink) throws -> Void) throws {
    guard let path, path != "-" else { return try body(output) }
    let file = try AtomicFile(path)
    try body(file)
    try file.finish()
  }

  /// Writes what a command has to say, besides what it writes to a file; on standard output that is for another program.
  package func report(_ text: String, besides path: String?) throws {
    try (path == "-" ? error : output).write(text.utf8)
  }

  /// Writes a diagnostic.
  package func complain(_ text: String) {
    // When even that fails there is nobody left to tell.
    try? error.write("\(text)\n".utf8)
  }
}

extension Console {
  /// Gives the standard streams to the caller alone.
  ///
  /// Whatever else in this process writes to standard output from now on, such as a `print` in a reducer, goes to standard
  /// error, and what reads standard input finds its end.
  package mutating func reserveStreams() {
    guard isProcess else { return }
    reserveInput()
    let reserved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard reserved >= 0 else { return }
    // What is in the buffer already was meant for the output as it was.
    fflush(nil)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    // Line by line, so that what was printed before a trap is there to be read.
    setvbuf(stdout, nil, _IOLBF, 0)
    output = progress.making(
      roomFor: DescriptorSink(reserved, name: Wording.standardOutput)
    )
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

/// The standard streams of this process, which a caller may have closed (`tca-replay show log >&-`).
package enum StandardStreams {
  /// Takes the place of closed ones, so that nothing that is opened later gets their number and what was meant for them.
  ///
  /// They still refuse to be read and written.
  package static func fillPlaces() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The system gives the lowest number that is free, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
