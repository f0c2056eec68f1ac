// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in issue-1007c681c6d6450f.jsonl.
///
/// The fault: reports an issue at SampleFeatures/Playlist.swift:91.
@MainActor func `issue 1007c681c6d6450f`() async throws {
  let state: Playlist.State = try logged(
    #"""
    {"songs":[],"playing":null,"volume":50,"bars":5,"average":0,"removed":[],"lyrics":null}
    """#
  )
  let store = TestStore(initialState: state) {
    Playlist()
  }

  await store.send(.added(3)) {
    try $0.songs.append(logged(#"{"id":3,"stars":0,"isDownloaded":false}"#))
  }
  await store.send(.removed(3)) {
    $0.songs = []
    try $0.removed.append(logged(#"{"id":3,"stars":0,"isDownloaded":false}"#))
  }
  await store.send(.added(3)) {
    try $0.songs.append(logged(#"{"id":3,"stars":0,"isDownloaded":false}"#))
  }
  await store.send(.undoButtonTapped) {
    $0.songs = try logged(
      #"""
      [{"id":3,"stars":0,"isDownloaded":false},{"id":3,"stars":0,"isDownloaded":false}]
      """#
    )
    $0.removed = []
  }
}

/// Takes the steps that were recorded in issue-1dfa272ad7d34bbd.jsonl.
///
/// The fault: reports an issue at SampleFeatures/Playlist.swift:136.
@MainActor func `issue 1dfa272ad7d34bbd`() async throws {
  let effects = StubbedEffects<Playlist.Action>()
  let state: Playlist.State = try logged(
    #"""
    {"songs":[],"playing":null,"volume":50,"bars":5,"average":0,"removed":[],"lyrics":null}
    """#
  )
  let store = TestStore(initialState: state) {
    Playlist().stubbingEffects(by: effects)
  }

  await store.send(.lyricsButtonTapped(0)) {
    $0.lyrics = try logged(#"{"song":0,"text":null}"#)
  }
  await store.send(.closeButtonTapped) {
    $0.lyrics = nil
  }
  await effects.send(.lyrics(.presented(.loaded(""))), from: "lyrics")
  await store.receive(\.lyrics.presented)
  await store.skipInFlightEffects()
}

/// Takes the steps that were recorded in trapped-152b8763ceb9c92e.jsonl.
///
/// The fault: trapped (SIGILL), action .downloaded.
@MainActor func `trapped 152b8763ceb9c92e`() async throws {
  let effects = StubbedEffects<Playlist.Action>()
  let state: Playlist.State = try logged(
    #"""
    {"songs":[],"playing":null,"volume":50,"bars":5,"average":0,"removed":[],"lyrics":null}
    """#
  )
  let store = TestStore(initialState: state) {
    Playlist().stubbingEffects(by: effects)
  }

  await store.send(.downloadButtonTapped(0))
  // The next action ends the process with SIGILL.
  await effects.send(.downloaded(0), from: "download")
  await store.receive(\.downloaded, 0)
  await store.skipInFlightEffects()
}

/// Takes the steps that were recorded in trapped-1daac215e6b79606.jsonl.
///
/// The fault: trapped (SIGILL), action .averageButtonTapped.
@MainActor func `trapped 1daac215e6b79606`() async throws {
  let effects = StubbedEffects<Playlist.Action>()
  let state: Playlist.State = try logged(
    #"""
    {"songs":[],"playing":null,"volume":50,"bars":5,"average":0,"removed":[],"lyrics":null}
    """#
  )
  let store = TestStore(initialState: state) {
    Playlist().stubbingEffects(by: effects)
  }

  await store.send(.added(3)) {
    try $0.songs.append(logged(#"{"id":3,"stars":0,"isDownloaded":false}"#))
  }
  await store.send(.downloadButtonTapped(0))
  await effects.finish("download", sending: .downloaded(3))
  await store.receive(\.downloaded, 3) {
    $0.songs[0].isDownloaded = true
  }
  // The next action ends the process with SIGILL.
  await store.send(.averageButtonTapped)
}
