"""Random features: their sources, and how a user of them acts."""

import re

from cancellation_ids import IDs
from value_kinds import KINDS, NAMES


def swift_bool(rng):
    return "true" if rng.random() < 0.5 else "false"


def lines(texts, indent):
    return "".join(" " * indent + text + "\n" for text in texts)


def kinds(key):
    """The kinds of effects and operators in an effect."""
    return [key] if isinstance(key, str) else [kind for part in key for kind in kinds(part)]


class Value:
    """A property of a state, and the action that sets it."""

    def __init__(self, rng, name):
        self.name = name
        self.type, self.make = rng.choice(KINDS)
        self.form = rng.choice(["typed", "inferred", "observed", "ignored", "inner"])
        self.payload = rng.choice(["alone", "labeled", "before", "after"])

    @property
    def path(self):
        return f"inner.{self.name}" if self.form == "inner" else self.name

    @property
    def is_text(self):
        """Whether code does not look into the value when it is read: any text is a value of the type."""
        return self.make in ("text", "substring", "texts")

    @property
    def mask(self):
        """The path of the property in a log."""
        return self.path.replace("`", "").replace(".", "/")

    @property
    def action_mask(self):
        """The path of the value in an action."""
        return f"/{self.name.replace('`', '')}/" + {"alone": "_0", "labeled": "to", "before": "_0", "after": "_1"}[self.payload]

    def declaration(self):
        first = f"Make.{self.make}(0)"
        return {
            "typed": f"var {self.name}: {self.type} = {first}",
            "inferred": f"var {self.name} = {first}",
            "observed": f"var {self.name}: {self.type} = {first} {{ didSet {{ changes &+= 1 }} }}",
            "ignored": f"@ObservationStateIgnored var {self.name}: {self.type} = {first}",
            "inner": f"var {self.name}: {self.type} = {first}",
        }[self.form]

    def case(self):
        payload = {
            "alone": self.type, "labeled": f"to: {self.type}", "before": f"{self.type}, number: Int",
            "after": f"_ number: Int, {self.type}",
        }[self.payload]
        return f"case {self.name}({payload})"

    def handler(self, mutation, addition):
        pattern = {
            "alone": "let value", "labeled": "to: let value", "before": "let value, number: let number",
            "after": "let number, let value",
        }[self.payload]
        count = f"state.count &+= {addition}; " if "number" in pattern else ""
        return f"case .{self.name}({pattern}): {count}state.{self.path} = {mutation}"

    def action(self, number):
        value = f"Make.{self.make}({number})"
        return f".{self.name}(" + {
            "alone": value, "labeled": f"to: {value}", "before": f"{value}, number: 1", "after": f"2, {value}",
        }[self.payload] + ")"


