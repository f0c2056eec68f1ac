import Testing

/// The expanded getters of endpoints.
@Suite struct EndpointExpansionTests {
  private func getter(_ endpoint: String) throws -> String? {
    let expansion = try Expanding(
      "DependencyEndpointMacro",
      "accessor",
      "@DependencyEndpoint var \(endpoint)",
      context: ["struct Client {}"]
    ).expansion
    #expect(expansion.diagnostics.isEmpty)
    let source = try #require(expansion.expandedSource)
    return source.firstRange(of: "get {").flatMap { start in
      source.firstRange(of: "set {").map { String(source[start.lowerBound..<$0.lowerBound]) }
    }?.split(separator: "\n").map { String($0) }.joined(separator: "\n")
  }

  @Test(
    arguments: [
      ("@MainActor @Sendable (_ id: Int) -> Void", "@MainActor func fetch(id p0: Int) -> Void {"),
      (
        "@Sendable @Store.Actor (_ id: Int) async throws -> Int",
        "@Store.Actor func fetch(id p0: Int) async throws -> Int {"
      ),
      ("(@MainActor (_ id: Int) -> Int?)", "@MainActor func fetch(id p0: Int) -> Int? {"),
      (
        "@concurrent @Sendable (_ id: Int) async -> Void",
        "@concurrent func fetch(id p0: Int) async -> Void {"
      ),
      ("@Sendable (_ id: Int) -> Void", "func fetch(id p0: Int) -> Void {"),
      ("@isolated(any) (_ id: Int) async -> Void", "func fetch(id p0: Int) async -> Void {"),
      (
        "@convention(block) @MainActor (_ id: Int) -> Void",
        "@MainActor func fetch(id p0: Int) -> Void {"
      ),
    ]
  )
  func `the generated method of an endpoint keeps the attributes that are allowed on methods`(
    type: String,
    declaration: String
  ) throws {
    let expansion = try Expanding(
      "DependencyEndpointMacro",
      "peer",
      "@DependencyEndpoint var fetch: \(type)",
      context: ["struct Client {}"]
    ).expansion
    #expect(expansion.diagnostics.isEmpty)
    let source = try #require(expansion.expandedSource)
    #expect(source.split(separator: "\n").first { $0.contains("func ") } == declaration[...])
  }

  @Test func `a generated asynchronous endpoint is wrapped only if calls are recorded`() throws {
    #expect(
      try getter("fetch: @Sendable (_ id: Int, [String]) async throws -> User") == #"""
        get {
          let endpoint = _fetch
          if TCACore._$recordsCalls {
            return { p0, p1 in
              let call = TCACore._$EndpointCall("Client.fetch", [TCACore._$argument(p0), TCACore._$argument(p1)])
              do {
                let result: User = try await endpoint(p0, p1)
                call.returned(result)
                return result
              } catch {
                call.threw(error)
                throw error
              }
            }
          }
          return endpoint
        }
        """#
    )
  }

  @Test
  func `a recorded endpoint rethrows its typed error and logs function arguments as their type`()
    throws
  {
    #expect(
      try getter(
        #"load: @Sendable (@escaping (String) -> Void) async throws(Refusal) -> Void"#
      ) == #"""
        get {
          let endpoint = _load
          if TCACore._$recordsCalls {
            return { p0 async throws(Refusal) in
              let call = TCACore._$EndpointCall("Client.load", [TCACore._$function("(String) -> Void")])
              do throws(Refusal) {
                let result: Void = try await endpoint(p0)
                call.returned(result)
                return result
              } catch {
                call.threw(error)
                throw error
              }
            }
          }
          return endpoint
        }
        """#
    )
  }

  @Test
  func `a synchronous endpoint is recorded as a read, and also as a call if calls are recorded`()
    throws
  {
    #expect(
      try getter("count: @Sendable () -> Int?") == #"""
        get {
          let endpoint = _count
          if TCACore._$recordsCalls {
            return {
              let call = TCACore._$EndpointCall("Client.count", [])
              let result: Int? = endpoint()
              call.returned(result)
              return result
            }
          }
          return {
            TCACore._$endpoint(
              "Client.count",
              standIn: { () -> Int? in
                return nil
              },
              live: { () -> Int? in endpoint() }
            )
          }
        }
        """#
    )
  }

  @Test(
    "A generated endpoint is not wrapped if it cannot be forwarded or may belong to an actor",
    arguments: [
      "change: @Sendable (inout Int) async -> Void",
      "take: @Sendable (consuming Int) async -> Void",
      "hand: @Sendable (sending Box) async -> Void",
      "give: @Sendable () async throws -> sending Box",
      "list: @Sendable (Int...) async -> Void", "run: () async -> Void",
    ]
  )
  func givenAsItIs(endpoint: String) throws {
    let name = endpoint.prefix { $0 != ":" }
    #expect(try getter(endpoint) == "get { _\(name) }")
  }
}
