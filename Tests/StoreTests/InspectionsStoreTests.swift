// swift-format-ignore-file
// Written by .ci/store-tests --update.

import Foundation
import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in inspections.jsonl.
@Test @MainActor func inspectionsSteps() async throws {
  let effects = StubbedEffects<Inspections.Action>()
  let reads = StubbedReads()
  let state: Inspections.State = try logged(#"{"sites":[],"order":"added","path":[],"destination":null}"#)
  let store = TestStore(initialState: state) {
    Inspections().stubbingEffects(by: effects).answeringReads(from: reads)
  } withDependencies: {
    $0.uuid = .incrementing
    $0.timeZone = TimeZone(identifier: "Etc/UTC") ?? .gmt
    $0.calendar = Calendar(identifier: .gregorian)
    $0.calendar.timeZone = $0.timeZone
  }

  reads.answer("uuid", with: #""EC1184E7-A29C-4851-B0DB-27EED454F2BE""#)
  reads.answer("uuid", with: #""2C1E8291-D4E9-4C27-8744-17B0021B31A1""#)
  await store.send(.addButtonTapped) {
    $0.destination = try .add(logged(
      #"""
      {
        "site":{
          "id":"EC1184E7-A29C-4851-B0DB-27EED454F2BE",
          "name":"",
          "address":"",
          "checks":[{"id":"2C1E8291-D4E9-4C27-8744-17B0021B31A1","title":""}],
          "visits":[]
        },
        "focus":{"name":{}},
        "original":{
          "id":"EC1184E7-A29C-4851-B0DB-27EED454F2BE",
          "name":"",
          "address":"",
          "checks":[{"id":"2C1E8291-D4E9-4C27-8744-17B0021B31A1","title":""}],
          "visits":[]
        },
        "discard":null
      }
      """#
    ))
  }
  await store.send(.destination(.presented(.add(.binding(.set(\.site.name, "Mill")))))) {
    $0.destination.modify(\.add) {
      $0.site.name = "Mill"
    }
  }
  await store.send(.destination(.presented(.add(.submitted)))) {
    $0.destination.modify(\.add) {
      $0.focus = .address
    }
  }
  await store.send(.destination(.presented(.add(.binding(.set(\.site.address, "Quay 1")))))) {
    $0.destination.modify(\.add) {
      $0.site.address = "Quay 1"
    }
  }
  reads.answer("uuid", with: #""DB6DF704-5438-4E0F-BCED-5C059E44833B""#)
  await store.send(.destination(.presented(.add(.addCheckButtonTapped)))) {
    try $0.destination.modify(\.add) {
      try $0.site.checks.append(logged(#"{"id":"DB6DF704-5438-4E0F-BCED-5C059E44833B","title":""}"#))
      $0.focus = try .check(logged(#""DB6DF704-5438-4E0F-BCED-5C059E44833B""#))
    }
  }
  await store.send(.destination(.presented(.add(.saveButtonTapped)))) {
    $0.destination.modify(\.add) {
      $0.site.checks = []
    }
  }
  try await effects.send(.destination(.presented(.add(.delegate(.saved(logged(
    #"""
    {
      "id":"EC1184E7-A29C-4851-B0DB-27EED454F2BE",
      "name":"Mill",
      "address":"Quay 1",
      "checks":[],
      "visits":[]
    }
    """#
  )))))))
  await store.receive(\.destination.presented) {
    try $0.$sites.withLock {
      _ = try $0.append(logged(
        #"""
        {
          "id":"EC1184E7-A29C-4851-B0DB-27EED454F2BE",
          "name":"Mill",
          "address":"Quay 1",
          "checks":[],
          "visits":[]
        }
        """#
      ))
    }
  }
  await effects.send(.destination(.dismiss))
  await store.receive(\.destination.dismiss) {
    $0.destination = nil
  }
  reads.answer("uuid", with: #""8F78362C-9FAE-4B71-B6E4-26CE46F2276E""#)
  reads.answer("uuid", with: #""13E6B096-492B-486E-A7B4-9A0F4B817827""#)
  await store.send(.addButtonTapped) {
    $0.destination = try .add(logged(
      #"""
      {
        "site":{
          "id":"8F78362C-9FAE-4B71-B6E4-26CE46F2276E",
          "name":"",
          "address":"",
          "checks":[{"id":"13E6B096-492B-486E-A7B4-9A0F4B817827","title":""}],
          "visits":[]
        },
        "focus":{"name":{}},
        "original":{
          "id":"8F78362C-9FAE-4B71-B6E4-26CE46F2276E",
          "name":"",
          "address":"",
          "checks":[{"id":"13E6B096-492B-486E-A7B4-9A0F4B817827","title":""}],
          "visits":[]
        },
        "discard":null
      }
      """#
    ))
  }
  await store.send(.destination(.presented(.add(.binding(.set(\.site.name, "Bridge")))))) {
    $0.destination.modify(\.add) {
      $0.site.name = "Bridge"
    }
  }
  await store.send(.destination(.presented(.add(.cancelButtonTapped)))) {
    try $0.destination.modify(\.add) {
      $0.discard = try logged(
        #"""
        {
          "title":"Discard changes?",
          "titleVisibility":{"automatic":{}},
          "message":null,
          "buttons":[
            {"action":{"action":{"confirmed":{}}},"label":"Discard","role":{"destructive":{}}},
            {"action":{"action":null},"label":"Keep editing","role":{"cancel":{}}}
          ]
        }
        """#
      )
    }
  }
  await store.send(.destination(.presented(.add(.discard(.presented(.confirmed)))))) {
    $0.destination.modify(\.add) {
      $0.discard = nil
    }
  }
  await effects.send(.destination(.dismiss))
  await store.receive(\.destination.dismiss) {
    $0.destination = nil
  }
  await store.send(.orderButtonTapped) {
    $0.destination = try .order(logged(
      #"""
      {
        "title":"Order",
        "titleVisibility":{"visible":{}},
        "message":null,
        "buttons":[
          {"action":{"action":"added"},"label":"added","role":null},
          {"action":{"action":"name"},"label":"name","role":null},
          {"action":{"action":"lastVisit"},"label":"lastVisit","role":null}
        ]
      }
      """#
    ))
  }
  await store.send(.destination(.presented(.order(.name)))) {
    $0.$order.withLock {
      $0 = .name
    }
    $0.destination = nil
  }
  try await store.send(.siteTapped(logged(#""EC1184E7-A29C-4851-B0DB-27EED454F2BE""#))) {
    $0.path[id: 0] = try .site(logged(
      #"""
      {
        "site":{
          "id":"EC1184E7-A29C-4851-B0DB-27EED454F2BE",
          "name":"Mill",
          "address":"Quay 1",
          "checks":[],
          "visits":[]
        },
        "destination":null
      }
      """#
    ))
  }
  await store.send(.path(.element(id: 0, action: .site(.editButtonTapped)))) {
    try $0.path[id: 0]?.modify(\.site) {
      $0.destination = try .edit(logged(
        #"""
        {
          "site":{
            "id":"EC1184E7-A29C-4851-B0DB-27EED454F2BE",
            "name":"Mill",
            "address":"Quay 1",
            "checks":[],
            "visits":[]
          },
          "focus":{"name":{}},
          "original":{
            "id":"EC1184E7-A29C-4851-B0DB-27EED454F2BE",
            "name":"Mill",
            "address":"Quay 1",
            "checks":[],
            "visits":[]
          },
          "discard":null
        }
        """#
      ))
    }
  }
  reads.answer("uuid", with: #""1AF6B88F-F4F4-45D1-8D42-41D41B7BB263""#)
  await store.send(.path(.element(id: 0, action: .site(.destination(.presented(.edit(.addCheckButtonTapped))))))) {
    try $0.path[id: 0]?.modify(\.site) {
      try $0.destination.modify(\.edit) {
        try $0.site.checks.append(logged(#"{"id":"1AF6B88F-F4F4-45D1-8D42-41D41B7BB263","title":""}"#))
        $0.focus = try .check(logged(#""1AF6B88F-F4F4-45D1-8D42-41D41B7BB263""#))
      }
    }
  }
  try await store.send(.path(.element(id: 0, action: .site(.destination(.presented(.edit(.binding(.set(\.site.checks, logged(
    #"""
    [
      {"id":"00000000-0000-0000-0000-00000000000A","title":"Roof"},
      {"id":"00000000-0000-0000-0000-00000000000B","title":"Doors"}
    ]
    """#
  )))))))))) {
    try $0.path[id: 0]?.modify(\.site) {
      try $0.destination.modify(\.edit) {
        $0.site.checks.remove(at: 0)
        try $0.site.checks.append(logged(#"{"id":"00000000-0000-0000-0000-00000000000A","title":"Roof"}"#))
        try $0.site.checks.append(logged(#"{"id":"00000000-0000-0000-0000-00000000000B","title":"Doors"}"#))
      }
    }
  }
  await store.send(.path(.element(id: 0, action: .site(.destination(.presented(.edit(.saveButtonTapped)))))))
  try await effects.send(.path(.element(id: 0, action: .site(.destination(.presented(.edit(.delegate(.saved(logged(
    #"""
    {
      "id":"EC1184E7-A29C-4851-B0DB-27EED454F2BE",
      "name":"Mill",
      "address":"Quay 1",
      "checks":[
        {"id":"00000000-0000-0000-0000-00000000000A","title":"Roof"},
        {"id":"00000000-0000-0000-0000-00000000000B","title":"Doors"}
      ],
      "visits":[]
    }
    """#
  ))))))))))
  await store.receive(\.path[id: 0].site.destination.presented) {
    try $0.$sites.withLock {
      try $0[0].checks.append(logged(#"{"id":"00000000-0000-0000-0000-00000000000A","title":"Roof"}"#))
      try $0[0].checks.append(logged(#"{"id":"00000000-0000-0000-0000-00000000000B","title":"Doors"}"#))
    }
  }
  await effects.send(.path(.element(id: 0, action: .site(.destination(.dismiss)))))
  await store.receive(\.path[id: 0].site.destination.dismiss) {
    $0.path[id: 0]?.modify(\.site) {
      $0.destination = nil
    }
  }
  await store.send(.path(.element(id: 0, action: .site(.startButtonTapped))))
  await store.receive(\.path[id: 0].site.delegate) {
    $0.path[id: 1] = try .visit(logged(
      #"""
      {
        "site":{
          "id":"EC1184E7-A29C-4851-B0DB-27EED454F2BE",
          "name":"Mill",
          "address":"Quay 1",
          "checks":[
            {"id":"00000000-0000-0000-0000-00000000000A","title":"Roof"},
            {"id":"00000000-0000-0000-0000-00000000000B","title":"Doors"}
          ],
          "visits":[]
        },
        "rows":[
          {
            "id":"00000000-0000-0000-0000-00000000000A",
            "title":"Roof",
            "grade":null,
            "note":"",
            "secondsLooked":0,
            "isBeingLookedAt":false
          },
          {
            "id":"00000000-0000-0000-0000-00000000000B",
            "title":"Doors",
            "grade":null,
            "note":"",
            "secondsLooked":0,
            "isBeingLookedAt":false
          }
        ],
        "seconds":0,
        "isPaused":false,
        "weather":null,
        "warnings":0,
        "alert":null
      }
      """#
    ))
  }
  await store.send(.path(.element(id: 1, action: .visit(.task))))
  await store.send(.path(.element(id: 1, action: .visit(.rows(.element(id: UUID(10), action: .lookButtonTapped)))))) {
    $0.path[id: 1]?.modify(\.visit) {
      $0.rows[0].isBeingLookedAt = true
    }
  }
  await effects.finish("weather", sending: .path(.element(id: 1, action: .visit(.weatherResponse(.success("Dry"))))))
  await store.receive(\.path[id: 1].visit.weatherResponse.success, "Dry") {
    $0.path[id: 1]?.modify(\.visit) {
      $0.weather = "Dry"
    }
  }
  await effects.send(.path(.element(id: 1, action: .visit(.rows(.element(id: UUID(10), action: .ticked))))), from: "look")
  await store.receive(\.path[id: 1].visit.rows[id: UUID(10)].ticked) {
    $0.path[id: 1]?.modify(\.visit) {
      $0.rows[0].secondsLooked = 1
    }
  }
  await effects.send(.path(.element(id: 1, action: .visit(.ticked))), from: "tick")
  await store.receive(\.path[id: 1].visit.ticked) {
    $0.path[id: 1]?.modify(\.visit) {
      $0.seconds = 1
    }
  }
  try await store.send(.path(.element(id: 1, action: .visit(.rows(.element(id: UUID(10), action: .gradeTapped(logged(#""poor""#)))))))) {
    try $0.path[id: 1]?.modify(\.visit) {
      $0.rows[0].grade = try logged(#""poor""#)
    }
  }
  await store.receive(\.path[id: 1].visit.rows[id: UUID(10)].delegate) {
    $0.path[id: 1]?.modify(\.visit) {
      $0.warnings = 1
    }
  }
  await store.send(.path(.element(id: 1, action: .visit(.rows(.element(id: UUID(10), action: .binding(.set(\.note, "Leaks")))))))) {
    $0.path[id: 1]?.modify(\.visit) {
      $0.rows[0].note = "Leaks"
    }
  }
  await store.send(.path(.element(id: 1, action: .visit(.rows(.element(id: UUID(10), action: .lookButtonTapped)))))) {
    $0.path[id: 1]?.modify(\.visit) {
      $0.rows[0].isBeingLookedAt = false
    }
  }
  await store.send(.path(.element(id: 1, action: .visit(.moved(from: 0, to: 2))))) {
    try $0.path[id: 1]?.modify(\.visit) {
      $0.rows = try logged(
        #"""
        [
          {
            "id":"00000000-0000-0000-0000-00000000000B",
            "title":"Doors",
            "grade":null,
            "note":"",
            "secondsLooked":0,
            "isBeingLookedAt":false
          },
          {
            "id":"00000000-0000-0000-0000-00000000000A",
            "title":"Roof",
            "grade":"poor",
            "note":"Leaks",
            "secondsLooked":1,
            "isBeingLookedAt":false
          }
        ]
        """#
      )
    }
  }
  await store.send(.path(.element(id: 1, action: .visit(.finishButtonTapped)))) {
    try $0.path[id: 1]?.modify(\.visit) {
      $0.alert = try logged(
        #"""
        {
          "title":"One check is open",
          "message":"Checks without a grade stand in the report as open.",
          "buttons":[
            {
              "action":{"action":{"finishAnyway":{}}},
              "label":"Finish anyway",
              "role":{"destructive":{}}
            },
            {"action":{"action":null},"label":"Go on","role":{"cancel":{}}}
          ]
        }
        """#
      )
    }
  }
  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 816946362.7555257))
  reads.answer("uuid", with: #""15DE76F4-8BF4-4132-A099-D38A67391846""#)
  await store.send(.path(.element(id: 1, action: .visit(.alert(.presented(.finishAnyway)))))) {
    try $0.$sites.withLock {
      _ = try $0[0].visits.append(logged(
        #"""
        {
          "id":"15DE76F4-8BF4-4132-A099-D38A67391846",
          "date":"2026-11-21T09:32:42.7555257Z",
          "seconds":1,
          "weather":"Dry",
          "findings":[
            {"title":"Doors","grade":null,"note":""},
            {"title":"Roof","grade":"poor","note":"Leaks"}
          ],
          "receipt":null
        }
        """#
      ))
    }
    $0.path[id: 1]?.modify(\.visit) {
      $0.alert = nil
    }
  }
  await store.receive(\.path[id: 1].visit.delegate) {
    $0.path[id: 1] = nil
    $0.path[id: 2] = try .report(logged(
      #"""
      {
        "visit":{
          "id":"15DE76F4-8BF4-4132-A099-D38A67391846",
          "date":"2026-11-21T09:32:42.7555257Z",
          "seconds":1,
          "weather":"Dry",
          "findings":[
            {"title":"Doors","grade":null,"note":""},
            {"title":"Roof","grade":"poor","note":"Leaks"}
          ],
          "receipt":null
        },
        "siteName":"Mill",
        "isFiling":false,
        "alert":null
      }
      """#
    ))
  }
  await store.send(.path(.element(id: 2, action: .report(.fileButtonTapped)))) {
    $0.path[id: 2]?.modify(\.report) {
      $0.isFiling = true
    }
  }
  try await effects.finish("file", sending: .path(.element(id: 2, action: .report(.filed(.failure(logged(
    #"""
    {
      "$error":{
        "type":"OfficeError",
        "description":"ungraded([\"Doors\"])",
        "symbol":"14SampleFeatures11OfficeErrorO",
        "value":{"ungraded":{"_0":["Doors"]}}
      }
    }
    """#
  )))))))
  await store.receive(\.path[id: 2].report.filed.failure) {
    try $0.path[id: 2]?.modify(\.report) {
      $0.isFiling = false
      $0.alert = try logged(
        #"""
        {
          "title":"Not filed",
          "message":"No grade: Doors",
          "buttons":[{"action":{"action":null},"label":"OK","role":{"cancel":{}}}]
        }
        """#
      )
    }
  }
  await store.send(.path(.element(id: 2, action: .report(.alert(.dismiss))))) {
    $0.path[id: 2]?.modify(\.report) {
      $0.alert = nil
    }
  }
  await store.send(.path(.popFrom(id: 2))) {
    $0.path[id: 2] = nil
  }
  await store.send(.path(.element(id: 0, action: .site(.deleteButtonTapped)))) {
    try $0.path[id: 0]?.modify(\.site) {
      $0.destination = try .alert(logged(
        #"""
        {
          "title":"Delete Mill?",
          "message":"Its visits are deleted too.",
          "buttons":[
            {
              "action":{"action":{"deleteConfirmed":{}}},
              "label":"Delete",
              "role":{"destructive":{}}
            }
          ]
        }
        """#
      ))
    }
  }
  await store.send(.path(.element(id: 0, action: .site(.destination(.presented(.alert(.deleteConfirmed))))))) {
    $0.path[id: 0]?.modify(\.site) {
      $0.destination = nil
    }
  }
  try await effects.send(.path(.element(id: 0, action: .site(.delegate(.delete(logged(#""EC1184E7-A29C-4851-B0DB-27EED454F2BE""#)))))))
  await store.receive(\.path[id: 0].site.delegate) {
    $0.$sites.withLock {
      $0 = []
    }
  }
  await effects.send(.path(.popFrom(id: 0)))
  await store.receive(\.path.popFrom) {
    $0.path = []
  }
}