class Feature:
    """A random feature: its source, and how a user of it acts."""

    def __init__(self, rng, name, mutations, is_recorded=True):
        self.rng = rng
        self.name = name
        self.mutations = mutations
        self.is_recorded = is_recorded
        self.reentrant = None
        self.cancels_tasks = is_recorded or rng.random() < 0.5
        self.waits = 0
        self.parents = 0
        self.ids = IDs(rng, name)
        self.children = rng.sample(
            [
                "scope", "sheet", "rows", "stack", "optional", "cases", "alert", "destination", "screens", "tree", "box", "dialog",
                "editor", "limited",
            ],
            rng.randint(0, 4),
        )
        self.parts = rng.sample(
            [
                "binding", "shared", "keyed", "reads", "client", "result", "reentrant", "onChange", "stream", "timed", "mapped",
                "persistent",
            ],
            rng.randint(0, 5),
        )
        if not is_recorded and "timed" in self.parts:
            # In Point-Free's library, these operators take schedulers, and no clocks.
            self.parts.remove("timed")
        names = rng.sample(NAMES, rng.randint(0, 6))
        # The macros of Point-Free's library take no names with backticks.
        self.values = [Value(rng, name if is_recorded else re.sub(r"`(\w+).*", r"\1_", name)) for name in names]
        self.masks, self.excluded = self.random_masks(), self.random_exclusions()

    def random_masks(self):
        """The masked paths by the parts of a log."""
        texts = [value for value in self.values if value.is_text]
        others = [value for value in self.values if not value.is_text]
        return {
            "state": [f"/{value.mask}" for value in texts],
            "action": [value.action_mask for value in texts if self.rng.random() < 0.5],
            "effect": ["/input"] if self.rng.random() < 0.2 else [],
            "omitted": [f"/{value.mask}" for value in others if self.rng.random() < 0.2],
        }

    def random_exclusions(self):
        """The actions that a filter leaves out."""
        children = {"scope": "left", "optional": "part", "stack": "path", "cases": "screen"}
        cases = [children.get(child, child) for child in self.children] + [value.name.replace("`", "") for value in self.values]
        return [f"/{case}" for case in ["act1", "ended"] + cases if self.rng.random() < 0.4] or ["/act1"]

    def files(self):
        files = {self.name: self.source()}
        for name, text in self.ids.files.items():
            files[name] = "import TCACore\n\n" + text
        return files

    def mutation(self, kind):
        return self.mutations.add(self.name, kind)

    def id(self, argument="number"):
        expressions = self.ids.expressions
        if not self.is_recorded:
            # Effects of one action start in an order that Point-Free's library does not define. None of them cancels another one, or itself.
            expressions = [known for known in expressions if known not in self.used] or [f'{{ number in "{len(self.used)}" }}']
        expression = self.rng.choice(expressions)
        self.used.add(expression)
        return f"({expression} as @Sendable (Int) -> any Hashable & Sendable)({argument})"

    def effect_id(self):
        """An id of an effect, whose type may be erased."""
        number = self.mutation("id of an effect")
        made = f"mutantID({number}, {self.id()})"
        erased = "AnyHashable" if self.is_recorded else "AnyHashableSendable"
        return f"{erased}({made})" if self.rng.random() < 0.15 else made

    def milliseconds(self):
        """A duration of an effect."""
        duration = self.rng.choice([0, 10, 20, 50, 100, 200])
        if self.is_recorded:
            return duration
        # Point-Free's library does not define the order of effects that end at the same instant.
        self.waits += 1
        return duration + (self.waits - 1) * 13 / 1_000

    def child(self, type="GeneratedChild"):
        """A child, whose effects have a duration of their own if the library does not define the order of those that end at the same instant."""
        if not self.is_recorded:
            self.parents += 1
        return f"{type}(milliseconds: {70 + self.parents * 20 / 1_000})"

    def effect(self, depth=0, is_chained=False):
        """An effect, and a text that is the same for effects that a log describes in the same way."""
        rng = self.rng
        milliseconds = self.milliseconds()
        kind = rng.random()
        if kind < 0.27 and depth < 3:
            merges = kind < 0.12
            is_chained = is_chained or not merges
            (first, one), (second, two) = self.effect(depth + 1, is_chained), self.effect(depth + 1, is_chained)
            if not self.is_recorded and "cancel" in kinds(two):
                # Point-Free's library cancels when the reducer makes the effect, before any other part, and TCACore in the order of the parts.
                if "cancel" in kinds(one):
                    return first, one
                first, one, second, two = second, two, first, one
            key = ("merge" if merges else "concatenate", one, two)
            if rng.random() < 0.5 and one != two:
                operator = "Effect.merge" if merges else "Effect.concatenate"
                return f"ordered({self.mutation('order of effects')}, {first}, {second}) {{ {operator}($0, $1) }}", key
            return f"joined({self.mutation('operator of effects')}, {first}, {second}, merges: {str(merges).lower()})", key
        if kind < 0.34:
            # Whether two ids are the same is only known at run time.
            return f".cancel(id: {self.effect_id()})", "cancel"
        if kind < 0.40:
            return f".send(.ended(mutant({self.mutation('action that is sent')}, number, number &+ 1)))", "send"
        if kind < 0.43 and "reads" in self.parts:
            return """
                .run(name: "reader") { send in
                  let id = uuid()
                  await send(.made(id))
                }""", "reader"
        if kind < 0.43 and "result" in self.parts:
            return f"""
                .run(name: "result") {{ send in
                  try? await clock.sleep(for: .milliseconds({milliseconds}))
                  await send(.result(Result {{ if number == 1 {{ throw GeneratedFailure(code: number) }} else {{ number }} }}))
                }}""", "result"
        if kind < 0.44 and "client" in self.parts:
            return """
                .run(name: "asker") { send in
                  let rate = try client.rate(number == 1 ? "fail" : "a")
                  await send(.ended(Int(rate)))
                } catch: { _, send in
                  await send(.ended(client.limit()))
                }""", "asker"
        if kind < 0.46:
            return f"""
                .run(name: "stopper") {{ _ in
                  try await clock.sleep(for: .milliseconds({milliseconds}))
                  Task.cancel(id: {self.id()})
                }}""", "stopper"
        if kind < 0.50:
            return f"""
                .run(name: "part") {{ send in
                  try await withTaskCancellation(id: {self.id()}, cancelInFlight: {swift_bool(rng)}) {{
                    try await clock.sleep(for: .milliseconds({milliseconds}))
                  }}
                  await send(.ended(number))
                }}""", "part"
        if kind < 0.54 and "stream" in self.parts:
            return f"""
                .run {{ send in
                  for await _ in clock.timer(interval: .milliseconds({milliseconds + 10})).prefix(3) {{
                    await send(.ended(number))
                  }}
                }}
                .cancellable(id: {self.effect_id()})""", "stream"
        if kind < 0.57 and "timed" in self.parts:
            sent = "Effect.send(.ended(number))"
            if rng.random() < 0.5:
                return f"{sent}.debounce(id: {self.id()}, for: .milliseconds({milliseconds}), clock: clock)", "debounce"
            return (
                f"{sent}.throttle(id: {self.id()}, for: .milliseconds({milliseconds}), clock: clock, latest: {swift_bool(rng)})",
                "throttle",
            )
        if kind < 0.60 and "mapped" in self.parts:
            return f"""
                Effect<Int>.run {{ send in
                  try await clock.sleep(for: .milliseconds({milliseconds}))
                  await send(number)
                  await send(number &+ 1)
                }}.map {{ .ended($0) }}""", "mapped"
        if kind < 0.63 and "persistent" in self.parts:
            return f"""
                .run(priority: .background) {{ send in
                  do {{ try await clock.sleep(for: .milliseconds({milliseconds})) }} catch {{ await send(.ended(-7)) }}
                  await send(.ended(number))
                }}.cancellable(id: {self.effect_id()})""", "persistent"
        if kind < 0.66 and "scope" in self.children:
            # In Point-Free's library, what starts in an action is not canceled by the same action.
            acted = [".load", ".restart"] + ([".stop"] if self.is_recorded else [])
            return f".send(.{rng.choice(['left', 'right'])}({rng.choice(acted)}))", "send"
        name, given = self.mutation("name of an effect"), self.mutation("input of an effect")
        stated = f", input: mutant({given}, number, number &+ 1)" if self.is_recorded else ""
        run, key = f"""
                .run(name: mutant({name}, "work", "other"){stated}) {{ send in
                  try await clock.sleep(for: .milliseconds({milliseconds}))
                  await send(.ended(number))
                }}""", "work"
        if rng.random() < 0.2:
            run, key = f"""
                .run {{ _ in
                  try await clock.sleep(for: .milliseconds({milliseconds}))
                  throw GeneratedFailure(code: number)
                }} catch: {{ _, send in
                  await send(.ended(-number))
                }}""", "run"
        for remaining in reversed(range(rng.choice([0, 1, 1, 1, 2]))):
            number, is_exclusive = self.mutation("cancelInFlight"), rng.random() < 0.5
            if is_chained and not self.is_recorded:
                # In Point-Free's library, effects with the same id are canceled in any order, and so are the starts of the effects after them. And
                # where a task is canceled, the effects after them start, too, and cancel others, although they are canceled themselves.
                if self.cancels_tasks:
                    break
                remaining, is_exclusive = 0, True
            run += f".cancellable(id: {self.effect_id()}, cancelInFlight: mutated({number}) != {str(is_exclusive).lower()})"
            key = (key, "cancellable")
            if not remaining:
                break
        return run, key

    def handled(self, action):
        """What the reducer does for an action."""
        self.used = set()
        effect, key = self.effect()
        if self.is_recorded or set(kinds(key)).isdisjoint(["cancel", "cancellable", "part", "stopper"]):
            self.reentrant = self.reentrant or action
        change = self.rng.choice(["kept", "alone"])
        number = self.mutation("missing effect" if change == "kept" else "additional effect")
        return f"      case .{action}(let number):\n        {self.write()}\n        return {change}({number}, {effect.strip()})\n"

    def source(self):
        actions = [f"act{index}" for index in range(self.rng.randint(3, 7))]
        cases = "".join(f"    case {action}(Int)\n" for action in actions)
        handled = "".join(self.handled(action) for action in actions)
        state, more, changes, body, drives, nested = [], [], [], [], [], []
        for action in actions:
            drives.append(f".{action}(Int.random(in: 0..<3, using: &random))")
        child = "GeneratedChild"
        number = "Int.random(in: 0..<3, using: &random)"
        acted = "GeneratedChild.Action.random(using: &random)"
        operators = []
        for value in self.values:
            if value.form != "inner":
                state.append(value.declaration())
            more.append(value.case())
            mutation = f"mutant({self.mutation('value ' + value.make)}, value, Make.{value.make}({self.rng.randrange(9)}))"
            changes.append(value.handler(mutation, f"mutant({self.mutation('payload')}, number, number &+ 1)"))
            drives += [value.action("Int.random(in: 0..<24, using: &random)")] * 2
        if any(value.form == "observed" for value in self.values):
            state.append("private(set) var changes = 0")
        inner = [value.declaration() for value in self.values if value.form == "inner"]
        if inner:
            state.append("var inner = Inner()")
            nested.append("struct Inner: Equatable, Sendable {\n" + lines(inner, 6) + "    }")
        if "scope" in self.children:
            for side in ["left", "right"]:
                state.append(f"var {side} = {child}.State()")
                more.append(f"case {side}({child}.Action)")
                body.append(f"Scope(state: \\.{side}, action: \\.{side}) {{ {self.child()} }}")
                drives.append(f".{side}({acted})")
        if "sheet" in self.children:
            state.append(f"@Presents var sheet: {child}.State?")
            more += [f"case sheet(PresentationAction<{child}.Action>)", "case toggleSheet"]
            changes.append(f"case .toggleSheet: state.sheet = state.sheet == nil ? {child}.State() : nil")
            operators.append(f".ifLet(\\.$sheet, action: \\.sheet) {{ {self.child()} }}")
            drives += [".toggleSheet"]
        if "optional" in self.children:
            state.append(f"var part: {child}.State?")
            more += [f"case part({child}.Action)", "case togglePart"]
            changes.append(f"case .togglePart: state.part = state.part == nil ? {child}.State() : nil")
            operators.append(f".ifLet(\\.part, action: \\.part) {{ {self.child()} }}")
            drives += [".togglePart"]
        if "alert" in self.children:
            state.append("@Presents var alert: AlertState<Action.Alert>?")
            nested_action = "@CasePathable enum Alert: Equatable, Sendable { case confirm, discard(Int) }"
            more += [nested_action, "case alert(PresentationAction<Alert>)", "case ask"]
            changes += [
                'case .ask: state.alert = AlertState { TextState("Sure \\(state.count)?") } actions: { ButtonState(role: .destructive, '
                'action: .discard(state.count)) { TextState("Yes") }; ButtonState(role: .cancel) { TextState("No") } }',
                f"case .alert(.presented(.discard(let number))): state.count &+= mutant({self.mutation('alert')}, 10, 11) &+ number",
            ]
            operators.append(".ifLet(\\.$alert, action: \\.alert)")
            drives += [".ask"]
        if "destination" in self.children:
            state.append("@Presents var destination: GeneratedDestination.State?")
            more += ["case destination(PresentationAction<GeneratedDestination.Action>)", "case show(Int)"]
            changes.append("case .show(let number): state.destination = .random(number)")
            operators.append(".ifLet(\\.$destination, action: \\.destination)")
            drives += [".show(Int.random(in: 0..<(state.destination == nil ? 4 : 5), using: &random))"]
        if "screens" in self.children:
            state.append("var screens = StackState<GeneratedScreens.State>()")
            more += ["case screens(StackActionOf<GeneratedScreens>)", "case present(Int)"]
            changes.append("case .present(let number): state.screens.append(.random(number))")
            operators.append(".forEach(\\.screens, action: \\.screens)")
            drives += [f".present({number})", f".present({number})"]
        if "tree" in self.children:
            state.append("var tree = GeneratedTree.State(id: 0)")
            more.append("case tree(GeneratedTree.Action)")
            body.append("Scope(state: \\.tree, action: \\.tree) { GeneratedTree() }")
            drives += [".tree(.random(state.tree, using: &random))"] * 2
        if "box" in self.children:
            kind, make = self.rng.choice(KINDS)
            state.append(f"var box = GeneratedBox<{kind}>.State(content: Make.{make}(1))")
            more.append(f"case box(GeneratedBox<{kind}>.Action)")
            body.append(f"Scope(state: \\.box, action: \\.box) {{ GeneratedBox<{kind}>() }}")
            drives += [f".box(.{case}(Make.{make}({number})))" for case in ("put", "putLater")]
        if "dialog" in self.children:
            state.append("@Presents var dialog: ConfirmationDialogState<Action.Dialog>?")
            more += [
                "@CasePathable enum Dialog: Equatable, Sendable { case pick(Int), forget }",
                "case dialog(PresentationAction<Dialog>)", "case offer",
            ]
            changes += [
                'case .offer: state.dialog = ConfirmationDialogState { TextState("Pick") } actions: { ButtonState(action: .pick(state.count)) '
                '{ TextState("This") }; ButtonState(action: .forget) { TextState("None") } } message: { TextState("One of them") }',
                f"case .dialog(.presented(.pick(let number))): state.count &+= mutant({self.mutation('dialog')}, 20, 21) &+ number",
            ]
            operators.append(".ifLet(\\.$dialog, action: \\.dialog)")
            drives += [".offer"]
        if "editor" in self.children:
            state += [
                f'@Shared(.inMemory("profile of {self.name}")) var profile = Profile()', "@Presents var editor: GeneratedEditor.State?",
            ]
            more += ["case editor(PresentationAction<GeneratedEditor.Action>)", "case edit", "case tag(Int)"]
            changes += [
                "case .edit: state.editor = GeneratedEditor.State(state.$profile)",
                f"case .tag(let number): state.$profile.withLock {{ $0.tags[id: 1]?.title = Make.text(mutant({self.mutation('tag')}, number, 9)) }}",
            ]
            operators.append(".ifLet(\\.$editor, action: \\.editor) { GeneratedEditor() }")
            drives += [".edit", f".tag({number})"]
        if "limited" in self.children:
            state.append("var limited = GeneratedLimited.State()")
            more.append("case limited(GeneratedLimited.Action)")
            body += [
                "CombineReducers {", "  Scope(state: \\.limited, action: \\.limited) { GeneratedLimited() }",
                "    .dependency(\\.generatedLimit, 3)", "  EmptyReducer()", "}",
                f"if Bool({swift_bool(self.rng)}) {{", "  Scope(state: \\.limited, action: \\.limited) { GeneratedLimited() }",
                "    .transformDependency(\\.generatedLimit) { $0 += 4 }", "}",
            ]
            drives.append(".limited(.add)")
        if "cases" in self.children:
            for screen in ["screen", "panel"]:
                state.append(f"var {screen} = GeneratedScreen.State.first({child}.State())")
                more.append(f"case {screen}(GeneratedScreen.Action)")
                body.append(f"Scope(state: \\.{screen}, action: \\.{screen}) {{ {self.child('GeneratedScreen')} }}")
                drives.append(f".{screen}(.random(state.{screen}, using: &random))")
        if "rows" in self.children:
            key = self.rng.choice(["Row", "LooseRow"])
            state.append(f"var rows: IdentifiedArrayOf<{key}.State> = []")
            more += [f"case rows(IdentifiedActionOf<{key}>)", "case addRow(Int)", "case removeRow", "case moveRows"]
            changes += [
                f"case .addRow(let number): state.rows.updateOrAppend({key}.State(number))",
                "case .removeRow: if state.rows.count > 1, "
                f"mutated({self.mutation('row that is removed')}) {{ state.rows.removeFirst() }} "
                "else if !state.rows.isEmpty { state.rows.removeLast() }",
                "case .moveRows: if state.rows.count > 1 { state.rows.move(fromOffsets: [0], toOffset: "
                f"mutated({self.mutation('move of a row')}) ? 0 : state.rows.count) }}",
            ]
            operators.append(f".forEach(\\.rows, action: \\.rows) {{ {key}() }}")
            drives += [f".addRow({number})", f".addRow({number})", ".removeRow", ".moveRows"]
        if "stack" in self.children:
            state.append(f"var path = StackState<{child}.State>()")
            more += [f"case path(StackActionOf<{child}>)", "case push", "case pop"]
            changes += [
                f"case .push: state.path.append({child}.State())",
                "case .pop: _ = state.path.popLast()",
            ]
            operators.append(f".forEach(\\.path, action: \\.path) {{ {self.child()} }}")
            drives += [".push", ".pop"]
        if "binding" in self.parts:
            state += ['var title = ""', "var isOn = false"]
            more.append("case binding(BindingAction<State>)")
            body.append("BindingReducer()")
            drives += [
                f'.binding(.set(\\.title, "title \\({number})"))', ".binding(.set(\\.isOn, Bool.random(using: &random)))",
            ]
            for value in self.values:
                drives.append(f".binding(.set(\\.{value.path}, Make.{value.make}({number})))")
        if "shared" in self.parts:
            state.append(f'@Shared(.inMemory("{self.name}")) var total = 0')
        if "keyed" in self.parts:
            state += [
                f'@Shared(.appStorage("{self.name}")) var setting = 1',
                f'@Shared(.fileStorage(URL(filePath: "/{self.name}.json"))) var document: [Int] = [1]',
                f'@SharedReader(.appStorage("{self.name}")) var watched = 1',
            ]
            more += ["case set(Int)", "case extend(Int)"]
            changes += [
                f"case .set(let number): state.$setting.withLock {{ $0 = mutant({self.mutation('setting')}, number, number &+ 1) }}",
                f"case .extend(let number): state.$document.withLock {{ $0.append(mutant({self.mutation('document')}, number &+ state.watched, 99)) }}",
            ]
            drives += [f".set({number})", f".extend({number})"]
        if "reads" in self.parts:
            state += ["var made: [UUID] = []", "var madeAt: [Date] = []", "var die = 0"]
            more += ["case made(UUID)", "case look", "case roll"]
            changes += [
                "case .made(let id): state.made.append(id)",
                f"case .look: if !mutated({self.mutation('missing read')}) {{ state.madeAt.append(now) }}",
                f"case .roll: state.die = withRandomNumberGenerator {{ Int.random(in: 1...mutant({self.mutation('range of a die')}, 6, 600), using: &$0) }}",
            ]
            drives += [".look", ".roll"]
        if "client" in self.parts:
            state += ['var rate = 0.0', "var failures = 0"]
            more.append("case inquire(String)")
            changes.append(
                "case .inquire(let name): do { state.rate = try client.rate(name) "
                f"+ (mutated({self.mutation('use of an answer')}) ? 1 : 0) }} catch {{ state.failures += client.limit() }}"
            )
            drives += ['.inquire(["a", "fail", "b"].randomElement(using: &random)!)'] * 2
        if "result" in self.parts:
            state.append('var result = ""')
            more.append("case result(Result<Int, any Error>)")
            changes += [
                'case .result(.success(let number)): state.result = "\\(number)"',
                'case .result(.failure(let error)): state.result = "\\((error as? GeneratedFailure)?.code ?? -1)"',
            ]
        prepared = [
            line for child, line in [
                ("sheet", f"state.sheet = {child}.State(loaded: 2)"), ("optional", f"state.part = {child}.State(loaded: 3)"),
                ("rows", "for number in [2, 1] { state.rows.updateOrAppend(.init(number)) }"),
                ("stack", f"state.path.append({child}.State(loaded: 4))"), ("alert", 'state.alert = AlertState { TextState("First") }'),
                ("destination", "state.destination = .random(1)"), ("cases", f"state.screen = .second({child}.State())"),
                ("screens", "for number in [0, 1, 2] { state.screens.append(.random(number)) }"),
                ("tree", "state.tree.branches = [.init(id: 7, depth: 1, branches: [.init(id: 1, depth: 2)])]"),
                ("editor", "state.editor = .init(state.$profile)"),
            ] if child in self.children
            # In Point-Free's library, a child that is there from the beginning can't dismiss itself after the task of the first action is canceled.
            if self.is_recorded or child != "editor"
        ]
        observers = []
        if "onChange" in self.parts:
            state.append("var steps = 0")
            observers.append(
                f".onChange(of: \\.count) {{ old, new in Reduce {{ state, _ in state.steps &+= mutant({self.mutation('onChange')}, "
                "new &- old, 7); return .none } }"
            )
        reentrant = f".{self.reentrant or 'ended'}(0)" if "reentrant" in self.parts else "nil"
        actions_type = "BindableAction, Sendable" if "binding" in self.parts else "Sendable"
        reads = ""
        if "reads" in self.parts:
            reads += "  @Dependency(\\.uuid) var uuid\n  @Dependency(\\.date.now) var now\n"
            reads += "  @Dependency(\\.withRandomNumberGenerator) var withRandomNumberGenerator\n"
        if "client" in self.parts:
            reads += "  @Dependency(GeneratedClient.self) var client\n"
        return f"""import Foundation
import TCACore

@Reducer
struct {self.name}: Sendable {{
  @ObservableState
  struct State: Equatable, Sendable {{
    var count = 0
    var ended: [Int] = []
{lines(state + nested, 4)}  }}

  enum Action: {actions_type} {{
{cases}    case ended(Int)
{lines(more, 4)}  }}

  @Dependency(\\.continuousClock) var clock
{reads}
  var body: some ReducerOf<Self> {{
{lines(body, 4)}    Reduce {{ state, action in
      switch action {{
{handled}      case .ended(let number):
        state.ended.append(number)
{lines(changes, 6)}{"      default: break" if more else ""}
      }}
      return .none
    }}
{lines(observers + operators, 4)}  }}
}}

extension {self.name}.Action: Acting {{
  static var reentrantAction: Self? {{ {reentrant} }}

  static func observe(_ state: {self.name}.State) {{ _ = state.count }}

  static var cancelsTasks: Bool {{ {str(self.cancels_tasks).lower()} }}

  static func prepare(_ state: inout {self.name}.State) {{
{lines(prepared, 4)}  }}

  static var observations: [(String, ({self.name}.State) -> Void)] {{
    [
{lines([f'("{read}", {{ _ = $0.{read} }}),' for read in self.observed(state)], 6)}    ]
  }}

  static func random(
    _ state: {self.name}.State,
    using random: inout some RandomNumberGenerator
  ) -> Self {{
{self.child_drives(acted)}    switch Int.random(in: 0..<{len(drives)}, using: &random) {{
{lines([f"case {index}: return {drive}" for index, drive in enumerate(drives[:-1])], 4)}    default: return {drives[-1]}
    }}
  }}
}}
"""

    def observed(self, state):
        """The properties that observers read, and some within children."""
        names = ["count", "ended"]
        for declaration in state:
            # A row that is replaced by another one with its id tells its observers, but not with Point-Free's library.
            if declaration.startswith("var rows"):
                continue
            name = re.search(r"\bvar (`[^`]+`|[^ :]+)", declaration)[1]
            within = {
                "left": "left.loaded", "right": "right.sheet?.loaded", "sheet": "sheet?.loaded", "part": "part?.loaded",
                "path": "path.last?.loaded",
            }
            names += [name] + ([within[name]] if name in within else [])
        return names

    def write(self):
        """A change of the state that each action makes."""
        if "shared" in self.parts and self.rng.random() < 0.4:
            return f"state.$total.withLock {{ $0 += mutant({self.mutation('shared value')}, number, number &+ 1) }}"
        if "reads" in self.parts and self.rng.random() < 0.4:
            return f"if mutated({self.mutation('additional read')}) {{ _ = uuid() }}\n        state.made.append(uuid())"
        return f"state.count &+= mutant({self.mutation('count')}, 1, 2)"

    def child_drives(self, acted):
        text = ""
        if "rows" in self.children:
            text += f"""    if let id = state.rows.ids.randomElement(using: &random), Bool.random(using: &random) {{
      return .rows(.element(id: id, action: .child({acted})))
    }}
"""
        if "stack" in self.children:
            text += f"""    if let id = state.path.ids.randomElement(using: &random), Bool.random(using: &random) {{
      return .path(.element(id: id, action: {acted}))
    }}
"""
        if "screens" in self.children:
            text += """    if Bool.random(using: &random), let action = StackAction.random(state.screens, using: &random) {
      return .screens(action)
    }
"""
        if "editor" in self.children:
            text += """    if state.editor != nil, Bool.random(using: &random) {
      return .editor(.presented(.random(using: &random)))
    }
"""
        if "dialog" in self.children:
            text += """    if state.dialog != nil, Bool.random(using: &random) {
      return .dialog([.dismiss, .presented(.forget), .presented(.pick(2))].randomElement(using: &random)!)
    }
"""
        if "sheet" in self.children:
            text += f"""    if state.sheet != nil, Bool.random(using: &random) {{
      return Int.random(in: 0..<8, using: &random) == 0 ? .sheet(.dismiss) : .sheet(.presented({acted}))
    }}
"""
        if "alert" in self.children:
            text += """    if state.alert != nil, Bool.random(using: &random) {
      return Bool.random(using: &random) ? .alert(.dismiss) : .alert(.presented(.discard(1)))
    }
"""
        if "destination" in self.children:
            text += """    if let destination = state.destination, Bool.random(using: &random) {
      return .destination(.random(destination, using: &random))
    }
"""
        if "optional" in self.children:
            text += f"""    if state.part != nil, Bool.random(using: &random) {{ return .part({acted}) }}
"""
        return text
