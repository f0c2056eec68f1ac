import Foundation

/// A line of the stack that Swift's runtime writes when a process traps.
///
/// ```
/// 5    app-replay    0x0000555e55137bbf <unavailable> + 7740351
/// ```
struct StackFrame: Equatable {
  /// The file name of the executable or library.
  let image: String
  /// The function, when the runtime knows its name.
  let function: String?
  /// Bytes from the start of the function, or of the image when the function is not known.
  let offset: Int

  /// The line above the frames.
  static let title = "Current stack trace:"

  /// Reads a line; `nil` for one that is not a frame.
  init?(_ line: String) {
    guard let match = line.wholeMatch(of: /\d+ +(\S+) +0x[0-9a-f]+ (.+) \+ (\d+)/),
      let offset = Int(match.3)
    else { return nil }
    image = String(match.1)
    function = match.2 == "<unavailable>" ? nil : String(match.2)
    self.offset = offset
  }
}
