import ActionLog
import Foundation
import ReplayEngine
import TCACore
import TCAReplaying
import TestSupport
import Testing

@testable import TCAReplayTesting

/// The attachments of a failed `expectReplay` in a test with the trait.
@MainActor @Suite struct ReplayAttachmentsTests {
  @Reducer
  struct Steps {
    @ObservableState struct State: Equatable {
      var count = 0
    }

    enum Action: Equatable { case stepped }

    let size: Int

    init(size: Int = 1) { self.size = size }

    var body: some ReducerOf<Self> {
      Reduce { [size] state, _ in
        state.count += size
        return .none
      }
    }
  }

  private static func draw(_ state: Steps.State) throws -> ReplayPicture {
    .svg("<svg><text>\(state.count)</text></svg>", width: 9, height: 9)
  }

  private static let log = """
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"1","feature":"Steps","stateType":"Steps.State","startedAt":"","recorder":"","environment":{},"segment":1}
    {"kind":"checkpoint","seq":0,"state":{"count":0},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"stepped":{}}}
    {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}]}
    {"kind":"action","seq":2,"at":2,"origin":"view","action":{"stepped":{}}}
    {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/count","value":3}]}

    """

  /// Returns the attachments of a replay of the log with steps of one.
  ///
  /// The recording made a step of two at action 2.
  private func attachments(
    drawing: FeatureEntry.Drawing?
  ) async throws -> (names: [String], texts: [String]) {
    let folder = try TemporaryFolder()
    try folder.write(Self.log, to: "steps.jsonl")
    let made = Attachments()
    await FailedReplay.$observer.withValue(
      { made.files += ReplayAttachments($0, draw: drawing).all },
      operation: {
        await withKnownIssue {
          try await expectReplay(of: URL(fileURLWithPath: "\(folder.path)/steps.jsonl")) {
            Steps()
          } initialState: {
            Steps.State()
          }
        }
      }
    )
    return (made.files.map(\.name), made.files.map { String(decoding: $0.bytes, as: UTF8.self) })
  }

  @MainActor private final class Attachments {
    var files: [ReplayAttachment] = []
  }

  @Test func `a failed replay attaches the log and its page`() async throws {
    let (names, texts) = try await attachments(drawing: nil)
    try #require(names == ["steps.jsonl", "steps.html"])
    #expect(texts[0] == Self.log)
    #expect(texts[1].contains("<script type=\"application/x-tca-replay-other\">"))
  }

  @Test func `a failed replay attaches the pictures around the first difference`() async throws {
    let (names, texts) = try await attachments(drawing: { checkpoint, header in
      try StateDrawing.picture(checkpoint, header, over: { Steps.State() }, Self.draw)
    })
    try #require(
      names == [
        "steps.jsonl", "steps.html", "steps-2-before.svg", "steps-2-recorded.svg",
        "steps-2-replayed.svg",
      ]
    )
    #expect(
      texts.dropFirst(2) == [
        "<svg><text>1</text></svg>", "<svg><text>3</text></svg>", "<svg><text>2</text></svg>",
      ]
    )
  }

  @Test func `a failed replay attaches no pictures when drawing throws`() async throws {
    struct NoPaint: Error {}
    let (names, _) = try await attachments(drawing: { _, _ in throw NoPaint() })
    #expect(names == ["steps.jsonl", "steps.html"])
  }

  @Test(.replayAttachments(picture: Self.draw))
  func `a test with the attachments trait has an observer for failed replays`() {
    #expect(FailedReplay.observer != nil)
  }

  @Test func `a test without the attachments trait has no observer for failed replays`() {
    #expect(FailedReplay.observer == nil)
  }
}
