#if canImport(SwiftUI)
import Foundation
public import SwiftUI

/// A view of a timeline for a debug menu.
///
/// The view shows a list of actions, a slider, and buttons that play the timeline, share the log, and continue from the
/// shown state.
///
/// ```swift
/// #Preview {
///   let timeline = try! StoreTimeline(replaying: .file("bug.jsonl")) { AppFeature() }
///   RootView(store: timeline.store).timelineOverlay(timeline)
/// }
/// ```
public struct StoreTimelineView<FeatureState, FeatureAction>: View {
  @SwiftUI.State private var panel: TimelinePanelModel<FeatureState, FeatureAction>

  /// Creates a view that controls a timeline.
  public init(_ timeline: StoreTimeline<FeatureState, FeatureAction>) {
    _panel = SwiftUI.State(wrappedValue: TimelinePanelModel(timeline))
  }

  /// The list of actions, the slider, and the buttons.
  public var body: some View { TimelinePanelView(panel: panel) }
}

extension View {
  /// Overlays a button that opens a timeline of the view's store.
  ///
  /// ```swift
  /// RootView(store: timeline.store).timelineOverlay(timeline)
  /// ```
  ///
  /// - Parameter timeline: The timeline to open.
  /// - Returns: The view with the button.
  public func timelineOverlay<FeatureState, FeatureAction>(
    _ timeline: StoreTimeline<FeatureState, FeatureAction>
  ) -> some View {
    overlay(alignment: .bottom) { TimelineOverlay(timeline) }
  }
}

/// The overlay: either the button that opens the timeline, or the timeline.
private struct TimelineOverlay<FeatureState, FeatureAction>: View {
  @SwiftUI.State private var panel: TimelinePanelModel<FeatureState, FeatureAction>

  init(_ timeline: StoreTimeline<FeatureState, FeatureAction>) {
    _panel = SwiftUI.State(wrappedValue: TimelinePanelModel(timeline))
  }

  var body: some View {
    VStack {
      Button("Timeline") { panel.isOpen.toggle() }
      if panel.isOpen { TimelinePanelView(panel: panel).frame(maxHeight: 320) }
    }
    .background { Color.white }
  }
}

/// The list of actions and the controls of a timeline.
private struct TimelinePanelView<FeatureState, FeatureAction>: View {
  @Bindable var panel: TimelinePanelModel<FeatureState, FeatureAction>

  private var timeline: StoreTimeline<FeatureState, FeatureAction> { panel.timeline }

  private func label(of speed: Double) -> String {
    speed == speed.rounded() ? "\(Int(speed))×" : "\(speed)×"
  }

  var body: some View {
    VStack {
      Text(verbatim: panel.title)
      Slider(value: $panel.sliderPosition, in: panel.sliderPositions, step: 1)
      HStack {
        Button("Back") { timeline.step(by: -1) }
        Button(timeline.isPlaying ? "Pause" : "Play") { panel.togglePlaying() }
          .disabled(!timeline.isInPast)
        Button("Next") { timeline.step(by: 1) }
        Picker("Speed", selection: $panel.speed) {
          ForEach(TimelinePanelModel<FeatureState, FeatureAction>.speeds, id: \.self) { speed in
            Text(verbatim: label(of: speed)).tag(speed)
          }
        }
      }
      HStack {
        Button("Continue from here") { panel.continueFromHere() }
          .disabled(!timeline.isInPast)
        Button("Present") { timeline.returnToPresent() }
          .disabled(!timeline.isInPast || !timeline.hasPresent)
        Button(panel.isBookmarked ? "Remove bookmark" : "Bookmark") { panel.toggleBookmark() }
        Button("Export the log") { panel.share() }
        if let url = panel.shared { ShareLink(item: url) }
      }
      if let message = panel.message { Text(verbatim: message) }
      ForEach(panel.effects, id: \.self) { effect in Text(verbatim: effect) }
      HStack {
        ForEach(panel.bookmarks, id: \.self) { bookmark in
          Button("\(bookmark)") { timeline.position = bookmark }
        }
      }
      List {
        ForEach(panel.actions) { action in
          Button("\(action.seq) \(action.text)") { timeline.position = action.seq }
            .disabled(action.seq == timeline.position)
        }
      }
    }
  }
}
#endif
