import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TCAReplay
import TestSupport

/// Creates a state with separate storage for its shared values.
func inOwnStorage<State>(_ make: () -> State) -> State {
  withDependencies {
    $0.defaultFileStorage = .inMemory
    $0.defaultAppStorage = .inMemory
    $0.defaultInMemoryStorage = InMemoryStorage()
  } operation: {
    make()
  }
}

/// Runs a closure with separate storage for shared values.
@MainActor
func runInOwnStorage<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
  try await withDependencies {
    $0.defaultFileStorage = .inMemory
    $0.defaultAppStorage = .inMemory
    $0.defaultInMemoryStorage = InMemoryStorage()
  } operation: {
    try await operation()
  }
}

extension JSON {
  /// The value at the end of a path of names.
  subscript(path names: String...) -> JSON? {
    self[JSON.Pointer(names)].flatMap { $0 == .null ? nil : $0 }
  }

  /// The text as an id.
  var uuid: UUID? { string.flatMap(UUID.init) }
}

extension Array {
  /// Returns a random element.
  func pick(_ random: inout SplitMix64) -> Element {
    self[Int.random(in: indices, using: &random)]
  }
}

/// A user who logs in and out.
enum AccountUser {
  static func action(_ state: JSON, _ random: inout SplitMix64) -> Account.Action? {
    if let login = state[path: "phase", "login", "_0"] {
      return .phase(.login(self.login(login, &random)))
    }
    if state[path: "phase", "twoFactor"] != nil {
      return .phase(.twoFactor(code(&random)))
    }
    if let home = state[path: "phase", "home", "_0"] {
      return .phase(.home(self.home(home, &random)))
    }
    return .task
  }

  private static func login(_ state: JSON, _ random: inout SplitMix64) -> Login.Action {
    if state[path: "alert"] != nil { return .alert(.dismiss) }
    return [
      .view(.binding(.set(\.email, "ada@example.com"))),
      .view(.binding(.set(\.email, "ada"))),
      .view(.binding(.set(\.password, ["enigma", "enigma", "sesame", "x"].pick(&random)))),
      .view(.binding(.set(\.password, "enigma"))),
      .view(.logInButtonTapped), .view(.logInButtonTapped), .view(.submitted),
      .view(.cancelButtonTapped),
    ].pick(&random)
  }

  private static func code(_ random: inout SplitMix64) -> TwoFactor.Action {
    [
      .binding(.set(\.code, "181512")), .binding(.set(\.code, "181512")),
      .binding(.set(\.code, "000000")), .binding(.set(\.code, "18 1")),
      .resendButtonTapped, .task, .backButtonTapped,
    ].pick(&random)
  }

  private static func home(_ state: JSON, _ random: inout SplitMix64) -> Home.Action {
    let path = state[path: "path"]?.array ?? []
    guard let top = path.last, let number = top[path: "id"]?.int else {
      return .profileButtonTapped
    }
    let id = StackElementID(number)
    if let security = top[path: "element", "security", "_0"] {
      let action: Security.Action
      if security[path: "destination", "confirm"] != nil {
        action = .destination(.presented(.confirm(.logOut)))
      } else if security[path: "destination", "failed"] != nil {
        action = .destination(.presented(.failed(.logOutHere)))
      } else {
        action = .logOutButtonTapped
      }
      return .path(.element(id: id, action: .security(action)))
    }
    let action: Profile.Action = [
      .binding(.set(\.name, "Lovelace")), .saveButtonTapped, .securityButtonTapped,
    ].pick(&random)
    return Int.random(in: 0..<6, using: &random) == 0
      ? .path(.popFrom(id: id)) : .path(.element(id: id, action: .profile(action)))
  }
}

