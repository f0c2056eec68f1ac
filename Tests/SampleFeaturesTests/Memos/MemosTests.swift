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

/// The list of memos, and what lies on it.
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

  @Test func theUserIsAskedOnce() async {
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

  @Test func whoSaysNoIsShownTheWayToTheSettings() async {
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

  @Test func whoHasSaidNoIsNotAskedAgain() async {
    let store = store(permission: .denied)
    await store.send(.recordButtonTapped) { $0.panel = .denied }
    await store.send(.recordButtonTapped)
  }

  @Test func aRecordingBecomesTheFirstMemo() async {
    let store = store()
    await record(store, UUID(0))
    await clock.advance(by: .seconds(1))
    await store.receive(\.panel.recording.ticked) {
      $0.panel?.modify(\.recording) { $0.seconds = 1 }
    }
    await finish(store, UUID(0), seconds: 1)
    #expect(store.state.memos.ids.first == UUID(0))
  }

  @Test func everyRecordingHasAnIdOfItsOwn() async {
    let store = store([])
    await record(store, UUID(0))
    await finish(store, UUID(0))
    await record(store, UUID(1))
    await finish(store, UUID(1))
    #expect(Array(store.state.memos.ids) == [UUID(1), UUID(0)])
  }

  @Test func aDiscardedRecordingIsNotListed() async {
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

  @Test func aRecordingThatFailsCanBeTriedAgain() async {
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
  func theAlertOfAFailureFitsIt(error: AudioError?, buttons: [String]) {
    let alert: AlertState<Memos.Alert> = .notRecorded(error)
    #expect(alert.buttons.map { String(state: $0.label) } == buttons)
  }

  @Test func aRecordingSilencesWhatIsPlayed() async {
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

  @Test func oneMemoIsPlayedAtATime() async {
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

  @Test func pausedMemosGoBackToTheirBeginningToo() async {
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

  @Test func aMemoThatCannotBePlayedIsToldOf() async {
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

  @Test func aDeletedMemoLosesItsFileAfterFiveSeconds() async {
    let store = store()
    await delete(12, store, at: 1)
    await clock.advance(by: .seconds(4))
    #expect(deleted.value == [])
    await clock.advance(by: .seconds(1))
    await store.receive(\.undoExpired) { $0.deletion = nil }
    await store.finish()
    #expect(deleted.value == [UUID(12)])
  }

  @Test func deletingWhatIsPlayedEndsIt() async {
    let store = store()
    await store.send(\.memos[id: UUID(12)].playButtonTapped) {
      $0.memos[id: UUID(12)]?.playback = .playing(second: 0)
    }
    await store.receive(\.memos[id: UUID(12)].delegate.plays)
    await delete(12, store, at: 1)
    // No tick comes of a row that is not there.
    await clock.advance(by: .seconds(5))
    await store.receive(\.undoExpired) { $0.deletion = nil }
  }

  @Test func aDeletedMemoComesBackToItsPlace() async {
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

  @Test func onlyTheLastDeletionCanBeUndone() async {
    let store = store()
    await delete(11, store, at: 0)
    await clock.advance(by: .seconds(3))
    await delete(13, store, at: 1)
    // The first one is final now, and the time of the second one begins anew.
    await clock.advance(by: .seconds(3))
    #expect(deleted.value == [UUID(11)])
    await store.send(.undoButtonTapped) {
      $0.deletion = nil
      $0.memos.append(MemoRow.State(memo: Memo(13)))
    }
    await store.send(.undoButtonTapped)
  }

  @Test func aMemoIsKept() async {
    let store = store()
    await store.send(\.memos[id: UUID(11)].deleteButtonTapped)
    await store.receive(\.memos[id: UUID(11)].delegate.deletes) {
      $0.destination = .delete(.delete(UUID(11)))
    }
    await store.send(\.destination.dismiss) { $0.destination = nil }
    #expect(store.state.memos.count == 3)
  }

  @Test func whoDoesNotWantToBeAskedIsNot() async {
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

  @Test func aMemoGetsAnotherTitle() async {
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

  @Test func whoCancelsKeepsTheTitle() async {
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

  @Test func aMemoIsRenamedWhileItIsPlayed() async {
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

  @Test func theSettingsAreThoseOfTheList() async {
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
  func theRateOfTheSettingsIsThatOfTheRows(picked: Double, rate: Double) async {
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
