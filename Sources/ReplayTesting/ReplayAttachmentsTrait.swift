#if canImport(Testing)
public import ReplayEngine
import TCAReplaying
public import Testing

/// A trait that attaches the log, its page, and the pictures around the first difference if an `expectReplay` fails.
///
/// ```swift
/// @Test(.replayAttachments) func checkout() async throws {
///   try await expectReplay(of: log) { AppFeature() }
/// }
/// ```
public struct ReplayAttachmentsTrait: SuiteTrait, TestTrait, TestScoping {
  fileprivate let draw: FeatureEntry.Drawing?

  /// Whether the trait of a suite also applies to its tests.
  public var isRecursive: Bool { true }

  /// Runs a test and attaches the files of its failed replays.
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
  /// Attaches the log and its page if an `expectReplay` fails.
  public static var replayAttachments: Self { ReplayAttachmentsTrait(draw: nil) }

  /// Attaches the log, its page, and the pictures around the first difference if an `expectReplay` fails.
  ///
  /// ```swift
  /// @Suite(.replayAttachments { (state: AppFeature.State) in .svg(screen(state), width: 390, height: 844) })
  /// struct Bugs { … }
  /// ```
  ///
  /// - Parameter picture: A closure that draws a state.
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
