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
/// Beside the page is a folder of scripts (`PageNews`), which goes away at the end. The page that stays is complete in itself.
package final class LivePage {
  private let path: String
  private let grows: Bool
  private var news: PageNews
  private var head: PageHead?
  /// The bytes of the page, and those that came since it was written.
  private var length = 0
  private var added = 0
  private var isEnded = false

  /// Prepares to write a page.
  ///
  /// - Parameters:
  ///   - path: The page.
  ///   - grows: Whether lines are added to it; if not, it is only written anew.
  /// - Throws: `PageError` when another command writes it, `StreamError`.
  package init(_ path: String, grows: Bool) throws {
    self.path = path
    self.grows = grows
    news = try PageNews(besides: path, patience: grows ? Self.patience : Self.longestRun)
  }

  /// Seconds after which a page takes a command that says nothing for one that has ended.
  package static let patience = 10

  /// The same while logs are replayed: nothing can be said meanwhile.
  package static let longestRun = 600

  /// Writes the page; pages that are open load it.
  ///
  /// - Throws: `LogReadError`, `StreamError`.
  package func write(_ page: LogPage) throws { try write(page, isSame: false) }

  /// Writes the page with the lines that were added; pages that are open go on.
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

  /// Tells open pages of the lines that were added, and that the command runs.
  ///
  /// - Parameter patience: Seconds within which this is called again.
  /// - Throws: `StreamError`.
  package func publish(patience: Int = LivePage.patience) throws(StreamError) {
    news.patience = patience
    try news.publish()
  }

  /// Whether so much was added that a page which opens now would be slow.
  package var isRewriteDue: Bool {
    added > max(Self.mostAdded, length / 2) || news.parts > Self.mostParts
  }

  private static let mostAdded = 4 << 20
  private static let mostParts = 512

  /// Writes the page as it stays; open pages keep what they have.
  ///
  /// - Throws: `LogReadError`, `StreamError`.
  package func finalize(_ page: LogPage) throws {
    let file = try AtomicFile(path)
    try page.write(to: file)
    try file.finish()
    isEnded = true
    Self.sayFarewell(to: [self])
  }

  /// Leaves pages as they were written, but for their news.
  ///
  /// - Throws: `StreamError`.
  package static func endAll(_ pages: [LivePage]) throws {
    for page in pages { try page.markEnded() }
    sayFarewell(to: pages)
  }

  /// Tells open pages that nothing more comes, and waits until they have looked.
  private static func sayFarewell(to pages: [LivePage]) {
    let told = pages.filter { (try? $0.news.publishEnd()) != nil }
    if !told.isEmpty { Thread.sleep(forTimeInterval: PageNews.farewell) }
  }

  private func markEnded() throws {
    isEnded = true
    guard let head, let old = FileHandle(forReadingAtPath: path),
      // Something else may have been written there.
      try old.read(upToCount: head.written.count)?.elementsEqual(head.written) == true
    else { return }
    let file = try AtomicFile(path)
    try file.write(head.complete)
    while let bytes = try old.read(upToCount: 1 << 20), !bytes.isEmpty { try file.write(bytes) }
    try file.finish()
  }

  deinit {
    // After an error, too, no page stays that looks for news.
    if !isEnded { try? markEnded() }
  }
}

/// A file whose bytes are counted.
private final class CountingSink: ByteSink {
  let file: AtomicFile
  private(set) var count = 0

  init(_ file: AtomicFile) { self.file = file }

  func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
    count += bytes.count
    try file.write(bytes)
  }
}
