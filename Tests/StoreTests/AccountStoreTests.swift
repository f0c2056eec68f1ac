// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in account.jsonl.
@Test @MainActor func accountSteps() async throws {
  let effects = StubbedEffects<Account.Action>()
  let state: Account.State = try logged(#"{"phase":null}"#)
  let store = TestStore(initialState: state) {
    Account().stubbingEffects(by: effects)
  }

  await store.send(.task)
  await effects.finish(sending: .restored(nil))
  await store.receive(\.restored) {
    $0.phase = try .login(logged(
      #"""
      {
        "email":"",
        "password":"",
        "focus":null,
        "isBusy":false,
        "failures":0,
        "notice":null,
        "alert":null
      }
      """#
    ))
  }
  await store.send(.phase(.login(.view(.binding(.set(\.email, "ada@example.com")))))) {
    $0.phase.modify(\.login) {
      $0.email = "ada@example.com"
    }
  }
  await store.send(.phase(.login(.view(.binding(.set(\.password, "riddle")))))) {
    $0.phase.modify(\.login) {
      $0.password = "riddle"
    }
  }
  await store.send(.phase(.login(.view(.logInButtonTapped)))) {
    $0.phase.modify(\.login) {
      $0.isBusy = true
    }
  }
  await effects.finish("log in", sending: .phase(.login(.response(.failure(AccountError.wrongPassword)))))
  await store.receive(\.phase.login.response.failure) {
    $0.phase.modify(\.login) {
      $0.password = ""
      $0.focus = .password
      $0.isBusy = false
      $0.failures = 1
      $0.notice = "Wrong password."
    }
  }
  await store.send(.phase(.login(.view(.binding(.set(\.password, "sesame")))))) {
    $0.phase.modify(\.login) {
      $0.password = "sesame"
      $0.notice = nil
    }
  }
  await store.send(.phase(.login(.view(.logInButtonTapped)))) {
    $0.phase.modify(\.login) {
      $0.focus = nil
      $0.isBusy = true
    }
  }
  await effects.finish("log in", sending: .phase(.login(.response(.failure(AccountError.locked(minutes: 5))))))
  await store.receive(\.phase.login.response.failure) {
    try $0.phase.modify(\.login) {
      $0.isBusy = false
      $0.alert = try logged(#"{"title":"Try again in 5 minutes","message":null,"buttons":[]}"#)
    }
  }
  await store.send(.phase(.login(.alert(.dismiss)))) {
    $0.phase.modify(\.login) {
      $0.alert = nil
    }
  }
  await store.send(.phase(.login(.view(.binding(.set(\.password, "enigma")))))) {
    $0.phase.modify(\.login) {
      $0.password = "enigma"
    }
  }
  await store.send(.phase(.login(.view(.logInButtonTapped)))) {
    $0.phase.modify(\.login) {
      $0.isBusy = true
    }
  }
  await store.send(.phase(.login(.view(.cancelButtonTapped)))) {
    $0.phase.modify(\.login) {
      $0.isBusy = false
    }
  }
  await store.send(.phase(.login(.view(.logInButtonTapped)))) {
    $0.phase.modify(\.login) {
      $0.isBusy = true
    }
  }
  try await effects.send(.phase(.login(.response(.success(.needsCode(logged(#"{"id":"1","sentTo":"***-1815"}"#)))))), from: "log in")
  await store.receive(\.phase.login.response.success) {
    $0.phase.modify(\.login) {
      $0.password = ""
      $0.isBusy = false
      $0.failures = 0
    }
  }
  await store.receive(\.phase.login.delegate) {
    $0.phase = try .twoFactor(logged(
      #"""
      {
        "challenge":{"id":"1","sentTo":"***-1815"},
        "code":"",
        "isBusy":false,
        "notice":null,
        "secondsToResend":30
      }
      """#
    ))
  }
  await store.receive(\.phase.twoFactor.task)
  await effects.send(.phase(.twoFactor(.ticked)), from: "countdown")
  await store.receive(\.phase.twoFactor.ticked) {
    $0.phase.modify(\.twoFactor) {
      $0.secondsToResend = 29
    }
  }
  await store.send(.phase(.twoFactor(.binding(.set(\.code, "000000"))))) {
    $0.phase.modify(\.twoFactor) {
      $0.code = "000000"
      $0.isBusy = true
    }
  }
  await effects.finish("confirm", sending: .phase(.twoFactor(.response(.failure(AccountError.wrongCode(triesLeft: 2))))))
  await store.receive(\.phase.twoFactor.response.failure) {
    $0.phase.modify(\.twoFactor) {
      $0.code = ""
      $0.isBusy = false
      $0.notice = "Wrong code, 2 tries left."
    }
  }
  await store.send(.phase(.twoFactor(.binding(.set(\.code, "18-15-12"))))) {
    $0.phase.modify(\.twoFactor) {
      $0.code = "181512"
      $0.isBusy = true
      $0.notice = nil
    }
  }
  try await effects.send(.phase(.twoFactor(.response(.success(logged(#"{"name":"Ada","token":"token-1"}"#))))), from: "confirm")
  await store.receive(\.phase.twoFactor.response.success) {
    $0.phase.modify(\.twoFactor) {
      $0.isBusy = false
    }
  }
  await store.receive(\.phase.twoFactor.delegate) {
    $0.phase = try .home(logged(#"{"session":{"name":"Ada","token":"token-1"},"path":[]}"#))
  }
  await store.send(.phase(.home(.profileButtonTapped))) {
    try $0.phase.modify(\.home) {
      $0.path[id: 0] = try .profile(logged(
        #"""
        {"session":{"name":"Ada","token":"token-1"},"name":"Ada","isSaving":false}
        """#
      ))
    }
  }
  await store.send(.phase(.home(.path(.element(id: 0, action: .profile(.binding(.set(\.name, "Lovelace")))))))) {
    $0.phase.modify(\.home) {
      $0.path[id: 0]?.modify(\.profile) {
        $0.name = "Lovelace"
      }
    }
  }
  await store.send(.phase(.home(.path(.element(id: 0, action: .profile(.saveButtonTapped)))))) {
    $0.phase.modify(\.home) {
      $0.path[id: 0]?.modify(\.profile) {
        $0.isSaving = true
      }
    }
  }
  try await effects.finish("rename", sending: .phase(.home(.path(.element(id: 0, action: .profile(.renamed(.success(logged(#"{"name":"Lovelace","token":"token-1"}"#)))))))))
  await store.receive(\.phase.home.path[id: 0].profile.renamed.success) {
    $0.phase.modify(\.home) {
      $0.path[id: 0]?.modify(\.profile) {
        $0.session.name = "Lovelace"
        $0.isSaving = false
      }
    }
  }
  await store.receive(\.phase.home.path[id: 0].profile.delegate) {
    $0.phase.modify(\.home) {
      $0.session.name = "Lovelace"
    }
  }
  await store.send(.phase(.home(.path(.element(id: 0, action: .profile(.securityButtonTapped)))))) {
    try $0.phase.modify(\.home) {
      $0.path[id: 1] = try .security(logged(
        #"""
        {"session":{"name":"Lovelace","token":"token-1"},"isBusy":false,"destination":null}
        """#
      ))
    }
  }
  await store.send(.phase(.home(.path(.element(id: 1, action: .security(.logOutButtonTapped)))))) {
    try $0.phase.modify(\.home) {
      try $0.path[id: 1]?.modify(\.security) {
        $0.destination = try .confirm(logged(
          #"""
          {
            "title":"Log out?",
            "titleVisibility":{"automatic":{}},
            "message":null,
            "buttons":[
              {"action":{"action":{"logOut":{}}},"label":"Log out","role":{"destructive":{}}}
            ]
          }
          """#
        ))
      }
    }
  }
  await store.send(.phase(.home(.path(.element(id: 1, action: .security(.destination(.presented(.confirm(.logOut))))))))) {
    $0.phase.modify(\.home) {
      $0.path[id: 1]?.modify(\.security) {
        $0.isBusy = true
        $0.destination = nil
      }
    }
  }
  await effects.send(.phase(.home(.path(.element(id: 1, action: .security(.loggedOut(.success(true))))))), from: "log out")
  await store.receive(\.phase.home.path[id: 1].security.loggedOut.success, true) {
    $0.phase.modify(\.home) {
      $0.path[id: 1]?.modify(\.security) {
        $0.isBusy = false
      }
    }
  }
  await store.receive(\.phase.home.path[id: 1].security.delegate)
  await store.receive(\.phase.home.delegate) {
    $0.phase = try .login(logged(
      #"""
      {
        "email":"",
        "password":"",
        "focus":null,
        "isBusy":false,
        "failures":0,
        "notice":null,
        "alert":null
      }
      """#
    ))
  }
}
