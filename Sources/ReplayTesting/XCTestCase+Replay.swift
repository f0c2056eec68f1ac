#if canImport(XCTest) && canImport(ObjectiveC)
import Foundation
public import ReplayEngine
import TCAReplaying
public import XCTest

extension XCTestCase {
  /// Attaches the log and its page to the test if an `expectReplay` in the closure fails.
  ///
  /// ```swift
  /// try await withReplayAttachments {
  ///   try await expectReplay(of: log) { AppFeature() }
  /// }
  /// ```
  ///
  /// - Parameter body: The closure that calls `expectReplay`.
  /// - Throws: The error of the closure.
  @MainActor
  public func withReplayAttachments(_ body: @MainActor () async throws -> Void) async rethrows {
    try await withReplayAttachments(draw: nil, body)
  }

  /// Attaches the log, its page, and the pictures around the first difference if an `expectReplay` in the closure
  /// fails.
  ///
  /// - Parameters:
  ///   - picture: A closure that draws a state.
  ///   - body: The closure that calls `expectReplay`.
  /// - Throws: The error of the closure.
  @MainActor
  public func withReplayAttachments<State: SendableMetatype>(
    picture: @escaping @MainActor @Sendable (State) throws -> ReplayPicture,
    _ body: @MainActor () async throws -> Void
  ) async rethrows {
    let draw: FeatureEntry.Drawing = { checkpoint, header in
      try StateDrawing.picture(checkpoint, header, over: { nil as State? }, picture)
    }
    try await withReplayAttachments(draw: draw, body)
  }

  @MainActor
  private func withReplayAttachments(
    draw: FeatureEntry.Drawing?,
    _ body: @MainActor () async throws -> Void
  ) async rethrows {
    try await FailedReplay.$observer.withValue(
      { [self] failed in
        for file in ReplayAttachments(failed, draw: draw).all {
          let attachment = XCTAttachment(
            uniformTypeIdentifier: "public.data",
            name: file.name,
            payload: Data(file.bytes)
          )
          attachment.lifetime = .keepAlways
          add(attachment)
        }
      },
      operation: { try await body() }
    )
  }
}
#endif
