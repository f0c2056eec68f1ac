/// The name of an effect in a log: the action that started it, and which of that action's effects it is.
///
/// ```swift
/// EffectID(seq: 12, index: 0).description  // 12.0
/// ```
public struct EffectID: Hashable, Sendable, CustomStringConvertible {
  /// The sequence number of the action that started the effect.
  public let seq: Int
  /// Which of the action's own effects it is, counted from 0.
  public let index: Int

  /// The effect of an action.
  public init(seq: Int, index: Int) {
    self.seq = seq
    self.index = index
  }

  /// The effect that a text such as `12.0` names.
  public init?(_ description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let seq = Int(parts[0]), let index = Int(parts[1]) else { return nil }
    self.init(seq: seq, index: index)
    guard self.description == description else { return nil }
  }

  /// The two numbers with a dot between them.
  public var description: String { "\(seq).\(index)" }
}
