// swift-format-ignore-file
// Written by .ci/store-tests --update.

import Foundation
import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in signup.jsonl.
@Test @MainActor func signupSteps() async throws {
  let effects = StubbedEffects<SignUp.Action>()
  let reads = StubbedReads()
  let state: SignUp.State = try logged(
    #"""
    {
      "draft":{"name":"","email":"","password":"","fullName":"","birthYear":null,"topics":[]},
      "path":[],
      "member":null,
      "dialog":null
    }
    """#
  )
  let store = TestStore(initialState: state) {
    SignUp().stubbingEffects(by: effects).answeringReads(from: reads)
  } withDependencies: {
    $0.timeZone = TimeZone(identifier: "Etc/UTC") ?? .gmt
    $0.calendar = Calendar(identifier: .gregorian)
    $0.calendar.timeZone = $0.timeZone
  }

  await store.send(.startButtonTapped) {
    $0.path[id: 0] = try .account(logged(
      #"""
      {
        "draft":{"name":"","email":"","password":"","fullName":"","birthYear":null,"topics":[]},
        "availability":{"unknown":{}},
        "password":"",
        "repeatedPassword":"",
        "isPasswordVisible":false,
        "focus":{"name":{}},
        "problems":[]
      }
      """#
    ))
  }
  await store.send(.path(.element(id: 0, action: .account(.nameChanged("Ada"))))) {
    $0.$draft.withLock {
      $0.name = "ada"
    }
    $0.path[id: 0]?.modify(\.account) {
      $0.availability = .checking
    }
  }
  await effects.finish("availability", sending: .path(.element(id: 0, action: .account(.availabilityResponse(.success(.taken(suggestions: ["ada1", "ada-2"])))))))
  await store.receive(\.path[id: 0].account.availabilityResponse.success) {
    $0.path[id: 0]?.modify(\.account) {
      $0.availability = .taken(suggestions: ["ada1", "ada-2"])
    }
  }
  await store.send(.path(.element(id: 0, action: .account(.nextButtonTapped)))) {
    $0.path[id: 0]?.modify(\.account) {
      $0.problems = [.nameTaken, .emailInvalid, .passwordTooShort]
    }
  }
  await store.send(.path(.element(id: 0, action: .account(.suggestionTapped("ada-2"))))) {
    $0.$draft.withLock {
      $0.name = "ada-2"
    }
    $0.path[id: 0]?.modify(\.account) {
      $0.availability = .checking
      $0.problems = [.emailInvalid, .passwordTooShort]
    }
  }
  await store.send(.path(.element(id: 0, action: .account(.nameChanged("ada-1843"))))) {
    $0.$draft.withLock {
      $0.name = "ada-1843"
    }
  }
  await effects.finish("availability", sending: .path(.element(id: 0, action: .account(.availabilityResponse(.success(.available))))))
  await store.receive(\.path[id: 0].account.availabilityResponse.success) {
    $0.path[id: 0]?.modify(\.account) {
      $0.availability = .available
    }
  }
  await store.send(.path(.element(id: 0, action: .account(.emailChanged("busy@example.com"))))) {
    $0.$draft.withLock {
      $0.email = "busy@example.com"
    }
    $0.path[id: 0]?.modify(\.account) {
      $0.problems = [.passwordTooShort]
    }
  }
  await store.send(.path(.element(id: 0, action: .account(.binding(.set(\.password, "enigma")))))) {
    $0.path[id: 0]?.modify(\.account) {
      $0.password = "enigma"
    }
  }
  await store.send(.path(.element(id: 0, action: .account(.nextButtonTapped)))) {
    $0.path[id: 0]?.modify(\.account) {
      $0.focus = .password
      $0.problems = [.passwordTooShort, .passwordsDiffer]
    }
  }
  await store.send(.path(.element(id: 0, action: .account(.binding(.set(\.password, "difference engine")))))) {
    $0.path[id: 0]?.modify(\.account) {
      $0.password = "difference engine"
      $0.problems = [.passwordsDiffer]
    }
  }
  await store.send(.path(.element(id: 0, action: .account(.binding(.set(\.isPasswordVisible, true)))))) {
    $0.path[id: 0]?.modify(\.account) {
      $0.isPasswordVisible = true
    }
  }
  await store.send(.path(.element(id: 0, action: .account(.binding(.set(\.repeatedPassword, "difference engine")))))) {
    $0.path[id: 0]?.modify(\.account) {
      $0.repeatedPassword = "difference engine"
      $0.problems = []
    }
  }
  await store.send(.path(.element(id: 0, action: .account(.nextButtonTapped)))) {
    $0.$draft.withLock {
      $0.password = "difference engine"
    }
    $0.path[id: 0]?.modify(\.account) {
      $0.focus = nil
    }
  }
  await store.receive(\.path[id: 0].account.delegate) {
    $0.path[id: 1] = try .profile(logged(
      #"""
      {
        "draft":{
          "name":"ada-1843",
          "email":"busy@example.com",
          "password":"difference engine",
          "fullName":"",
          "birthYear":null,
          "topics":[]
        },
        "fullName":"",
        "birthYear":"",
        "alert":null
      }
      """#
    ))
  }
  await store.send(.path(.element(id: 1, action: .profile(.binding(.set(\.fullName, "Ada Lovelace ")))))) {
    $0.path[id: 1]?.modify(\.profile) {
      $0.fullName = "Ada Lovelace "
    }
  }
  await store.send(.path(.element(id: 1, action: .profile(.binding(.set(\.birthYear, "in 1815")))))) {
    $0.path[id: 1]?.modify(\.profile) {
      $0.birthYear = "1815"
    }
  }
  store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 817010923.0206046))
  await store.send(.path(.element(id: 1, action: .profile(.nextButtonTapped)))) {
    try $0.path[id: 1]?.modify(\.profile) {
      $0.alert = try logged(
        #"""
        {
          "title":"Born in 1815?",
          "message":null,
          "buttons":[
            {"action":{"action":null},"label":"Correct it","role":{"cancel":{}}},
            {"action":{"action":{"leaveOut":{}}},"label":"Leave it out","role":null}
          ]
        }
        """#
      )
    }
  }
  reads.answer("shared.appStorage(wantsNewsletter)", with: "false")
  await store.send(.path(.element(id: 1, action: .profile(.alert(.presented(.leaveOut)))))) {
    $0.$draft.withLock {
      $0.fullName = "Ada Lovelace"
    }
    $0.path[id: 1]?.modify(\.profile) {
      $0.birthYear = ""
      $0.alert = nil
    }
  }
  await store.receive(\.path[id: 1].profile.delegate) {
    $0.path[id: 2] = try .topics(logged(
      #"""
      {
        "draft":{
          "name":"ada-1843",
          "email":"busy@example.com",
          "password":"difference engine",
          "fullName":"Ada Lovelace",
          "birthYear":null,
          "topics":[]
        },
        "wantsNewsletter":false,
        "topics":{"notLoaded":{}},
        "alert":null
      }
      """#
    ))
  }
  await store.send(.path(.element(id: 2, action: .topics(.task)))) {
    $0.path[id: 2]?.modify(\.topics) {
      $0.topics = .loading
    }
  }
  try await effects.finish("topics", sending: .path(.element(id: 2, action: .topics(.topicsResponse(.success(logged(
    #"""
    [
      {"id":"art","title":"Art"},
      {"id":"gardens","title":"Gardens"},
      {"id":"machines","title":"Machines"},
      {"id":"poems","title":"Poems"}
    ]
    """#
  )))))))
  await store.receive(\.path[id: 2].topics.topicsResponse.success) {
    try $0.path[id: 2]?.modify(\.topics) {
      $0.topics = try .loaded(logged(
        #"""
        [
          {"id":"art","title":"Art"},
          {"id":"gardens","title":"Gardens"},
          {"id":"machines","title":"Machines"},
          {"id":"poems","title":"Poems"}
        ]
        """#
      ))
    }
  }
  await store.send(.path(.element(id: 2, action: .topics(.nextButtonTapped)))) {
    try $0.path[id: 2]?.modify(\.topics) {
      $0.alert = try logged(
        #"""
        {
          "title":"Nothing chosen",
          "message":null,
          "buttons":[
            {"action":{"action":null},"label":"Choose","role":{"cancel":{}}},
            {"action":{"action":{"skip":{}}},"label":"Skip this step","role":null}
          ]
        }
        """#
      )
    }
  }
  await store.send(.path(.element(id: 2, action: .topics(.alert(.dismiss))))) {
    $0.path[id: 2]?.modify(\.topics) {
      $0.alert = nil
    }
  }
  try await store.send(.path(.element(id: 2, action: .topics(.topicTapped(logged(#""art""#)))))) {
    try $0.$draft.withLock {
      $0.topics = try logged(#"["art"]"#)
    }
  }
  try await store.send(.path(.element(id: 2, action: .topics(.topicTapped(logged(#""machines""#)))))) {
    try $0.$draft.withLock {
      $0.topics = try logged(#"["art","machines"]"#)
    }
  }
  try await store.send(.path(.element(id: 2, action: .topics(.topicTapped(logged(#""poems""#)))))) {
    try $0.$draft.withLock {
      $0.topics = try logged(#"["art","machines","poems"]"#)
    }
  }
  try await store.send(.path(.element(id: 2, action: .topics(.topicTapped(logged(#""gardens""#)))))) {
    try $0.path[id: 2]?.modify(\.topics) {
      $0.alert = try logged(
        #"""
        {"title":"Up to 3 topics can be followed","message":null,"buttons":[]}
        """#
      )
    }
  }
  await store.send(.path(.element(id: 2, action: .topics(.alert(.dismiss))))) {
    $0.path[id: 2]?.modify(\.topics) {
      $0.alert = nil
    }
  }
  try await store.send(.path(.element(id: 2, action: .topics(.topicTapped(logged(#""art""#)))))) {
    try $0.$draft.withLock {
      $0.topics = try logged(#"["machines","poems"]"#)
    }
  }
  await store.send(.path(.element(id: 2, action: .topics(.newsletterToggled)))) {
    $0.path[id: 2]?.modify(\.topics) {
      $0.$wantsNewsletter.withLock {
        $0 = true
      }
    }
  }
  await store.send(.path(.element(id: 2, action: .topics(.nextButtonTapped))))
  await store.receive(\.path[id: 2].topics.delegate) {
    $0.path[id: 3] = try .review(logged(
      #"""
      {
        "draft":{
          "name":"ada-1843",
          "email":"busy@example.com",
          "password":"difference engine",
          "fullName":"Ada Lovelace",
          "birthYear":null,
          "topics":["machines","poems"]
        },
        "acceptsTerms":false,
        "submission":{"idle":{}},
        "destination":null
      }
      """#
    ))
  }
  await store.send(.path(.element(id: 3, action: .review(.submitButtonTapped))))
  await store.send(.path(.element(id: 3, action: .review(.editButtonTapped(.profile))))) {
    try $0.path[id: 3]?.modify(\.review) {
      $0.destination = try .profile(logged(
        #"""
        {
          "draft":{
            "name":"ada-1843",
            "email":"busy@example.com",
            "password":"difference engine",
            "fullName":"Ada Lovelace",
            "birthYear":null,
            "topics":["machines","poems"]
          },
          "fullName":"Ada Lovelace",
          "birthYear":"",
          "alert":null
        }
        """#
      ))
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.destination(.presented(.profile(.binding(.set(\.fullName, "A. Lovelace"))))))))) {
    $0.path[id: 3]?.modify(\.review) {
      $0.destination.modify(\.profile) {
        $0.fullName = "A. Lovelace"
      }
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.destination(.presented(.profile(.nextButtonTapped))))))) {
    $0.$draft.withLock {
      $0.fullName = "A. Lovelace"
    }
    $0.path[id: 3]?.modify(\.review) {
      $0.destination.modify(\.profile) {
        $0.$draft.withLock {
          $0.fullName = "A. Lovelace"
        }
      }
    }
  }
  await store.receive(\.path[id: 3].review.destination.presented) {
    $0.path[id: 3]?.modify(\.review) {
      $0.destination = nil
    }
  }
  reads.answer("shared.appStorage(wantsNewsletter)", with: "true")
  await store.send(.path(.element(id: 3, action: .review(.editButtonTapped(.topics))))) {
    try $0.path[id: 3]?.modify(\.review) {
      $0.destination = try .topics(logged(
        #"""
        {
          "draft":{
            "name":"ada-1843",
            "email":"busy@example.com",
            "password":"difference engine",
            "fullName":"A. Lovelace",
            "birthYear":null,
            "topics":["machines","poems"]
          },
          "wantsNewsletter":true,
          "topics":{"notLoaded":{}},
          "alert":null
        }
        """#
      ))
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.destination(.presented(.topics(.task))))))) {
    $0.path[id: 3]?.modify(\.review) {
      $0.destination.modify(\.topics) {
        $0.topics = .loading
      }
    }
  }
  try await effects.finish("topics", sending: .path(.element(id: 3, action: .review(.destination(.presented(.topics(.topicsResponse(.success(logged(
    #"""
    [
      {"id":"art","title":"Art"},
      {"id":"gardens","title":"Gardens"},
      {"id":"machines","title":"Machines"},
      {"id":"poems","title":"Poems"}
    ]
    """#
  ))))))))))
  await store.receive(\.path[id: 3].review.destination.presented) {
    try $0.path[id: 3]?.modify(\.review) {
      try $0.destination.modify(\.topics) {
        $0.topics = try .loaded(logged(
          #"""
          [
            {"id":"art","title":"Art"},
            {"id":"gardens","title":"Gardens"},
            {"id":"machines","title":"Machines"},
            {"id":"poems","title":"Poems"}
          ]
          """#
        ))
      }
    }
  }
  try await store.send(.path(.element(id: 3, action: .review(.destination(.presented(.topics(.topicTapped(logged(#""gardens""#))))))))) {
    try $0.$draft.withLock {
      $0.topics = try logged(#"["gardens","machines","poems"]"#)
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.destination(.presented(.topics(.cancelButtonTapped)))))))
  await effects.send(.path(.element(id: 3, action: .review(.destination(.dismiss)))))
  await store.receive(\.path[id: 3].review.destination.dismiss) {
    $0.path[id: 3]?.modify(\.review) {
      $0.destination = nil
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.binding(.set(\.acceptsTerms, true)))))) {
    $0.path[id: 3]?.modify(\.review) {
      $0.acceptsTerms = true
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.submitButtonTapped)))) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .inFlight(attempt: 1)
    }
  }
  await effects.send(.path(.element(id: 3, action: .review(.submitResponse(.failure(SignUpError.busy(retryAfter: 1)))))), from: "submit")
  await store.receive(\.path[id: 3].review.submitResponse.failure) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .waiting(attempt: 1, seconds: 1)
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.stopButtonTapped)))) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .idle
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.submitButtonTapped)))) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .inFlight(attempt: 1)
    }
  }
  await effects.send(.path(.element(id: 3, action: .review(.submitResponse(.failure(SignUpError.busy(retryAfter: 1)))))), from: "submit")
  await store.receive(\.path[id: 3].review.submitResponse.failure) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .waiting(attempt: 1, seconds: 1)
    }
  }
  await effects.finish("wait", sending: .path(.element(id: 3, action: .review(.waitTicked))))
  await store.receive(\.path[id: 3].review.waitTicked) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .waiting(attempt: 1, seconds: 0)
    }
  }
  await store.receive(\.path[id: 3].review.retryDue) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .inFlight(attempt: 2)
    }
  }
  await effects.send(.path(.element(id: 3, action: .review(.submitResponse(.failure(SignUpError.busy(retryAfter: 1)))))), from: "submit")
  await store.receive(\.path[id: 3].review.submitResponse.failure) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .waiting(attempt: 2, seconds: 1)
    }
  }
  await effects.finish("wait", sending: .path(.element(id: 3, action: .review(.waitTicked))))
  await store.receive(\.path[id: 3].review.waitTicked) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .waiting(attempt: 2, seconds: 0)
    }
  }
  await store.receive(\.path[id: 3].review.retryDue) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .inFlight(attempt: 3)
    }
  }
  await effects.finish("submit", sending: .path(.element(id: 3, action: .review(.submitResponse(.failure(SignUpError.busy(retryAfter: 1)))))))
  await store.receive(\.path[id: 3].review.submitResponse.failure) {
    try $0.path[id: 3]?.modify(\.review) {
      $0.submission = .idle
      $0.destination = try .alert(logged(
        #"""
        {
          "title":"The library cannot be reached",
          "message":null,
          "buttons":[
            {"action":{"action":{"tryAgain":{}}},"label":"Try again","role":null},
            {"action":{"action":null},"label":"Not now","role":{"cancel":{}}}
          ]
        }
        """#
      ))
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.destination(.dismiss))))) {
    $0.path[id: 3]?.modify(\.review) {
      $0.destination = nil
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.editButtonTapped(.account))))) {
    try $0.path[id: 3]?.modify(\.review) {
      $0.destination = try .account(logged(
        #"""
        {
          "draft":{
            "name":"ada-1843",
            "email":"busy@example.com",
            "password":"difference engine",
            "fullName":"A. Lovelace",
            "birthYear":null,
            "topics":["gardens","machines","poems"]
          },
          "availability":{"unknown":{}},
          "password":"difference engine",
          "repeatedPassword":"difference engine",
          "isPasswordVisible":false,
          "focus":{"name":{}},
          "problems":[]
        }
        """#
      ))
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.destination(.presented(.account(.emailChanged("ada@example.com")))))))) {
    $0.path[id: 3]?.modify(\.review) {
      $0.destination.modify(\.account) {
        $0.$draft.withLock {
          $0.email = "ada@example.com"
        }
      }
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.destination(.presented(.account(.nextButtonTapped))))))) {
    $0.$draft.withLock {
      $0.email = "ada@example.com"
    }
    $0.path[id: 3]?.modify(\.review) {
      $0.destination.modify(\.account) {
        $0.focus = nil
      }
    }
  }
  await store.receive(\.path[id: 3].review.destination.presented) {
    $0.path[id: 3]?.modify(\.review) {
      $0.destination = nil
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.submitButtonTapped)))) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .inFlight(attempt: 1)
    }
  }
  await effects.finish("submit", sending: .path(.element(id: 3, action: .review(.submitResponse(.failure(SignUpError.emailInUse))))))
  await store.receive(\.path[id: 3].review.submitResponse.failure) {
    try $0.path[id: 3]?.modify(\.review) {
      $0.submission = .idle
      $0.destination = try .alert(logged(
        #"""
        {
          "title":"Another member has this address",
          "message":null,
          "buttons":[
            {"action":{"action":{"editAccount":{}}},"label":"Change it","role":null},
            {"action":{"action":null},"label":"Not now","role":{"cancel":{}}}
          ]
        }
        """#
      ))
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.destination(.presented(.alert(.editAccount))))))) {
    try $0.path[id: 3]?.modify(\.review) {
      $0.destination = try .account(logged(
        #"""
        {
          "draft":{
            "name":"ada-1843",
            "email":"ada@example.com",
            "password":"difference engine",
            "fullName":"A. Lovelace",
            "birthYear":null,
            "topics":["gardens","machines","poems"]
          },
          "availability":{"unknown":{}},
          "password":"difference engine",
          "repeatedPassword":"difference engine",
          "isPasswordVisible":false,
          "focus":{"name":{}},
          "problems":[]
        }
        """#
      ))
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.destination(.presented(.account(.emailChanged("lovelace@example.com")))))))) {
    $0.path[id: 3]?.modify(\.review) {
      $0.destination.modify(\.account) {
        $0.$draft.withLock {
          $0.email = "lovelace@example.com"
        }
      }
    }
  }
  await store.send(.path(.element(id: 3, action: .review(.destination(.presented(.account(.nextButtonTapped))))))) {
    $0.$draft.withLock {
      $0.email = "lovelace@example.com"
    }
    $0.path[id: 3]?.modify(\.review) {
      $0.destination.modify(\.account) {
        $0.focus = nil
      }
    }
  }
  await store.receive(\.path[id: 3].review.destination.presented) {
    $0.path[id: 3]?.modify(\.review) {
      $0.destination = nil
    }
  }
  await store.send(.closeButtonTapped) {
    $0.dialog = try logged(
      #"""
      {
        "title":"Stop here?",
        "titleVisibility":{"visible":{}},
        "message":null,
        "buttons":[
          {
            "action":{"action":{"discard":{}}},
            "label":"Discard everything",
            "role":{"destructive":{}}
          },
          {"action":{"action":{"keepForLater":{}}},"label":"Keep for later","role":null},
          {"action":{"action":null},"label":"Go on","role":{"cancel":{}}}
        ]
      }
      """#
    )
  }
  await store.send(.dialog(.dismiss)) {
    $0.dialog = nil
  }
  await store.send(.path(.element(id: 3, action: .review(.submitButtonTapped)))) {
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .inFlight(attempt: 1)
    }
  }
  try await effects.send(.path(.element(id: 3, action: .review(.submitResponse(.success(logged(#"{"number":1843,"name":"ada-1843"}"#)))))), from: "submit")
  await store.receive(\.path[id: 3].review.submitResponse.success) {
    $0.$draft.withLock {
      $0.name = ""
      $0.email = ""
      $0.password = ""
      $0.fullName = ""
      $0.topics = []
    }
    $0.path[id: 3]?.modify(\.review) {
      $0.submission = .idle
    }
  }
  await store.receive(\.path[id: 3].review.delegate) {
    $0.path = []
    $0.member = try logged(#"{"number":1843,"name":"ada-1843"}"#)
  }
  await store.send(.startButtonTapped) {
    $0.path[id: 4] = try .account(logged(
      #"""
      {
        "draft":{"name":"","email":"","password":"","fullName":"","birthYear":null,"topics":[]},
        "availability":{"unknown":{}},
        "password":"",
        "repeatedPassword":"",
        "isPasswordVisible":false,
        "focus":{"name":{}},
        "problems":[]
      }
      """#
    ))
  }
  await store.send(.path(.popFrom(id: 4))) {
    $0.path = []
  }
  await store.send(.closeButtonTapped)
}
