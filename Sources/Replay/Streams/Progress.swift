import Foundation

/// A line on a terminal's standard error that says how far long work has come; nothing where nobody watches.
final class Progress: Sendable {
  private let isShown: Bool
  private let sink = DescriptorSink(STDERR_FILENO, name: Wording.standardError)

  init(console: Console) {
    isShown = console.isProcess && isatty(STDERR_FILENO) == 1
  }

  /// Replaces the line.
  func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    try? sink.write("\r\u{1B}[K\(text())".utf8)
  }

  /// Takes the line away.
  func clear() {
    guard isShown else { return }
    try? sink.write("\r\u{1B}[K".utf8)
  }
}
