"""The cancellation ids of generated features."""

import textwrap


def swift(text):
    return textwrap.dedent(text).strip("\n") + "\n"


class IDs:
    """The cancellation ids of one feature, in files of their own: an expression for each that takes a number."""

    def __init__(self, rng, feature):
        self.rng = rng
        self.feature = feature
        self.files = {}
        self.expressions = []
        kinds = [
            self.private_enum, self.private_enum, self.private_struct, self.own_equality, self.object,
            self.generic, self.scalar, self.text, self.local, self.optional, self.nested, self.type, self.erased,
        ]
        for index in range(rng.randint(2, 6)):
            rng.choice(kinds)(index)

    def file(self, index, declarations, expression):
        """Adds a file whose private types are seen through one function."""
        name = f"{self.feature}IDs{index}"
        self.files[name] = swift(declarations) + swift(
            f"""
            enum {name} {{
              static func id(_ number: Int) -> any Hashable & Sendable {{ {expression} }}
            }}
            """
        )
        self.expressions.append(f"{name}.id")

    def private_enum(self, index):
        if self.rng.random() < 0.5:
            self.file(index, "private enum CancelID: Hashable { case load }", "CancelID.load")
        else:
            self.file(
                index, "private enum CancelID: Hashable { case load, row(Int) }",
                "number == 0 ? CancelID.load : CancelID.row(number)",
            )

    def private_struct(self, index):
        self.file(
            index, "private struct CancelID: Hashable { var row = 0 }", "CancelID(row: number)"
        )

    def own_equality(self, index):
        is_logged = self.rng.random() < 0.5
        self.file(
            index,
            f"""
            {"@LogValue" if is_logged else ""}
            struct {self.feature}Loose{index}: Hashable, Sendable {{
              var number: Int
              var label: String
              static func == (lhs: Self, rhs: Self) -> Bool {{ lhs.number / 2 == rhs.number / 2 }}
              func hash(into hasher: inout Hasher) {{ hasher.combine(number / 2) }}
            }}
            """,
            f'{self.feature}Loose{index}(number: number, label: "label \\(number)")',
        )

    def object(self, index):
        by_value = self.rng.random() < 0.7
        equality = "lhs.number == rhs.number" if by_value else "lhs === rhs"
        part = "number" if by_value else "ObjectIdentifier(self)"
        made = "CancelID(number)" if by_value else "CancelID.all[number % CancelID.all.count]"
        self.file(
            index,
            f"""
            private final class CancelID: Hashable, Sendable {{
              static let all = (0..<4).map {{ CancelID($0) }}
              let number: Int
              init(_ number: Int) {{ self.number = number }}
              static func == (lhs: CancelID, rhs: CancelID) -> Bool {{ {equality} }}
              func hash(into hasher: inout Hasher) {{ hasher.combine({part}) }}
            }}
            """,
            made,
        )

    def generic(self, index):
        self.file(
            index,
            """
            private enum CancelID: Hashable { case load }
            private struct Other: Hashable {}
            """,
            "number % 2 == 0 ? Keyed(key: CancelID.load) as any Hashable & Sendable : Keyed(key: Other())",
        )

    def scalar(self, index):
        value = self.rng.choice(
            [
                "number", "Double(number)", "number % 2 == 0", "number % 2 == 0 ? 0.0 : -0.0",
                "[number % 2 == 0 ? 0.0 : -0.0]",
            ]
        )
        self.expressions.append("{ number in " + value + " }")

    def text(self, index):
        value = self.rng.choice(
            ['number % 2 == 0 ? "caf\\u{E9}" : "cafe\\u{301}"', '["caf\\u{E9}", "cafe\\u{301}"][number % 2]', '"load"']
        )
        self.expressions.append("{ number in " + value + " }")

    def local(self, index):
        name = f"{self.feature}Local{index}"
        self.files[name] = swift(
            f"""
            func {name[0].lower() + name[1:]}(_ number: Int) -> any Hashable & Sendable {{
              enum CancelID: Hashable {{ case load }}
              return CancelID.load
            }}
            """
        )
        self.expressions.append(name[0].lower() + name[1:])

    def optional(self, index):
        self.file(
            index, "private enum CancelID: Hashable { case load }",
            "number % 2 == 0 ? CancelID.load : nil as CancelID?",
        )

    def type(self, index):
        self.file(
            index, "private enum CancelID {}\nprivate enum Other { enum CancelID {} }",
            "number % 2 == 0 ? ObjectIdentifier(CancelID.self) : ObjectIdentifier(Other.CancelID.self)",
        )

    def erased(self, index):
        """Values of other types are equal within `AnyHashable`, such as 1 and 1.0."""
        value = self.rng.choice(
            [
                "number % 2 == 0 ? AnyHashable(1) : AnyHashable(1.0)",
                'number % 2 == 0 ? AnyHashable("caf\\u{E9}") : AnyHashable("cafe\\u{301}")',
                "number % 2 == 0 ? AnyHashable([number]) : AnyHashable(Set([number]))",
            ]
        )
        self.file(
            index,
            """
            private struct CancelID: Hashable, @unchecked Sendable { var base: AnyHashable }
            """,
            f"CancelID(base: {value})",
        )

    def nested(self, index):
        self.file(
            index,
            """
            private enum Outer { enum CancelID: Hashable { case load } }
            private enum CancelID: Hashable { case load }
            """,
            "number % 2 == 0 ? CancelID.load as any Hashable & Sendable : Outer.CancelID.load",
        )
