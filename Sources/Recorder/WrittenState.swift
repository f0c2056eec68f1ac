import ActionLog

/// The state as it was last written, where all of it is written for each action: recordings with masks and filters need it
/// as a value.
struct WrittenState: Sendable {
  private var text: [UInt8] = []
  /// The state as a value.
  private(set) var json: JSON = .null

  init() {}

  init(_ state: some Any) { _ = update(state) }

  /// Takes over a state.
  ///
  /// - Returns: What turns the last one into it.
  mutating func update(_ state: some Any) -> JSON.Patch {
    var encoder = LogEncoder()
    encoder.value(state)
    guard encoder.bytes != text else { return JSON.Patch() }
    let new = JSON(written: encoder)
    let patch = JSON.Patch(from: json, to: new)
    json = new
    text = encoder.bytes
    return patch
  }
}
