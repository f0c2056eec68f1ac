import Foundation
import ReplayEngine
import SampleFeatures
import TCACore

/// The screens of the site inspection app.
extension ReplayPicture {
  package static func inspections(_ state: Inspections.State) -> ReplayPicture {
    var screen = PhoneScreen()
    var words: String
    switch state.path.last {
    case nil: words = list(state, on: &screen)
    case .site(let detail): words = site(detail, on: &screen)
    case .visit(let visit): words = Self.visit(visit, on: &screen)
    case .report(let report): words = Self.report(report, on: &screen)
    }
    switch state.destination {
    case nil: break
    case .add(let form):
      Self.form(form, "New site", on: &screen)
      words += "; a sheet for a new site"
    case .order(let dialog):
      screen.show(dialog)
      words += "; a dialog with the orders"
    }
    return screen.picture("\(words).")
  }

  private static func list(_ state: Inspections.State, on screen: inout PhoneScreen) -> String {
    screen.title("Sites", leading: "Order", trailing: "Add")
    let sites = state.listed
    for site in sites {
      screen.row(
        site.name.isEmpty ? "No name" : site.name,
        detail: site.visits.isEmpty ? "" : "\(site.visits.count)",
        note: site.address.isEmpty ? "no address" : site.address,
        leadsOn: true
      )
    }
    if sites.isEmpty { screen.caption("No sites yet.") }
    return "A list of \(sites.count) sites"
  }

  private static func site(_ state: SiteDetail.State, on screen: inout PhoneScreen) -> String {
    let site = state.site
    screen.bar("", leading: "‹ Sites", trailing: "Edit")
    screen.title(site.name.isEmpty ? "No name" : site.name)
    screen.row(site.address.isEmpty ? "no address" : site.address, tint: .gray)
    screen.row("Start a visit", tint: .blue)
    screen.section("Checks")
    for check in site.checks { screen.row(check.title.isEmpty ? "No title" : check.title) }
    if !site.visits.isEmpty { screen.section("Visits") }
    for visit in site.visits {
      screen.row(day(visit.date), detail: time(visit.seconds), leadsOn: true)
    }
    screen.row("Delete", tint: .red)
    switch state.destination {
    case nil: break
    case .alert(let alert): screen.show(alert)
    case .edit(let form): Self.form(form, "Edit site", on: &screen)
    }
    return "The site \(site.name) with \(site.checks.count) checks and \(site.visits.count) visits"
  }

  private static func form(_ state: SiteForm.State, _ title: String, on screen: inout PhoneScreen) {
    screen.sheet()
    screen.bar(title, leading: "Cancel", trailing: "Save")
    screen.field("Name", state.site.name, hasFocus: state.focus == .name)
    screen.field("Address", state.site.address, hasFocus: state.focus == .address)
    screen.section("Checks")
    for check in state.site.checks {
      screen.field("Check", check.title, hasFocus: state.focus == .check(check.id))
    }
    screen.row("Add a check", tint: .blue)
    if let dialog = state.discard { screen.show(dialog) }
  }

  private static func visit(_ state: VisitRecorder.State, on screen: inout PhoneScreen) -> String {
    screen.bar(state.site.name, leading: "Leave", trailing: "Finish")
    screen.large(time(state.seconds), below: state.isPaused ? "paused" : state.weather ?? "…")
    screen.section("Checks")
    for row in state.rows {
      let tint: PhoneScreen.Tint =
        switch row.grade {
        case .good: .green
        case .fair: .orange
        case .poor: .red
        case nil: .gray
        }
      screen.row(
        row.title,
        detail: row.grade?.rawValue ?? "",
        note: row.note,
        mark: .dot(tint),
        tint: row.isBeingLookedAt ? .blue : .ink
      )
    }
    screen.toolbar([state.isPaused ? "Go on" : "Pause", "\(state.warnings) warnings"])
    if let alert = state.alert { screen.show(alert) }
    let open = state.rows.count { $0.grade == nil }
    return "A visit of \(state.site.name) after \(time(state.seconds)),"
      + " \(open) of \(state.rows.count) checks open"
  }

  private static func report(_ state: VisitReport.State, on screen: inout PhoneScreen) -> String {
    let visit = state.visit
    screen.bar("Report", leading: "‹ Back", trailing: "")
    screen.title(state.siteName)
    screen.row("Day", detail: day(visit.date))
    screen.row("Time", detail: time(visit.seconds))
    screen.row("Weather", detail: visit.weather ?? "unknown")
    screen.section("Findings")
    for finding in visit.findings {
      screen.row(finding.title, detail: finding.grade?.rawValue ?? "open", note: finding.note)
    }
    if let receipt = visit.receipt {
      screen.caption("Filed as \(receipt)")
    } else {
      screen.button(state.isFiling ? "Filing …" : "File", isEnabled: !state.isFiling)
    }
    if let alert = state.alert { screen.show(alert) }
    let filed = visit.receipt == nil ? "" : ", which is filed"
    return "The report of a visit of \(state.siteName)\(filed)"
  }

  private static func time(_ seconds: Int) -> String {
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  /// Formats a date as its day, in the time zone of the recording.
  private static func day(_ date: Date) -> String {
    @Dependency(\.calendar) var calendar
    let day = calendar.dateComponents([.year, .month, .day], from: date)
    let (year, month) = (day.year ?? 0, day.month ?? 0)
    return "\(day.day ?? 0).\(month).\(year)"
  }
}