/// A user who adds sites and visits them.
enum InspectionsUser {
  static func action(_ state: JSON, _ random: inout SplitMix64) -> Inspections.Action? {
    if let form = state[path: "destination", "add", "_0"] {
      return .destination(.presented(.add(self.form(form, &random))))
    }
    if state[path: "destination", "order"] != nil {
      return .destination(.presented(.order(SiteOrder.allCases.pick(&random))))
    }
    let path = state[path: "path"]?.array ?? []
    if let top = path.last, let number = top[path: "id"]?.int, let screen = top[path: "element"] {
      let id = StackElementID(number)
      if Int.random(in: 0..<12, using: &random) == 0 { return .path(.popFrom(id: id)) }
      return self.screen(screen, &random).map { .path(.element(id: id, action: $0)) }
    }
    let ids = (state[path: "sites"]?.array ?? []).compactMap { $0[path: "id"]?.uuid }
    guard !ids.isEmpty else { return .addButtonTapped }
    return [
      .addButtonTapped, .orderButtonTapped, .siteTapped(ids.pick(&random)),
      .siteTapped(ids.pick(&random)), .siteTapped(ids.pick(&random)),
      .deleteSwiped(ids.pick(&random)),
    ].pick(&random)
  }

  private static func form(_ state: JSON, _ random: inout SplitMix64) -> SiteForm.Action {
    if state[path: "discard"] != nil { return .discard(.presented(.confirmed)) }
    return [
      .addCheckButtonTapped, .cancelButtonTapped, .saveButtonTapped, .saveButtonTapped,
      .submitted,
      .set(\.site.name, ["Mill", "Bridge\n", "Tower 👷"].pick(&random)),
      .set(\.site.name, "Quarry"),
      .set(\.site.address, "Quay 1"),
      .set(\.site.checks, [Check(id: UUID(101), title: "Roof"), Check(id: UUID(102), title: "é")]),
    ].pick(&random)
  }

  private static func screen(
    _ screen: JSON,
    _ random: inout SplitMix64
  ) -> Inspections.Path.Action? {
    if let site = screen[path: "site", "_0"] { return .site(self.site(site, &random)) }
    if let visit = screen[path: "visit", "_0"] { return .visit(self.visit(visit, &random)) }
    guard let report = screen[path: "report", "_0"] else { return nil }
    if report[path: "alert"] != nil { return .report(.alert(.dismiss)) }
    return .report([.fileButtonTapped, .cancelButtonTapped].pick(&random))
  }

  private static func site(_ state: JSON, _ random: inout SplitMix64) -> SiteDetail.Action {
    if state[path: "destination", "alert"] != nil {
      return .destination([.presented(.alert(.deleteConfirmed)), .dismiss, .dismiss].pick(&random))
    }
    if let form = state[path: "destination", "edit", "_0"] {
      return .destination(.presented(.edit(self.form(form, &random))))
    }
    let visits = (state[path: "site", "visits"]?.array ?? []).compactMap { $0[path: "id"]?.uuid }
    if let visit = visits.first, Bool.random(using: &random) {
      return [.visitTapped(visit), .visitTapped(visit), .deleteVisit(visit)].pick(&random)
    }
    return [.startButtonTapped, .startButtonTapped, .editButtonTapped, .deleteButtonTapped]
      .pick(&random)
  }

  private static func visit(_ state: JSON, _ random: inout SplitMix64) -> VisitRecorder.Action {
    if state[path: "alert"] != nil {
      return .alert([.presented(.finishAnyway), .presented(.leave), .dismiss].pick(&random))
    }
    let rows = (state[path: "rows"]?.array ?? []).compactMap { $0[path: "id"]?.uuid }
    if let row = rows.first, Int.random(in: 0..<3, using: &random) > 0 {
      let action: CheckRow.Action = [
        .gradeTapped(Grade.allCases.pick(&random)), .lookButtonTapped, .set(\.note, "Leaks"),
      ].pick(&random)
      return .rows(.element(id: rows.count > 1 ? rows.pick(&random) : row, action: action))
    }
    return [
      .task, .pauseButtonTapped, .moved(from: 0, to: 2), .finishButtonTapped, .leaveButtonTapped,
    ].pick(&random)
  }
}
