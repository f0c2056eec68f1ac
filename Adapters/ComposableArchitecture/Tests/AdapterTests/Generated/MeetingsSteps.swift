// swift-format-ignore-file
// Written by .ci/adapter --update.

import ComposableArchitecture
import ComposableReplay
import Foundation
import SampleApp
import Testing

/// Takes the steps that were recorded in steps.jsonl.
@MainActor func meetingsSteps() async throws {
  let effects = StubbedEffects<Meetings.Action>()
  let reads = StubbedReads()
  let state: Meetings.State = try logged(
    #"""
    {"meetings":[],"path":[],"destination":null,"held":0,"tip":null,"die":0}
    """#
  )
  let store = TestStore(initialState: state) {
    Meetings().stubbingEffects(by: effects).answeringReads(from: reads)
  } withDependencies: {
    $0.uuid = .incrementing
    $0.withRandomNumberGenerator = WithRandomNumberGenerator(SystemRandomNumberGenerator())
  }

  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 817485503.4227338))
  await store.send(.addTapped) {
    $0.destination = try .edit(logged(
      #"""
      {
        "meeting":{
          "id":"00000000-0000-0000-0000-000000000000",
          "title":"",
          "createdAt":"2026-11-27T15:18:23.4227338Z"
        },
        "isFocused":false
      }
      """#
    ))
  }
  await store.send(.destination(.presented(.edit(.binding(.set(\.meeting.title, "Monday")))))) {
    $0.destination.modify(\.edit) {
      $0.meeting.title = "Monday"
    }
  }
  await store.send(.destination(.presented(.edit(.saveTapped)))) {
    try $0.meetings.append(logged(
      #"""
      {
        "id":"00000000-0000-0000-0000-000000000000",
        "title":"Monday",
        "createdAt":"2026-11-27T15:18:23.4227338Z"
      }
      """#
    ))
    $0.destination = nil
  }
  await store.send(.tipRequested)
  await effects.finish("tip", sending: .tipReceived(.success("Be brief.")))
  await store.receive(\.tipReceived.success, "Be brief.") {
    $0.tip = "Be brief."
  }
  reads.answer("random", with: "16293722500306155011")
  await store.send(.rollTapped) {
    $0.die = 6
  }
  await store.send(.chainTapped(left: 2)) {
    $0.die = 8
  }
  await store.receive(\.chainTapped) {
    $0.die = 9
  }
  await store.receive(\.chainTapped)
  await store.send(.meetingTapped(id: UUID(0))) {
    $0.path[id: 0] = try .detail(logged(
      #"""
      {
        "meeting":{
          "id":"00000000-0000-0000-0000-000000000000",
          "title":"Monday",
          "createdAt":"2026-11-27T15:18:23.4227338Z"
        },
        "held":0,
        "seconds":0,
        "alert":null
      }
      """#
    ))
  }
  await store.send(.path(.element(id: 0, action: .detail(.startTapped))))
  await effects.send(.path(.element(id: 0, action: .detail(.ticked))), from: "timer")
  await store.receive(\.path[id: 0].detail.ticked) {
    $0.path[id: 0]?.modify(\.detail) {
      $0.seconds = 1
    }
  }
  await store.send(.path(.element(id: 0, action: .detail(.stopTapped)))) {
    try $0.path[id: 0]?.change(\.detail) {
      $0.alert = try logged(
        #"""
        {
          "title":"Stop?",
          "message":null,
          "buttons":[{"action":{"stopConfirmed":{}},"label":"Stop","role":"destructive"}]
        }
        """#
      )
    }
  }
  await store.send(.path(.element(id: 0, action: .detail(.alert(.presented(.stopConfirmed)))))) {
    $0.path[id: 0]?.modify(\.detail) {
      $0.$held.withLock {
        $0 = 1
      }
      $0.alert = nil
    }
  }
  await store.receive(\.path[id: 0].detail.delegate)
  await effects.finish("timer")
  await store.send(.path(.element(id: 0, action: .detail(.closeTapped))))
  // A publisher of the feature sends this.
  await store.send(.path(.popFrom(id: 0))) {
    $0.path.removeAll()
  }
  await effects.finish()
  await store.send(.deleteAllTapped) {
    $0.destination = try .alert(logged(
      #"""
      {
        "title":"Delete all?",
        "message":null,
        "buttons":[{"action":{"confirmed":{}},"label":"Delete","role":"destructive"}]
      }
      """#
    ))
  }
  await store.send(.destination(.presented(.alert(.confirmed)))) {
    $0.meetings = []
    $0.destination = nil
  }
  await store.finish()
}
