// swift-format-ignore-file
// Written by .ci/store-tests --update.

import SampleFeatures
import TCACore
import TCATesting
import Testing

/// Takes the steps that were recorded in library.jsonl.
@Test @MainActor func librarySteps() async throws {
  let state: Library.State = try logged(
    #"""
    {
      "books":[
        {"id":1,"title":"one book"},
        {"id":2,"title":"two books"},
        {"id":3,"title":"three books"}
      ],
      "titles":["a title","b title"],
      "editor":null
    }
    """#
  )
  let store = TestStore(initialState: state) {
    Library()
  }

  await store.send(.edit(2)) {
    $0.editor = try logged(#"{"book":{"id":2,"title":"two books"},"edits":0}"#)
  }
  await store.send(.editor(.presented(.titled("zwei")))) {
    $0.$books.withLock {
      $0[1].title = "zwei"
    }
    $0.editor?.edits = 1
  }
  await store.send(.inserted(9)) {
    try $0.$books.withLock {
      _ = try $0.insert(logged(#"{"id":9,"title":"new 9"}"#), at: 0)
    }
  }
  await store.send(.removed(1)) {
    $0.$books.withLock {
      _ = $0.remove(at: 1)
    }
  }
  await store.send(.editor(.presented(.titled("deux")))) {
    $0.$books.withLock {
      $0[1].title = "deux"
    }
    $0.editor?.edits = 2
  }
  await store.send(.removed(2)) {
    $0.$books.withLock {
      _ = $0.remove(at: 1)
    }
  }
  await store.send(.listed("c title")) {
    $0.$titles.withLock {
      $0 = ["a title", "b title", "c title"]
    }
  }
  await store.send(.unlisted) {
    $0.$titles.withLock {
      $0 = ["b title", "c title"]
    }
  }
  await store.send(.cleared) {
    $0.$books.withLock {
      $0 = []
    }
  }
}
