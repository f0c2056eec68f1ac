import Foundation
import Observation
import ReplayEngine
internal import TCACore

/// The model for a timeline's view.
@MainActor
@Observable
final class TimelinePanelModel<FeatureState, FeatureAction> {
  let timeline: StoreTimeline<FeatureState, FeatureAction>
  /// Whether the overlay shows the timeline instead of the button that opens it.
  var isOpen = false
  /// The factor by which the recorded pace is multiplied while playing.
  var speed = 1.0
  /// The bookmarked positions.
  private(set) var bookmarks: [Int] = []
  /// The URL of the file with the exported log, or `nil` before the export.
  private(set) var shared: URL?
  /// The effects that were alive where the timeline continued, with one line for each effect.
  private(set) var effects: [String] = []
  private var failure: String?

  static var speeds: [Double] { [0.25, 1, 4, 16] }

  init(_ timeline: StoreTimeline<FeatureState, FeatureAction>) { self.timeline = timeline }

  /// The current position, as the value of a slider.
  var sliderPosition: Double {
    get { Double(timeline.position) }
    set { timeline.position = Int(newValue.rounded()) }
  }

  /// The range of the slider, which contains at least two values.
  var sliderPositions: ClosedRange<Double> {
    let positions = timeline.positions
    return Double(
      positions.lowerBound
    )...Double(max(positions.upperBound, positions.lowerBound + 1))
  }

  /// The title that states the current position.
  var title: String {
    let positions = timeline.positions
    let place = "\(timeline.position) of \(positions.upperBound)"
    guard timeline.isInPast else { return "\(place), live" }
    let held = timeline.heldActionCount
    return held == 0 ? place : "\(place), \(held) held"
  }

  /// The last problem or the first difference as text for the user, or `nil` if there is none.
  var message: String? { failure ?? timeline.problem ?? timeline.divergence?.description }

  /// The actions around the current position.
  var actions: [TimelineAction] { timeline.actions(near: timeline.position, count: 60) }

  func togglePlaying() {
    if timeline.isPlaying { timeline.pause() } else { timeline.play(speed: speed) }
  }

  /// Whether the current position is bookmarked.
  var isBookmarked: Bool { bookmarks.contains(timeline.position) }

  /// Adds or removes a bookmark at the current position.
  func toggleBookmark() {
    let position = timeline.position
    if isBookmarked {
      bookmarks.removeAll { $0 == position }
    } else {
      bookmarks = (bookmarks + [position]).sorted()
    }
  }

  /// Exports the log and all branches to a temporary file.
  func share() {
    attempt {
      let name = "timeline-\(UUID().uuidString).jsonl"
      let url = FileManager.default.temporaryDirectory.appending(component: name)
      try timeline.export(to: url)
      if let shared { try? FileManager.default.removeItem(at: shared) }
      shared = url
    }
  }

  func continueFromHere() {
    attempt {
      effects = try timeline.continueFromHere()?.effects.map(\.description) ?? []
      bookmarks.removeAll { $0 > timeline.position }
    }
  }

  /// Compares the log with a replay by the current code, and shows the first difference.
  func compare() { attempt { try timeline.compare() } }

  private func attempt(_ work: () throws -> Void) {
    do {
      try work()
      failure = nil
    } catch { failure = "\(error)" }
  }
}
