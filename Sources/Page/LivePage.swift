import ActionLog
import Foundation
import ReplayCommands

/// A page that browsers may have open while it is written: they go on with it.
///
/// ```swift
/// let page = try LivePage("todos.html", grows: true)
/// try page.write(LogPage(log, program: program))
/// try page.add(lines)
/// try page.publish()
/// try page.publish()  // once a second, as a sign of life
/// try LivePage.endAll([page])
/// ```
///
/// Beside the page is a folder of scripts (`PageUpdateScripts`), which goes away at the end. The page that stays is complete in itself.
package final class LivePage {
  private let path: String
  private let grows: Bool
  private var news: PageUpdateScripts
  private var head: PageHead?
  /// The size of the page in bytes, and the bytes added since the page was written.
  private var length = 0
  private var added = 0
  private var isEnded = false

  /// Prepares to write a page.
  ///
  /// - Parameters:
  ///   - path: The path of the page.
  ///   - grows: Whether lines are added to it. If `false`, the page is only rewritten.
  /// - Throws: `PageError` if another command writes the page, `StreamError`.
  package init(_ path: String, grows: Bool) throws {
    self.path = path
    self.grows = grows
    news = try PageUpdateScripts(besides: path, patience: grows ? Self.patience : Self.longestRun)
  }

  /// The number of seconds after which a page considers a silent command to have ended.
  package static let patience = 10

  /// The same limit while logs are replayed.
  ///
  /// No signs of life can be sent during a replay.
  package static let longestRun = 600

  /// Writes the page.
  ///
  /// Open pages reload it.
  ///
  /// - Throws: `LogReadError`, `StreamError`.
  package func write(_ page: LogPage) throws { try write(page, isSame: false) }

  /// Writes the page with the added lines.
  ///
  /// Open pages continue without a reload.
  ///
  /// - Throws: `LogReadError`, `StreamError`.
  package func rewrite(_ page: LogPage) throws { try write(page, isSame: true) }

  private func write(_ page: LogPage, isSame: Bool) throws {
    let source = news.source(isSame: isSame, grows: grows)
    let file = CountingSink(try AtomicFile(path))
    let head = try page.write(to: file, live: source)
    try file.file.finish()
    self.head = head
    (length, added) = (file.count, 0)
    news.pageIsWritten(source)
    try news.publish()
  }

  /// Adds lines to the log, each with its line feed.
  ///
  /// - Throws: `StreamError`.
  package func add(_ lines: [UInt8]) throws(StreamError) {
    added += lines.count
    try news.add(lines)
  }

  /// Announces the added lines to open pages, and that the command still runs.
  ///
  /// - Parameter patience: The number of seconds within which this method is called again.
  /// - Throws: `StreamError`.
  package func publish(patience: Int = LivePage.patience) throws(StreamError) {
    news.patience = patience
    try news.publish()
  }

  /// Whether so many lines were added that a newly opened page would load slowly.
  package var isRewriteDue: Bool {
    added > max(Self.mostAdded, length / 2) || news.parts > Self.mostParts
  }

  private static let mostAdded = 4 << 20
  private static let mostParts = 512

  /// Writes the final page.
  ///
  /// Open pages keep their content.
  ///
  /// - Throws: `LogReadError`, `StreamError`.
  package func finalize(_ page: LogPage) throws {
    let file = try AtomicFile(path)
    try page.write(to: file)
    try file.finish()
    isEnded = true
    Self.announceEnd(to: [self])
  }

  /// Leaves pages as they were last written, without their scripts.
  ///
  /// - Throws: `StreamError`.
  package static func endAll(_ pages: [LivePage]) throws {
    for page in pages { try page.markEnded() }
    announceEnd(to: pages)
  }

  /// Announces the end to open pages, and waits until they have read it.
  private static func announceEnd(to pages: [LivePage]) {
    let told = pages.filter { (try? $0.news.publishEnd()) != nil }
    if !told.isEmpty { Thread.sleep(forTimeInterval: PageUpdateScripts.farewell) }
  }

  private func markEnded() throws {
    isEnded = true
    guard let head, let old = FileHandle(forReadingAtPath: path),
      // Another program may have replaced the file.
      try old.read(upToCount: head.written.count)?.elementsEqual(head.written) == true
    else { return }
    let file = try AtomicFile(path)
    try file.write(head.complete)
    while let bytes = try old.read(upToCount: 1 << 20), !bytes.isEmpty { try file.write(bytes) }
    try file.finish()
  }

  deinit {
    // After an error, the page must not keep waiting for updates.
    if !isEnded { try? markEnded() }
  }
}

/// A file that counts the written bytes.
private final class CountingSink: ByteSink {
  let file: AtomicFile
  private(set) var count = 0

  init(_ file: AtomicFile) { self.file = file }

  func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
    count += bytes.count
    try file.write(bytes)
  }
}
