import Foundation
import InspectionsFeature
import Observation
import TCACore
import TCAReplaying

/// A run of the app: its store, its recorder, and the functions of the debug menu.
///
/// ```swift
/// let session = InspectionsSession(folder: .temporaryDirectory)
/// session.store.send(.addButtonTapped)
/// let log = try session.exportLog()     // to be shared
/// session.open(log, through: 1)         // the app as it was after the first action
/// session.replay(log)                   // the app as it was at any action
/// ```
@MainActor
@Observable
package final class InspectionsSession {
  /// The store of the app.
  ///
  /// It is replaced when a log is opened.
  package private(set) var store: StoreOf<Inspections>
  /// Moves the store through a log; `nil` after a log was opened at one action.
  package private(set) var timeline: StoreTimeline<Inspections.State, Inspections.Action>?
  /// The last error of the debug menu, for its screen.
  package private(set) var message: String?
  /// The effects that were alive when a log was opened, and their results.
  package private(set) var restored: [String] = []

  private let folder: URL
  private var recorder: Recorder

  /// Begins a run, which is recorded in a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder of the logs. The last eight megabytes are kept.
  ///   - prepareDependencies: Sets dependencies of the app, for tests.
  package init(
    folder: URL,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil
  ) {
    let recorder = Self.recorder(in: folder)
    self.folder = folder
    self.recorder = recorder
    let timeline = StoreTimeline(initialState: Inspections.State()) {
      Inspections()
        .recorded(to: recorder)
    } withDependencies: {
      prepareDependencies?(&$0)
    } restarting: {
      Self.restart($0)
    }
    self.timeline = timeline
    store = timeline.store
  }

  /// The folder of the app's own files.
  package static var supportFolder: URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    let folder = folders.first ?? FileManager.default.temporaryDirectory
    return folder.appending(component: "Inspections")
  }

  /// Writes the recording so far into one file, which a user can share.
  ///
  /// - Returns: The file.
  /// - Throws: The error of writing it.
  package func exportLog() throws -> URL {
    let url = folder.appending(component: "Inspections.jsonl")
    try recorder.export(to: url)
    return url
  }

  /// Continues from an action of a log, with running effects.
  ///
  /// The recording also continues.
  ///
  /// - Parameters:
  ///   - log: The log, for example one that a user has shared.
  ///   - seq: The number of the action. The default is the last one.
  package func open(_ log: URL, through seq: Int? = nil) {
    do {
      let recorder = Self.recorder(in: folder)
      let store = try Store(replaying: .file(log), through: seq) {
        Inspections()
          .recorded(to: recorder)
      } restarting: {
        Self.restart($0)
      }
      timeline = nil
      restored = store.restoredPosition?.effects.map(\.description) ?? []
      self.store = store
      self.recorder = recorder
      message = nil
    } catch {
      message = "\(error)"
    }
  }

  /// Shows the first state of a log, with a timeline to move through it.
  ///
  /// - Parameter log: The log.
  package func replay(_ log: URL) {
    do {
      let recorder = Self.recorder(in: folder)
      let timeline = try StoreTimeline(replaying: .file(log)) {
        Inspections()
          .recorded(to: recorder)
      } restarting: {
        Self.restart($0)
      }
      self.timeline = timeline
      self.recorder = recorder
      store = timeline.store
      restored = []
      message = nil
    } catch {
      message = "\(error)"
    }
  }

  /// Restarts the stopwatch of a visit.
  ///
  /// The action that started it contains the id of its screen.
  private static func restart(_ effect: RestoredEffect) -> EffectRestart<Inspections.Action>? {
    guard effect.name == "watch", let action = effect.startingAction else { return nil }
    return (try? LogDecoder(action).value(Inspections.Action.self)).map { .action($0) }
  }

  /// Returns a separate recorder for each store, so that a log contains only one session.
  private static func recorder(in folder: URL) -> Recorder {
    Recorder(to: .ring(folder.appending(component: "flight.jsonl").path, megabytes: 8))
  }
}
