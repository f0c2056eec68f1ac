#if canImport(SwiftUI)
import Foundation
import InspectionsSession
import SwiftUI
import TCAReplaying
import UniformTypeIdentifiers

/// The window of the app: the list, and a debug menu below it.
///
/// ```swift
/// @main struct InspectionsApp: App {
///   var body: some Scene { InspectionsScene() }
/// }
/// ```
public struct InspectionsScene: Scene {
  @State private var session = InspectionsSession(folder: InspectionsSession.supportFolder)
  @State private var showsDebugMenu = false

  /// Begins a run of the app.
  public init() {}

  /// The content of the window.
  public var body: some Scene {
    WindowGroup {
      VStack {
        // Each opened log has its own store, and each store has its own views.
        if let timeline = session.timeline {
          InspectionsView(store: session.store)
            .timelineOverlay(timeline)
            .id(session.store.id)
        } else {
          InspectionsView(store: session.store)
            .id(session.store.id)
        }
        Button("Debug") { showsDebugMenu = true }
      }
      .sheet(isPresented: $showsDebugMenu) { DebugMenu(session: session) }
    }
  }
}

/// Shares the log of this run, and opens a log at one of its actions.
struct DebugMenu: View {
  let session: InspectionsSession

  @State private var exported: URL?
  @State private var opened: URL?
  @State private var seq = 0
  @State private var choosesLog = false
  @State private var message: String?

  var body: some View {
    Form {
      Section("This run") {
        Button("Export the log", action: export)
        if let exported { ShareLink(item: exported) }
      }
      Section("Another run") {
        Button("Choose a log") { choosesLog = true }
        if let opened {
          Stepper("Action \(seq)", value: $seq, in: 0...1_000_000)
          Button("Open at action \(seq)") { session.open(opened, through: seq) }
          Button("Open at the end") { session.open(opened) }
          Button("Move through it") { session.replay(opened) }
        }
        ForEach(session.restored, id: \.self) { effect in Text(effect) }
      }
      if let timeline = session.timeline {
        Section("Timeline") { StoreTimelineView(timeline) }
      }
      if let message = message ?? session.message { Text(message) }
    }
    .fileImporter(isPresented: $choosesLog, allowedContentTypes: [.data]) { result in
      switch result {
      case .success(let url):
        opened = url
        message = nil
      case .failure(let error): message = error.localizedDescription
      }
    }
  }

  private func export() {
    do {
      exported = try session.exportLog()
      message = nil
    } catch {
      message = "\(error)"
    }
  }
}
#endif
