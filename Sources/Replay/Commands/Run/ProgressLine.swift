/// How far a long work has come, on a line of the terminal that is written anew.
struct ProgressLine {
  private let console: Console
  private let total: Int
  private let now: () -> Double
  private let began: Double
  private var shown = -Double.infinity
  private var isVisible = false

  init(_ console: Console, total: Int, now: @escaping () -> Double) {
    self.console = console
    self.total = total
    self.now = now
    began = console.hasProgress ? now() : 0
  }

  /// Seconds: what is over sooner needs no line.
  private static let delay = 0.5
  /// Seconds between two states of the line: more often than anybody can read costs time for nothing.
  private static let interval = 0.1

  /// Shows the line, when it is time.
  mutating func show(_ summary: RunSummary) {
    guard console.hasProgress, total > 1 else { return }
    let now = now()
    guard now - began >= Self.delay, now - shown >= Self.interval
    else { return }
    shown = now
    isVisible = true
    try? console.error.write(Wording.progress(summary, of: total).utf8)
  }

  /// Takes the line away, so that something else can stand there.
  mutating func clear() {
    guard isVisible else { return }
    isVisible = false
    shown = -.infinity
    try? console.error.write("\r\u{1B}[K".utf8)
  }
}
