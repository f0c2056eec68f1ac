// swift-format-ignore-file
// Written by .ci/store-tests --update.

import Foundation
import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in memos.jsonl.
@Test @MainActor func memosSteps() async throws {
  let effects = StubbedEffects<Memos.Action>()
  let reads = StubbedReads()
  let state: Memos.State = try logged(
    #"""
    {"memos":[],"panel":null,"deletion":null,"confirmsDeletion":true,"destination":null}
    """#
  )
  let store = TestStore(initialState: state) {
    Memos().stubbingEffects(by: effects).answeringReads(from: reads)
  } withDependencies: {
    $0.uuid = .incrementing
  }

  reads.answer("PermissionClient.microphone", with: #"{"undetermined":{}}"#)
  await store.send(.recordButtonTapped) {
    $0.panel = .asking
  }
  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 817010529.8216048))
  await effects.finish("permission", sending: .permissionResponse(true))
  await store.receive(\.permissionResponse, true) {
    $0.panel = try .recording(logged(
      #"""
      {
        "id":"00000000-0000-0000-0000-000000000000",
        "date":"2026-11-22T03:22:09.8216048Z",
        "mode":{"starting":{}},
        "seconds":0,
        "levels":[],
        "dialog":null
      }
      """#
    ))
  }
  await store.receive(\.panel.recording.task)
  await effects.finish("start", sending: .panel(.recording(.started(.success(true)))))
  await store.receive(\.panel.recording.started.success, true) {
    $0.panel.modify(\.recording) {
      $0.mode = .recording
    }
  }
  await effects.send(.panel(.recording(.levelMeasured(20))), from: "levels")
  await store.receive(\.panel.recording.levelMeasured, 20) {
    $0.panel.modify(\.recording) {
      $0.levels = [20]
    }
  }
  await effects.finish("interruptions")
  await effects.send(.panel(.recording(.levelMeasured(35))), from: "levels")
  await store.receive(\.panel.recording.levelMeasured, 35) {
    $0.panel.modify(\.recording) {
      $0.levels = [20, 35]
    }
  }
  await effects.finish("levels", sending: .panel(.recording(.levelMeasured(30))))
  await store.receive(\.panel.recording.levelMeasured, 30) {
    $0.panel.modify(\.recording) {
      $0.levels = [20, 35, 30]
    }
  }
  await store.send(.panel(.recording(.pauseButtonTapped))) {
    $0.panel.modify(\.recording) {
      $0.mode = .paused(.user)
    }
  }
  await effects.finish("pause")
  await store.send(.panel(.recording(.pauseButtonTapped))) {
    $0.panel.modify(\.recording) {
      $0.mode = .recording
    }
  }
  await effects.finish("resume")
  await effects.send(.panel(.recording(.ticked)), from: "tick")
  await store.receive(\.panel.recording.ticked) {
    $0.panel.modify(\.recording) {
      $0.seconds = 1
    }
  }
  await store.send(.panel(.recording(.stopButtonTapped))) {
    $0.panel.modify(\.recording) {
      $0.mode = .stopping
    }
  }
  reads.answer("shared.appStorage(playbackRate)", with: "1.0")
  await effects.send(.panel(.recording(.stopped(.success(16000)))), from: "stop")
  await store.receive(\.panel.recording.stopped.success, 16000)
  await store.receive(\.panel.recording.delegate) {
    try $0.memos.append(logged(
      #"""
      {
        "memo":{
          "id":"00000000-0000-0000-0000-000000000000",
          "title":"",
          "date":"2026-11-22T03:22:09.8216048Z",
          "seconds":1
        },
        "playback":{"stopped":{}},
        "rate":1.0
      }
      """#
    ))
    $0.panel = nil
  }
  reads.answer("PermissionClient.microphone", with: #"{"undetermined":{}}"#)
  await store.send(.recordButtonTapped) {
    $0.panel = .asking
  }
  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 817010531.9457397))
  await effects.finish("permission", sending: .permissionResponse(true))
  await store.receive(\.permissionResponse, true) {
    $0.panel = try .recording(logged(
      #"""
      {
        "id":"00000000-0000-0000-0000-000000000001",
        "date":"2026-11-22T03:22:11.9457397Z",
        "mode":{"starting":{}},
        "seconds":0,
        "levels":[],
        "dialog":null
      }
      """#
    ))
  }
  await store.receive(\.panel.recording.task)
  await effects.finish("start", sending: .panel(.recording(.started(.success(true)))))
  await store.receive(\.panel.recording.started.success, true) {
    $0.panel.modify(\.recording) {
      $0.mode = .recording
    }
  }
  await effects.send(.panel(.recording(.levelMeasured(20))), from: "levels")
  await store.receive(\.panel.recording.levelMeasured, 20) {
    $0.panel.modify(\.recording) {
      $0.levels = [20]
    }
  }
  await effects.finish("interruptions")
  await effects.send(.panel(.recording(.levelMeasured(35))), from: "levels")
  await store.receive(\.panel.recording.levelMeasured, 35) {
    $0.panel.modify(\.recording) {
      $0.levels = [20, 35]
    }
  }
  await effects.finish("levels", sending: .panel(.recording(.levelMeasured(30))))
  await store.receive(\.panel.recording.levelMeasured, 30) {
    $0.panel.modify(\.recording) {
      $0.levels = [20, 35, 30]
    }
  }
  await store.send(.panel(.recording(.discardButtonTapped))) {
    try $0.panel.modify(\.recording) {
      $0.dialog = try logged(
        #"""
        {
          "title":"Discard this recording?",
          "titleVisibility":{"automatic":{}},
          "message":null,
          "buttons":[
            {"action":{"action":{"discard":{}}},"label":"Discard","role":{"destructive":{}}},
            {"action":{"action":null},"label":"Go on","role":{"cancel":{}}}
          ]
        }
        """#
      )
    }
  }
  await store.send(.panel(.recording(.dialog(.presented(.discard))))) {
    $0.panel.modify(\.recording) {
      $0.dialog = nil
    }
  }
  await effects.send(.panel(.recording(.delegate(.discarded))), from: "discard")
  await store.receive(\.panel.recording.delegate) {
    $0.panel = nil
  }
  reads.answer("PermissionClient.microphone", with: #"{"undetermined":{}}"#)
  await store.send(.recordButtonTapped) {
    $0.panel = .asking
  }
  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 817010532.5696816))
  await effects.finish("permission", sending: .permissionResponse(true))
  await store.receive(\.permissionResponse, true) {
    $0.panel = try .recording(logged(
      #"""
      {
        "id":"00000000-0000-0000-0000-000000000002",
        "date":"2026-11-22T03:22:12.5696816Z",
        "mode":{"starting":{}},
        "seconds":0,
        "levels":[],
        "dialog":null
      }
      """#
    ))
  }
  await store.receive(\.panel.recording.task)
  await effects.finish("start", sending: .panel(.recording(.started(.success(true)))))
  await store.receive(\.panel.recording.started.success, true) {
    $0.panel.modify(\.recording) {
      $0.mode = .recording
    }
  }
  await effects.send(.panel(.recording(.levelMeasured(20))), from: "levels")
  await store.receive(\.panel.recording.levelMeasured, 20) {
    $0.panel.modify(\.recording) {
      $0.levels = [20]
    }
  }
  await effects.finish("interruptions")
  await effects.send(.panel(.recording(.levelMeasured(35))), from: "levels")
  await store.receive(\.panel.recording.levelMeasured, 35) {
    $0.panel.modify(\.recording) {
      $0.levels = [20, 35]
    }
  }
  await effects.finish("levels", sending: .panel(.recording(.levelMeasured(30))))
  await store.receive(\.panel.recording.levelMeasured, 30) {
    $0.panel.modify(\.recording) {
      $0.levels = [20, 35, 30]
    }
  }
  await store.send(.panel(.recording(.stopButtonTapped))) {
    $0.panel.modify(\.recording) {
      $0.mode = .stopping
    }
  }
  reads.answer("shared.appStorage(playbackRate)", with: "1.0")
  await effects.send(.panel(.recording(.stopped(.success(16000)))), from: "stop")
  await store.receive(\.panel.recording.stopped.success, 16000)
  await store.receive(\.panel.recording.delegate) {
    try $0.memos.insert(logged(
      #"""
      {
        "memo":{
          "id":"00000000-0000-0000-0000-000000000002",
          "title":"",
          "date":"2026-11-22T03:22:12.5696816Z",
          "seconds":0
        },
        "playback":{"stopped":{}},
        "rate":1.0
      }
      """#
    ), at: 0)
    $0.panel = nil
  }
  reads.answer("shared.appStorage(confirmsDeletion)", with: "true")
  reads.answer("shared.appStorage(playbackRate)", with: "1.0")
  await store.send(.settingsButtonTapped) {
    $0.destination = try .settings(logged(#"{"confirmsDeletion":true,"playbackRate":1.0}"#))
  }
  await store.send(.destination(.presented(.settings(.playbackRatePicked(2.0))))) {
    $0.destination.modify(\.settings) {
      $0.$playbackRate.withLock {
        $0 = 2.0
      }
    }
  }
  await store.send(.destination(.presented(.settings(.doneButtonTapped))))
  await effects.send(.destination(.dismiss))
  await store.receive(\.destination.dismiss) {
    $0.destination = nil
  }
  await store.send(.memos(.element(id: UUID(2), action: .renameButtonTapped)))
  await store.receive(\.memos[id: UUID(2)].delegate) {
    $0.destination = try .rename(logged(#"{"id":"00000000-0000-0000-0000-000000000002","title":""}"#))
  }
  await store.send(.destination(.presented(.rename(.view(.binding(.set(\.title, " Rain  on tin "))))))) {
    $0.destination.modify(\.rename) {
      $0.title = " Rain  on tin "
    }
  }
  await store.send(.destination(.presented(.rename(.view(.saveButtonTapped)))))
  await effects.send(.destination(.presented(.rename(.delegate(.renamed(UUID(2), title: "Rain on tin"))))))
  await store.receive(\.destination.presented) {
    $0.memos[0].memo.title = "Rain on tin"
  }
  await effects.send(.destination(.dismiss))
  await store.receive(\.destination.dismiss) {
    $0.destination = nil
  }
  await store.send(.memos(.element(id: UUID(0), action: .playButtonTapped))) {
    $0.memos[1].playback = .playing(second: 0)
  }
  await store.receive(\.memos[id: UUID(0)].delegate)
  await effects.send(.memos(.element(id: UUID(0), action: .ticked)), from: "tick")
  await store.receive(\.memos[id: UUID(0)].ticked) {
    $0.memos[1].playback = .playing(second: 1)
  }
  await store.send(.memos(.element(id: UUID(0), action: .sliderMoved(to: 1))))
  await store.send(.memos(.element(id: UUID(2), action: .playButtonTapped))) {
    $0.memos[0].playback = .playing(second: 0)
  }
  await store.receive(\.memos[id: UUID(2)].delegate)
  await store.receive(\.memos[id: UUID(0)].stop) {
    $0.memos[1].playback = .stopped
  }
  await store.send(.memos(.element(id: UUID(2), action: .playButtonTapped))) {
    $0.memos[0].playback = .paused(second: 0)
  }
  await store.send(.memos(.element(id: UUID(0), action: .sliderMoved(to: 1)))) {
    $0.memos[1].playback = .paused(second: 1)
  }
  await store.send(.memos(.element(id: UUID(0), action: .playButtonTapped))) {
    $0.memos[1].playback = .playing(second: 1)
  }
  await store.receive(\.memos[id: UUID(0)].delegate)
  await store.receive(\.memos[id: UUID(2)].stop) {
    $0.memos[0].playback = .stopped
  }
  await effects.send(.memos(.element(id: UUID(0), action: .ticked)), from: "tick")
  await store.receive(\.memos[id: UUID(0)].ticked)
  await effects.send(.memos(.element(id: UUID(0), action: .played(.success(true)))), from: "play")
  await store.receive(\.memos[id: UUID(0)].played.success, true) {
    $0.memos[1].playback = .stopped
  }
  await store.send(.memos(.element(id: UUID(2), action: .sliderMoved(to: 9)))) {
    $0.memos[0].playback = .paused(second: 0)
  }
  await store.send(.memos(.element(id: UUID(2), action: .playButtonTapped))) {
    $0.memos[0].playback = .playing(second: 0)
  }
  await store.receive(\.memos[id: UUID(2)].delegate)
  await store.send(.memos(.element(id: UUID(2), action: .deleteButtonTapped)))
  await store.receive(\.memos[id: UUID(2)].delegate) {
    $0.destination = try .delete(logged(
      #"""
      {
        "title":"Delete this memo?",
        "titleVisibility":{"hidden":{}},
        "message":null,
        "buttons":[
          {
            "action":{"action":{"confirmed":{"_0":"00000000-0000-0000-0000-000000000002"}}},
            "label":"Delete",
            "role":{"destructive":{}}
          },
          {
            "action":{
              "action":{"confirmedAlways":{"_0":"00000000-0000-0000-0000-000000000002"}}
            },
            "label":"Delete, and don't ask again",
            "role":{"destructive":{}}
          },
          {"action":{"action":null},"label":"Keep","role":{"cancel":{}}}
        ]
      }
      """#
    ))
  }
  await store.send(.destination(.presented(.delete(.confirmed(UUID(2)))))) {
    $0.memos.remove(at: 0)
    $0.deletion = try logged(
      #"""
      {
        "memo":{
          "id":"00000000-0000-0000-0000-000000000002",
          "title":"Rain on tin",
          "date":"2026-11-22T03:22:12.5696816Z",
          "seconds":0
        },
        "index":0
      }
      """#
    )
    $0.destination = nil
  }
  reads.answer("shared.appStorage(playbackRate)", with: "2.0")
  await store.send(.undoButtonTapped) {
    try $0.memos.insert(logged(
      #"""
      {
        "memo":{
          "id":"00000000-0000-0000-0000-000000000002",
          "title":"Rain on tin",
          "date":"2026-11-22T03:22:12.5696816Z",
          "seconds":0
        },
        "playback":{"stopped":{}},
        "rate":2.0
      }
      """#
    ), at: 0)
    $0.deletion = try logged("null")
  }
  await store.send(.memos(.element(id: UUID(0), action: .deleteButtonTapped)))
  await store.receive(\.memos[id: UUID(0)].delegate) {
    $0.destination = try .delete(logged(
      #"""
      {
        "title":"Delete this memo?",
        "titleVisibility":{"hidden":{}},
        "message":null,
        "buttons":[
          {
            "action":{"action":{"confirmed":{"_0":"00000000-0000-0000-0000-000000000000"}}},
            "label":"Delete",
            "role":{"destructive":{}}
          },
          {
            "action":{
              "action":{"confirmedAlways":{"_0":"00000000-0000-0000-0000-000000000000"}}
            },
            "label":"Delete, and don't ask again",
            "role":{"destructive":{}}
          },
          {"action":{"action":null},"label":"Keep","role":{"cancel":{}}}
        ]
      }
      """#
    ))
  }
  await store.send(.destination(.dismiss)) {
    $0.destination = nil
  }
  await store.send(.memos(.element(id: UUID(0), action: .deleteButtonTapped)))
  await store.receive(\.memos[id: UUID(0)].delegate) {
    $0.destination = try .delete(logged(
      #"""
      {
        "title":"Delete this memo?",
        "titleVisibility":{"hidden":{}},
        "message":null,
        "buttons":[
          {
            "action":{"action":{"confirmed":{"_0":"00000000-0000-0000-0000-000000000000"}}},
            "label":"Delete",
            "role":{"destructive":{}}
          },
          {
            "action":{
              "action":{"confirmedAlways":{"_0":"00000000-0000-0000-0000-000000000000"}}
            },
            "label":"Delete, and don't ask again",
            "role":{"destructive":{}}
          },
          {"action":{"action":null},"label":"Keep","role":{"cancel":{}}}
        ]
      }
      """#
    ))
  }
  await store.send(.destination(.presented(.delete(.confirmedAlways(UUID(0)))))) {
    $0.memos.remove(at: 1)
    $0.deletion = try logged(
      #"""
      {
        "memo":{
          "id":"00000000-0000-0000-0000-000000000000",
          "title":"",
          "date":"2026-11-22T03:22:09.8216048Z",
          "seconds":1
        },
        "index":1
      }
      """#
    )
    $0.$confirmsDeletion.withLock {
      $0 = false
    }
    $0.destination = nil
  }
  await store.send(.memos(.element(id: UUID(2), action: .deleteButtonTapped)))
  await store.receive(\.memos[id: UUID(2)].delegate) {
    $0.memos = []
    $0.deletion = try logged(
      #"""
      {
        "memo":{
          "id":"00000000-0000-0000-0000-000000000002",
          "title":"Rain on tin",
          "date":"2026-11-22T03:22:12.5696816Z",
          "seconds":0
        },
        "index":0
      }
      """#
    )
  }
  await effects.finish("delete previous")
  await effects.finish("expire", sending: .undoExpired)
  await store.receive(\.undoExpired) {
    $0.deletion = try logged("null")
  }
}
