import Foundation
import SampleFeatures
import TCACore
import Testing

private let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

extension Memo {
  fileprivate init(_ number: Int, title: String = "") {
    self.init(id: UUID(number), title: title, date: now, seconds: 10)
  }
}

/// The list of memos, and the screens above it.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct MemosTests {
  private let clock = TestClock()
  private let deleted = LockIsolated<[UUID]>([])

  private func store(
    _ memos: [Memo] = [Memo(11), Memo(12), Memo(13)],
    permission: MicrophonePermission = .granted,
    _ prepare: @escaping (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<Memos> {
    TestStore(initialState: Memos.State(memos: memos)) {
      Memos()
    } withDependencies: {
      $0.continuousClock = clock
      $0.date = .constant(now)
      $0.uuid = .incrementing
      $0.permissions.microphone = { permission }
      $0.audioPlayer.play = { _, _, _ in try await Task.never() }
      $0.audioRecorder = AudioRecorder(
        start: { _ in },
        pause: {},
        resume: {},
        stop: { 100 },
        delete: { [deleted] id in deleted.withValue { $0.append(id) } },
        levels: { .finished },
        interruptions: { .finished }
      )
      prepare(&$0)
    }
  }

  /// Taps the button of a row, and confirms.
  private func delete(_ number: Int, _ store: TestStoreOf<Memos>, at index: Int) async {
    await store.send(\.memos[id: UUID(number)].deleteButtonTapped)
    await store.receive(\.memos[id: UUID(number)].delegate.deletes) {
      $0.destination = .delete(.delete(UUID(number)))
    }
    await store.send(\.destination.delete.confirmed, UUID(number)) {
      $0.destination = nil
      $0.memos.remove(id: UUID(number))
      $0.deletion = Memos.Deletion(memo: Memo(number), index: index)
    }
  }

  // MARK: Recording

  @Test func `the app asks for the microphone only once at a time`() async {
    let store = store(permission: .undetermined) { [clock] in
      $0.permissions.requestMicrophone = {
        try? await clock.sleep(for: .seconds(1))
        return true
      }
    }
    await store.send(.recordButtonTapped) { $0.panel = .asking }
    await store.send(.recordButtonTapped)
    await clock.advance(by: .seconds(1))
    await store.receive(\.permissionResponse, true) {
      $0.panel = .recording(Recording.State(id: UUID(0), date: now))
    }
    await store.receive(\.panel.recording.task)
    await store.receive(\.panel.recording.started.success) {
      $0.panel?.modify(\.recording) { $0.mode = .recording }
    }
    await finish(store, UUID(0))
  }

  /// Stops the recording, which becomes the first memo.
  private func finish(_ store: TestStoreOf<Memos>, _ id: UUID, seconds: Int = 0) async {
    await store.send(\.panel.recording.stopButtonTapped) {
      $0.panel?.modify(\.recording) { $0.mode = .stopping }
    }
    await store.receive(\.panel.recording.stopped.success)
    await store.receive(\.panel.recording.delegate.finished) {
      $0.panel = nil
      $0.memos.insert(MemoRow.State(memo: Memo(id: id, date: now, seconds: seconds)), at: 0)
    }
  }

  private func record(_ store: TestStoreOf<Memos>, _ id: UUID) async {
    await store.send(.recordButtonTapped) {
      $0.panel = .recording(Recording.State(id: id, date: now))
    }
    await store.receive(\.panel.recording.task)
    await store.receive(\.panel.recording.started.success) {
      $0.panel?.modify(\.recording) { $0.mode = .recording }
    }
  }

  @Test func `a user who denies the microphone is offered the settings`() async {
    let isOpened = LockIsolated(false)
    let store = store(permission: .undetermined) {
      $0.permissions.requestMicrophone = { false }
      $0.permissions.openSettings = { isOpened.setValue(true) }
    }
    await store.send(.recordButtonTapped) { $0.panel = .asking }
    await store.receive(\.permissionResponse, false) { $0.panel = .denied }
    await store.send(.openSettingsButtonTapped) { $0.panel = nil }
    await store.finish()
    #expect(isOpened.value)
  }

  @Test func `the app does not ask again for a denied microphone`() async {
    let store = store(permission: .denied)
    await store.send(.recordButtonTapped) { $0.panel = .denied }
    await store.send(.recordButtonTapped)
  }

  @Test func `a finished recording becomes the first memo`() async {
    let store = store()
    await record(store, UUID(0))
    await clock.advance(by: .seconds(1))
    await store.receive(\.panel.recording.ticked) {
      $0.panel?.modify(\.recording) { $0.seconds = 1 }
    }
    await finish(store, UUID(0), seconds: 1)
    #expect(store.state.memos.ids.first == UUID(0))
  }

  @Test func `each recording has an id of its own`() async {
    let store = store([])
    await record(store, UUID(0))
    await finish(store, UUID(0))
    await record(store, UUID(1))
    await finish(store, UUID(1))
    #expect(Array(store.state.memos.ids) == [UUID(1), UUID(0)])
  }

  @Test func `a discarded recording is not listed and its file is deleted`() async {
    let store = store()
    await record(store, UUID(0))
    await store.send(\.panel.recording.discardButtonTapped) {
      $0.panel?.modify(\.recording) { $0.dialog = .discard }
    }
    await store.send(\.panel.recording.dialog.discard) {
      $0.panel?.modify(\.recording) { $0.dialog = nil }
    }
    await store.receive(\.panel.recording.delegate.discarded) { $0.panel = nil }
    #expect(deleted.value == [UUID(0)])
  }

  @Test func `a failed recording can be tried again`() async {
    let hasMicrophone = LockIsolated(false)
    let store = store {
      $0.audioRecorder.start = { _ in
        guard hasMicrophone.value else { throw AudioError.noMicrophone }
      }
    }
    await store.send(.recordButtonTapped) {
      $0.panel = .recording(Recording.State(id: UUID(0), date: now))
    }
    await store.receive(\.panel.recording.task)
    await store.receive(\.panel.recording.started.failure)
    await store.receive(\.panel.recording.delegate.failed, .noMicrophone) {
      $0.panel = nil
      $0.destination = .alert(.notRecorded(.noMicrophone))
    }
    hasMicrophone.setValue(true)
    await store.send(\.destination.alert.recordAgain) { $0.destination = nil }
    await store.receive(\.recordButtonTapped) {
      $0.panel = .recording(Recording.State(id: UUID(1), date: now))
    }
    await store.receive(\.panel.recording.task)
    await store.receive(\.panel.recording.started.success) {
      $0.panel?.modify(\.recording) { $0.mode = .recording }
    }
    await finish(store, UUID(1))
  }

  @Test(
    arguments: [
      (AudioError?.none, ["Try again", "OK"]), (.noMicrophone, ["Try again", "OK"]),
      (.noRoom, ["OK"]),
    ]
  )
  func `the alert for a failed recording offers to try again unless the disk is full`(
    error: AudioError?,
    buttons: [String]
  ) {
    let alert: AlertState<Memos.Alert> = .notRecorded(error)
    #expect(alert.buttons.map { String(state: $0.label) } == buttons)
  }

  @Test func `starting a recording stops the playing memo`() async {
    let store = store()
    await store.send(\.memos[id: UUID(12)].playButtonTapped) {
      $0.memos[id: UUID(12)]?.playback = .playing(second: 0)
    }
    await store.receive(\.memos[id: UUID(12)].delegate.plays)
    await store.send(.recordButtonTapped) {
      $0.panel = .recording(Recording.State(id: UUID(0), date: now))
    }
    await store.receive(\.memos[id: UUID(12)].stop) {
      $0.memos[id: UUID(12)]?.playback = .stopped
    }
    await store.receive(\.panel.recording.task)
    await store.receive(\.panel.recording.started.success) {
      $0.panel?.modify(\.recording) { $0.mode = .recording }
    }
    await finish(store, UUID(0))
  }

  // MARK: Playing

  @Test func `playing a memo stops the memo that was playing`() async {
    let store = store()
    await store.send(\.memos[id: UUID(11)].playButtonTapped) {
      $0.memos[id: UUID(11)]?.playback = .playing(second: 0)
    }
    await store.receive(\.memos[id: UUID(11)].delegate.plays)
    await clock.advance(by: .seconds(1))
    await store.receive(\.memos[id: UUID(11)].ticked) {
      $0.memos[id: UUID(11)]?.playback = .playing(second: 1)
    }
    await store.send(\.memos[id: UUID(13)].playButtonTapped) {
      $0.memos[id: UUID(13)]?.playback = .playing(second: 0)
    }
    await store.receive(\.memos[id: UUID(13)].delegate.plays)
    await store.receive(\.memos[id: UUID(11)].stop) {
      $0.memos[id: UUID(11)]?.playback = .stopped
    }
    await clock.advance(by: .seconds(1))
    await store.receive(\.memos[id: UUID(13)].ticked) {
      $0.memos[id: UUID(13)]?.playback = .playing(second: 1)
    }
    await store.send(\.memos[id: UUID(13)].stop) {
      $0.memos[id: UUID(13)]?.playback = .stopped
    }
  }

  @Test func `playing a memo resets other memos that are paused`() async {
    let store = store()
    for number in [11, 12] {
      await store.send(\.memos[id: UUID(number)].sliderMoved, 4) {
        $0.memos[id: UUID(number)]?.playback = .paused(second: 4)
      }
    }
    await store.send(\.memos[id: UUID(13)].playButtonTapped) {
      $0.memos[id: UUID(13)]?.playback = .playing(second: 0)
    }
    await store.receive(\.memos[id: UUID(13)].delegate.plays)
    for number in [11, 12] {
      await store.receive(\.memos[id: UUID(number)].stop) {
        $0.memos[id: UUID(number)]?.playback = .stopped
      }
    }
    await store.send(\.memos[id: UUID(13)].stop) {
      $0.memos[id: UUID(13)]?.playback = .stopped
    }
  }

  @Test func `a memo that cannot be played shows an alert`() async {
    let store = store { $0.audioPlayer.play = { _, _, _ in throw AudioError.noFile } }
    await store.send(\.memos[id: UUID(11)].playButtonTapped) {
      $0.memos[id: UUID(11)]?.playback = .playing(second: 0)
    }
    await store.receive(\.memos[id: UUID(11)].delegate.plays)
    await store.receive(\.memos[id: UUID(11)].played.failure) {
      $0.memos[id: UUID(11)]?.playback = .stopped
    }
    await store.receive(\.memos[id: UUID(11)].delegate.failed) {
      $0.destination = .alert(.notPlayed)
    }
    await store.send(\.destination.dismiss) { $0.destination = nil }
  }

  // MARK: Deleting

  @Test func `the file of a deleted memo is deleted after five seconds`() async {
    let store = store()
    await delete(12, store, at: 1)
    await clock.advance(by: .seconds(4))
    #expect(deleted.value == [])
    await clock.advance(by: .seconds(1))
    await store.receive(\.undoExpired) { $0.deletion = nil }
    await store.finish()
    #expect(deleted.value == [UUID(12)])
  }

  @Test func `deleting a playing memo ends its playback`() async {
    let store = store()
    await store.send(\.memos[id: UUID(12)].playButtonTapped) {
      $0.memos[id: UUID(12)]?.playback = .playing(second: 0)
    }
    await store.receive(\.memos[id: UUID(12)].delegate.plays)
    await delete(12, store, at: 1)
    // A removed row sends no ticks.
    await clock.advance(by: .seconds(5))
    await store.receive(\.undoExpired) { $0.deletion = nil }
  }

  @Test func `undoing a deletion restores the memo at its position`() async {
    let store = store()
    await delete(12, store, at: 1)
    await clock.advance(by: .seconds(4))
    await store.send(.undoButtonTapped) {
      $0.deletion = nil
      $0.memos.insert(MemoRow.State(memo: Memo(12)), at: 1)
    }
    await clock.advance(by: .seconds(9))
    #expect(Array(store.state.memos.ids) == [UUID(11), UUID(12), UUID(13)])
    #expect(deleted.value == [])
  }

  @Test func `only the last deletion of a memo can be undone`() async {
    let store = store()
    await delete(11, store, at: 0)
    await clock.advance(by: .seconds(3))
    await delete(13, store, at: 1)
    // The first recording is final now, and the time of the second one starts again.
    await clock.advance(by: .seconds(3))
    #expect(deleted.value == [UUID(11)])
    await store.send(.undoButtonTapped) {
      $0.deletion = nil
      $0.memos.append(MemoRow.State(memo: Memo(13)))
    }
    await store.send(.undoButtonTapped)
  }

  @Test func `dismissing the confirmation keeps the memo`() async {
    let store = store()
    await store.send(\.memos[id: UUID(11)].deleteButtonTapped)
    await store.receive(\.memos[id: UUID(11)].delegate.deletes) {
      $0.destination = .delete(.delete(UUID(11)))
    }
    await store.send(\.destination.dismiss) { $0.destination = nil }
    #expect(store.state.memos.count == 3)
  }

  @Test func `a user can turn off the confirmation of deletions`() async {
    let store = store()
    await store.send(\.memos[id: UUID(11)].deleteButtonTapped)
    await store.receive(\.memos[id: UUID(11)].delegate.deletes) {
      $0.destination = .delete(.delete(UUID(11)))
    }
    await store.send(\.destination.delete.confirmedAlways, UUID(11)) {
      $0.destination = nil
      $0.$confirmsDeletion.withLock { $0 = false }
      $0.memos.remove(id: UUID(11))
      $0.deletion = Memos.Deletion(memo: Memo(11), index: 0)
    }
    await store.send(\.memos[id: UUID(12)].deleteButtonTapped)
    await store.receive(\.memos[id: UUID(12)].delegate.deletes) {
      $0.memos.remove(id: UUID(12))
      $0.deletion = Memos.Deletion(memo: Memo(12), index: 0)
    }
    await clock.advance(by: .seconds(5))
    await store.receive(\.undoExpired) { $0.deletion = nil }
  }

  // MARK: Sheets

  @Test func `renaming a memo trims the title and removes line breaks`() async {
    let store = store([Memo(11, title: "Mill")])
    await store.send(\.memos[id: UUID(11)].renameButtonTapped)
    await store.receive(\.memos[id: UUID(11)].delegate.renames) {
      $0.destination = .rename(RenameMemo.State(memo: Memo(11, title: "Mill")))
    }
    await store.send(\.destination.rename.view.binding.title, " Old \n mill ") {
      $0.destination?.modify(\.rename) { $0.title = " Old \n mill " }
    }
    await store.send(\.destination.rename.view.saveButtonTapped)
    await store.receive(\.destination.rename.delegate.renamed) {
      $0.memos[id: UUID(11)]?.memo.title = "Old mill"
    }
    await store.receive(\.destination.dismiss) { $0.destination = nil }
  }

  @Test func `canceling a rename keeps the title`() async {
    let store = store([Memo(11, title: "Mill")])
    await store.send(\.memos[id: UUID(11)].renameButtonTapped)
    await store.receive(\.memos[id: UUID(11)].delegate.renames) {
      $0.destination = .rename(RenameMemo.State(memo: Memo(11, title: "Mill")))
    }
    await store.send(\.destination.rename.view.binding.title, "Bridge") {
      $0.destination?.modify(\.rename) { $0.title = "Bridge" }
    }
    await store.send(\.destination.rename.view.cancelButtonTapped)
    await store.receive(\.destination.dismiss) { $0.destination = nil }
    #expect(store.state.memos.map(\.memo.title) == ["Mill"])
  }

  @Test func `renaming a playing memo does not interrupt it`() async {
    let store = store([Memo(11)])
    await store.send(\.memos[id: UUID(11)].playButtonTapped) {
      $0.memos[id: UUID(11)]?.playback = .playing(second: 0)
    }
    await store.receive(\.memos[id: UUID(11)].delegate.plays)
    await store.send(\.memos[id: UUID(11)].renameButtonTapped)
    await store.receive(\.memos[id: UUID(11)].delegate.renames) {
      $0.destination = .rename(RenameMemo.State(memo: Memo(11)))
    }
    await store.send(\.destination.rename.view.binding.title, "Mill") {
      $0.destination?.modify(\.rename) { $0.title = "Mill" }
    }
    await store.send(\.destination.rename.view.saveButtonTapped)
    await store.receive(\.destination.rename.delegate.renamed) {
      $0.memos[id: UUID(11)]?.memo.title = "Mill"
    }
    await store.receive(\.destination.dismiss) { $0.destination = nil }
    await clock.advance(by: .seconds(1))
    await store.receive(\.memos[id: UUID(11)].ticked) {
      $0.memos[id: UUID(11)]?.playback = .playing(second: 1)
    }
    await store.send(\.memos[id: UUID(11)].stop) {
      $0.memos[id: UUID(11)]?.playback = .stopped
    }
  }

  @Test func `the settings sheet changes whether the list confirms deletions`() async {
    let store = store()
    await store.send(.settingsButtonTapped) {
      $0.destination = .settings(MemoSettings.State())
    }
    await store.send(\.destination.settings.confirmsDeletionToggled) {
      $0.$confirmsDeletion.withLock { $0 = false }
    }
    await store.send(\.destination.settings.doneButtonTapped)
    await store.receive(\.destination.dismiss) { $0.destination = nil }
    await store.send(\.memos[id: UUID(13)].deleteButtonTapped)
    await store.receive(\.memos[id: UUID(13)].delegate.deletes) {
      $0.memos.remove(id: UUID(13))
      $0.deletion = Memos.Deletion(memo: Memo(13), index: 2)
    }
    await clock.advance(by: .seconds(5))
    await store.receive(\.undoExpired) { $0.deletion = nil }
  }

  @Test(arguments: [(1.5, 1.5), (0.1, 0.5), (9, 2)])
  func `the playback rate in the settings is clamped and applies to all memos`(
    picked: Double,
    rate: Double
  ) async {
    let store = store()
    await store.send(.settingsButtonTapped) {
      $0.destination = .settings(MemoSettings.State())
    }
    await store.send(\.destination.settings.playbackRatePicked, picked) {
      $0.destination?.modify(\.settings) { $0.$playbackRate.withLock { $0 = rate } }
    }
    #expect(store.state.memos.map(\.rate) == [rate, rate, rate])
  }
}
