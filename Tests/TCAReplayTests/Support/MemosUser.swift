import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TCAReplay
import TestSupport

/// A user who records, plays and deletes memos.
enum MemosUser {
  static func action(_ state: JSON, _ random: inout SplitMix64) -> Memos.Action? {
    if let destination = state[path: "destination"] {
      return presented(destination, &random).map { .destination($0) }
    }
    if let recording = state[path: "panel", "recording", "_0"],
      Int.random(in: 0..<2, using: &random) == 0
    {
      return .panel(.recording(self.recording(recording, &random)))
    }
    let ids = (state[path: "memos"]?.array ?? []).compactMap { $0[path: "memo", "id"]?.uuid }
    guard !ids.isEmpty, Int.random(in: 0..<3, using: &random) > 0 else {
      return [.recordButtonTapped, .recordButtonTapped, .settingsButtonTapped, .undoButtonTapped]
        .pick(&random)
    }
    let action: MemoRow.Action = [
      .playButtonTapped, .playButtonTapped, .playButtonTapped,
      .sliderMoved(to: Int.random(in: 0...3, using: &random)), .renameButtonTapped,
      .deleteButtonTapped,
    ].pick(&random)
    return .memos(.element(id: ids.pick(&random), action: action))
  }

  private static func recording(
    _ state: JSON,
    _ random: inout SplitMix64
  ) -> Recording.Action {
    if state[path: "dialog"] != nil {
      return .dialog([.dismiss, .presented(.discard)].pick(&random))
    }
    return [.pauseButtonTapped, .stopButtonTapped, .discardButtonTapped].pick(&random)
  }

  private static func presented(
    _ destination: JSON,
    _ random: inout SplitMix64
  ) -> PresentationAction<Memos.Destination.Action>? {
    if let dialog = destination[path: "delete", "_0"] {
      let button = dialog[path: "buttons"]?.array?.first
      guard let id = button?[path: "action", "action", "confirmed", "_0"]?.uuid else {
        return .dismiss
      }
      return [
        .dismiss, .presented(.delete(.confirmed(id))), .presented(.delete(.confirmedAlways(id))),
      ].pick(&random)
    }
    if destination[path: "rename"] != nil {
      return .presented(
        .rename(
          .view(
            [.binding(.set(\.title, "Rain")), .saveButtonTapped, .cancelButtonTapped].pick(&random)
          )
        )
      )
    }
    if destination[path: "settings"] != nil {
      return .presented(
        .settings(
          [
            .confirmsDeletionToggled, .playbackRatePicked(2), .playbackRatePicked(1),
            .doneButtonTapped,
          ]
          .pick(&random)
        )
      )
    }
    return .dismiss
  }
}
