import TCACore
import Testing

private enum NumberKey: DependencyKey {
  static let liveValue = 1
  static let testValue = 10
}

private enum LetterKey: DependencyKey {
  static let liveValue = "live"
  static let testValue = "test"
}

extension DependencyValues {
  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }

  fileprivate var letter: String {
    get { self[LetterKey.self] }
    set { self[LetterKey.self] = newValue }
  }
}

/// The propagation of dependencies.
@Suite struct WithDependenciesTests {
  private class Model {
    @Dependency(\.number) var number
  }

  private final class Submodel: Model {}

  private final class PlainModel {
    var child: Model?
  }

  @Test func `withDependencies from a model applies the values with which the model was made`() {
    let model = withDependencies {
      $0.number = 2
    } operation: {
      PlainModel()
    }
    #expect(withDependencies(from: model) { Model() }.number == 2)
    #expect(
      withDependencies(from: model) {
        $0.number += 1
      } operation: {
        Model()
      }.number == 3
    )
    #expect(Model().number == 10)
  }

  @Test func `withDependencies from a model applies the values that its properties captured`() {
    func inner() -> Submodel { Submodel() }
    let holder = withDependencies {
      $0.number = 2
    } operation: {
      [inner()]
    }
    #expect(withDependencies(from: holder[0]) { Model() }.number == 2)
  }

  @Test func `current values take precedence over those of the model in withDependencies`() {
    let model = withDependencies {
      $0.number = 2
      $0.letter = "a"
    } operation: {
      PlainModel()
    }
    withDependencies {
      $0.number = 3
    } operation: {
      withDependencies(from: model) {
        @Dependency(\.self) var dependencies
        #expect(dependencies.number == 3)
        #expect(dependencies.letter == "a")
      }
    }
  }

  @Test func `withDependencies reports an issue for a model that has no dependencies`() {
    let model = PlainModel()
    let issues = recordingIssues {
      #expect(withDependencies(from: model) { Model() }.number == 10)
    }
    #expect(
      issues == [
        """
        Dependencies were to be taken from a "PlainModel" that has none. The current ones are used. Make it inside of \
        "withDependencies", or give it a property with "@Dependency".
        """
      ]
    )
  }

  @Test func `withDependencies applies the values of a model made asynchronously`() async {
    let model = await withDependencies {
      await Task.yield()
      $0.number = 2
    } operation: {
      await Task.yield()
      return PlainModel()
    }
    let number = await withDependencies(from: model) {
      $0.letter = "b"
    } operation: {
      await Task.yield()
      return Model().number
    }
    #expect(number == 2)
  }

  @Test func `escaped dependencies can be applied in a detached task`() async {
    let number = await withDependencies {
      $0.number = 2
    } operation: {
      await withEscapedDependencies { (continuation: DependencyValues.Continuation) in
        await Task.detached {
          await continuation.yield {
            await Task.yield()
            @Dependency(\.number) var number
            return number
          }
        }
        .value
      }
    }
    #expect(number == 2)
  }

  @Test func `an error thrown in withDependencies leaves the dependencies unchanged`() {
    struct Failed: Error {}
    #expect(throws: Failed.self) {
      try withDependencies {
        $0.number = 2
        throw Failed()
      } operation: {
      }
    }
    #expect(throws: Failed.self) {
      try withDependencies {
        $0.number = 2
      } operation: {
        throw Failed()
      }
    }
    #expect(Model().number == 10)
  }

  static let environments: [(variables: [String: String], isTesting: Bool, DependencyContext)] = [
    ([:], false, .live),
    ([:], true, .test),
    (["XCODE_RUNNING_FOR_PREVIEWS": "1"], false, .preview),
    (["SWIFT_DEPENDENCIES_CONTEXT": "live"], true, .live),
    (["SWIFT_DEPENDENCIES_CONTEXT": "preview"], true, .preview),
    (["SWIFT_DEPENDENCIES_CONTEXT": "test"], false, .test),
    (["SWIFT_DEPENDENCIES_CONTEXT": "replay"], false, .replay),
  ]

  @Test(arguments: environments)
  func `environment variables and the test process determine the dependency context`(
    variables: [String: String],
    isTesting: Bool,
    context: DependencyContext
  ) {
    #expect(DependencyContext(environment: variables, isTesting: isTesting) == context)
  }

  @Test func `an unknown context in the environment variables reports an issue and is ignored`() {
    let issues = recordingIssues {
      let variables = ["SWIFT_DEPENDENCIES_CONTEXT": "production"]
      #expect(DependencyContext(environment: variables, isTesting: false) == .live)
    }
    #expect(
      issues == [
        """
        The environment variable SWIFT_DEPENDENCIES_CONTEXT is "production", which is no context. It is left out of \
        account. Expected: "live", "preview", "test" or "replay".
        """
      ]
    )
  }
}
