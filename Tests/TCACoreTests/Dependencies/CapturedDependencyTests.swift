import Foundation
import TCACore
import Testing

private enum HostKey: DependencyKey {
  static let liveValue = "host"
  static let testValue = "host"
}

private enum PortKey: DependencyKey {
  static let liveValue = 80
  static let testValue = 80
}

private struct Endpoint: DependencyKey {
  var text: String
  static var testValue: Endpoint { liveValue }
  static var liveValue: Endpoint {
    @Dependency(\.host) var host
    return Endpoint(text: "https://\(host)")
  }
}

extension DependencyValues {
  fileprivate var host: String {
    get { self[HostKey.self] }
    set { self[HostKey.self] = newValue }
  }

  fileprivate var port: Int {
    get { self[PortKey.self] }
    set { self[PortKey.self] = newValue }
  }
}

private struct Client {
  @Dependency(Endpoint.self) var endpoint
  @Dependency(\.self) var all
}

private class Model {
  @Dependency(\.host) var host
  @Dependency(\.port) var port
}

private final class PlainModel {}

/// The dependencies that a model captures when it is created.
@Suite struct CapturedDependencyTests {
  @Test
  func `the default of a dependency that a model reads can use dependencies captured by the model`()
  {
    let client = withDependencies {
      $0.host = "captured"
    } operation: {
      Client()
    }
    #expect(client.endpoint.text == "https://captured")
  }

  @Test func `current values take precedence over captured values when a default is created`() {
    let client = withDependencies {
      $0.host = "captured"
    } operation: {
      Client()
    }
    withDependencies {
      $0.host = "current"
    } operation: {
      #expect(client.endpoint.text == "https://current")
    }
  }

  @Test func `the default of a dependency can use other values set in the same DependencyValues`() {
    var values = DependencyValues._current
    values.host = "set"
    #expect(values[Endpoint.self].text == "https://set")
  }

  @Test(arguments: [true, false])
  func `a model keeps the dependencies of all withDependencies calls in which it was created`(
    isAsync: Bool
  ) async {
    let model: Model
    if isAsync {
      model = await withDependencies {
        $0.host = "outer"
      } operation: {
        await withDependencies {
          $0.port = 1
        } operation: {
          await Task.yield()
          return Model()
        }
      }
    } else {
      model = withDependencies {
        $0.host = "outer"
      } operation: {
        withDependencies {
          $0.port = 1
        } operation: {
          Model()
        }
      }
    }
    withDependencies(from: model) {
      #expect(DependencyValues._current.host == "outer")
      #expect(DependencyValues._current.port == 1)
    }
  }

  @Test
  func `a model without Dependency properties keeps the dependencies with which it was created`() {
    let model = withDependencies {
      $0.host = "outer"
      $0.port = 1
    } operation: {
      withDependencies {
        $0.port = 2
      } operation: {
        PlainModel()
      }
    }
    withDependencies(from: model) {
      #expect(DependencyValues._current.host == "outer")
      #expect(DependencyValues._current.port == 2)
    }
    // A later call that returns the model is not one of those in which it was created.
    withDependencies {
      $0.port = 3
    } operation: {
      model
    }
    withDependencies(from: model) {
      #expect(DependencyValues._current.port == 3)
    }
  }

  @Test func `dependencies captured by a model take precedence over those of later calls`() {
    let model = withDependencies {
      $0.port = 1
    } operation: {
      Model()
    }
    withDependencies {
      $0.port = 2
      $0.host = "later"
    } operation: {
      model
    }
    withDependencies(from: model) {
      #expect(DependencyValues._current.port == 1)
      #expect(DependencyValues._current.host == "host")
    }
  }
}
