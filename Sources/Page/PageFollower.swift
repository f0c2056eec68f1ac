import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// Writes the page of a growing log: `view --follow`.
///
/// Received lines are copied, because a recorder that rotates its files deletes old ones. The page is written from the
/// copy.
struct PageFollower {
  /// The result of reading the log again.
  enum PageUpdate: Equatable {
    /// The page of another log was written.
    case began(path: String, actions: Int)
    /// A line is not an event and was omitted.
    case damagedLine(Int)
  }

  private let operand: String
  private var log: GrowingLog
  private let path: String
  private let program: Program
  private var page: LivePage?
  /// The log shown by the page.
  private var shown: LogCopy?
  /// A log that has begun but is not shown yet.
  private var coming: LogCopy?
  /// The number of readings since the last message to open pages.
  private var silentLooks = 0

  /// The lines of the log so far, in a temporary file.
  private struct LogCopy {
    let name: String
    let file: TemporaryFile
    let handle: FileHandle
    /// The number of lines.
    private(set) var lines = 0

    init(of name: String) throws(StreamError) {
      self.name = name
      file = try TemporaryFile([])
      guard let handle = FileHandle(forWritingAtPath: file.path) else {
        throw StreamError(name: file.path, code: errno, isCreation: true)
      }
      self.handle = handle
    }

    mutating func add(_ text: [UInt8]) throws(StreamError) {
      let code = text.write(to: handle.fileDescriptor)
      guard code == 0 else { throw StreamError(name: file.path, code: code) }
      lines += text.count { $0 == UInt8(ascii: "\n") }
    }

    var slice: LogSlice { LogSlice(path: file.path, name: name) }
  }

  /// Creates a follower.
  ///
  /// - Parameters:
  ///   - log: The path of the recorder.
  ///   - path: The path of the page.
  ///   - program: The program that writes the page.
  init(_ log: String, to path: String, program: Program) {
    operand = log
    self.log = GrowingLog(log)
    self.path = path
    self.program = program
  }

  /// Reads new lines and shows them.
  ///
  /// - Returns: The changes in their order.
  /// - Throws: `LogReadError`, `PageError`, `StreamError`.
  mutating func update() throws -> [PageUpdate] {
    var changes: [PageUpdate] = []
    var hasAdded = false
    while let news = try log.next() {
      switch news {
      case .began(let path): coming = try LogCopy(of: path)
      case .lines(let lines) where coming != nil: try coming?.add(lines)
      case .lines(let lines):
        let sound = soundEvents(of: lines, &changes)
        try shown?.add(sound)
        try page?.add(sound)
        hasAdded = true
      }
    }
    silentLooks += 1
    // A header without a state has no content to show.
    if let next = coming, next.lines > 1 {
      let log = try PageLog(next.slice)
      let page = try self.page ?? LivePage(path, grows: true)
      self.page = page
      try page.write(LogPage(log, program: program))
      (shown, coming) = (next, nil)
      changes.append(.began(path: next.name, actions: log.actionCount))
      silentLooks = 0
    } else if hasAdded || silentLooks >= Self.mostSilentLooks, let page, let shown {
      try page.publish()
      silentLooks = 0
      if page.isRewriteDue { try page.rewrite(LogPage(PageLog(shown.slice), program: program)) }
    }
    return changes
  }

  /// The number of readings without changes after which open pages get a sign of life: about one second.
  private static let mostSilentLooks = 4

  /// Returns the lines that are events.
  private func soundEvents(of lines: [UInt8], _ changes: inout [PageUpdate]) -> [UInt8] {
    var sound: [UInt8] = []
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      if LogEvent(line: line) != nil {
        sound += line
        sound.append(UInt8(ascii: "\n"))
      } else {
        let lines = sound.count { $0 == UInt8(ascii: "\n") }
        changes.append(.damagedLine((shown?.lines ?? 0) + lines + 1))
      }
    }
    return sound
  }

  /// Writes the final page.
  ///
  /// - Returns: The number of actions.
  /// - Throws: `LogReadError` if there was no log, `StreamError`.
  mutating func finalize() throws -> Int {
    guard let page, let shown else { throw LogReadError.noSuchFile(operand) }
    // The page reports a line that the app could not complete.
    if coming == nil { try self.shown?.add(log.incompleteLine) }
    let log = try PageLog(shown.slice)
    try page.finalize(LogPage(log, program: program))
    self.page = nil
    return log.actionCount
  }
}
