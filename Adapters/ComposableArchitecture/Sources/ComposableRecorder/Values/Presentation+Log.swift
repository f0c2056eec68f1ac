// Only the adapter can make types of the library loggable.
// swift-format-ignore-file: AvoidRetroactiveConformances

public import ActionLog
public import ComposableArchitecture
import Synchronization

extension PresentationState: @retroactive LogValue {
  /// Writes the presented state or `null`.
  public func encode(to encoder: inout LogEncoder) { encoder.value(wrappedValue) }

  /// Reads a state or `null`.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    let state = try PresentedParts.count(nothing: decoder.json.isNull) {
      try decoder.value(State?.self, over: template.map(\.wrappedValue))
    }
    guard var presentation = template else { return Self(wrappedValue: state) }
    // A presented state keeps its identity.
    presentation.wrappedValue = state
    return presentation
  }

  /// Compares the presented states directly.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.value(old.wrappedValue, new.wrappedValue)
  }

  /// Reports the type of the presented state.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.mayBeNull()
    type.contains(State.self)
  }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension PresentationAction: @retroactive LogValue {
  /// Writes the dismissal, or the feature's action.
  public func encode(to encoder: inout LogEncoder) {
    switch self {
    case .dismiss: encoder.writeCase("dismiss") { _ in }
    case .presented(let action): encoder.writeCase("presented") { $0.member("_0", action) }
    }
  }

  /// Reads the dismissal, or the feature's action.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    let (name, payload) = try decoder.enumCase(of: Self.self)
    let members = try payload.members(of: Self.self)
    defer { members.finish() }
    switch name {
    case "dismiss": return .dismiss
    case "presented": return .presented(try members.value("_0"))
    default: throw decoder.error(.unknownCase(name), type: Self.self)
    }
  }

  /// Reports the type of the feature's actions.
  public static func survey(_ type: inout LogTypeSurvey) { type.contains(Action.self) }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension LogEncoder {
  /// Writes a case with its members.
  mutating func writeCase(_ name: String, _ members: (inout LogEncoder) -> Void) {
    beginObject()
    key(name)
    beginObject()
    members(&self)
    endObject()
    endObject()
  }
}

/// Counts the presented parts of a state that is read from a log.
package final class PresentedParts: Sendable {
  private struct Counts {
    var outer = 0
    var inner = 0
    var depth = 0
  }

  private let counts = Mutex(Counts())

  /// The number of top-level parts.
  ///
  /// The library presents them again with the next action.
  package var outer: Int { counts.withLock { $0.outer } }
  /// The number of nested parts.
  ///
  /// The library presents them again with the next action that reaches them.
  package var inner: Int { counts.withLock { $0.inner } }

  /// Creates counts of zero.
  package init() {}

  @TaskLocal private static var current: PresentedParts?

  /// Counts the parts that an operation reads on this thread.
  package func counting<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: operation)
  }

  static func count<Result>(nothing: Bool, _ read: () throws -> Result) rethrows -> Result {
    guard !nothing, let parts = current else { return try read() }
    parts.counts.withLock { counts in
      if counts.depth == 0 { counts.outer += 1 } else { counts.inner += 1 }
      counts.depth += 1
    }
    defer { parts.counts.withLock { $0.depth -= 1 } }
    return try read()
  }
}
