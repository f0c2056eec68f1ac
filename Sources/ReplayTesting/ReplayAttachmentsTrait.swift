#if canImport(Testing)
public import ReplayEngine
import TCAReplaying
public import Testing

/// Attaches the log, its page, and the pictures around the first difference where an `expectReplay` of a test fails.
///
/// ```swift
/// @Test(.replayAttachments) func checkout() async throws {
///   try await expectReplay(of: log) { AppFeature() }
/// }
/// ```
public struct ReplayAttachmentsTrait: SuiteTrait, TestTrait, TestScoping {
  fileprivate let draw: FeatureEntry.Drawing?

  /// Whether the tests of a suite have it, too.
  public var isRecursive: Bool { true }

  /// Runs a test, and attaches what it leaves behind.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let draw = draw
    try await FailedReplay.$observer.withValue(
      { failed in
        for file in ReplayAttachments(failed, draw: draw).all {
          Attachment.record(file.bytes, named: file.name)
        }
      },
      operation: { try await function() }
    )
  }
}

extension Trait where Self == ReplayAttachmentsTrait {
  /// Attaches the log and its page where an `expectReplay` fails.
  public static var replayAttachments: Self { ReplayAttachmentsTrait(draw: nil) }

  /// Attaches the log, its page, and the pictures around the first difference where an `expectReplay` fails.
  ///
  /// ```swift
  /// @Suite(.replayAttachments { (state: AppFeature.State) in .svg(screen(state), width: 390, height: 844) })
  /// struct Bugs { … }
  /// ```
  ///
  /// - Parameter picture: Draws a state.
  /// - Returns: The trait.
  public static func replayAttachments<State: SendableMetatype>(
    picture: @escaping @MainActor @Sendable (State) throws -> ReplayPicture
  ) -> Self {
    ReplayAttachmentsTrait(draw: { checkpoint, header in
      try StateDrawing.picture(checkpoint, header, over: { nil as State? }, picture)
    })
  }
}
#endif
