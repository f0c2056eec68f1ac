"""How the page's files are joined."""
import importlib.machinery
import importlib.util
import pathlib
import unittest

path = pathlib.Path(__file__).resolve().parent.parent.parent / ".ci" / "page-source"
loader = importlib.machinery.SourceFileLoader("page_source", str(path))
page_source = importlib.util.module_from_spec(importlib.util.spec_from_loader("page_source", loader))
loader.exec_module(page_source)


class CommentTests(unittest.TestCase):
    def test_comments_are_left_out_and_code_stays(self):
        cases = [
            ("/** A thing. */\nlet a;\n", "let a;\n"),
            ("  /**\n   * A thing.\n   * @type {number}\n   */\n  let a;\n", "  let a;\n"),
            ("// A thing.\nlet a; // its end\n", "let a; // its end\n"),
            ("/** @type {any} */ const a = 1;\nlet b;\n/** Another. */\nlet c;\n", "/** @type {any} */ const a = 1;\nlet b;\nlet c;\n"),
            ("/** @type {any} */ (a).b();\n/** @type {any} */ (c).d();\n", "/** @type {any} */ (a).b();\n/** @type {any} */ (c).d();\n"),
            ("/** One. */ /** Two. */\nlet a;\n", "/** One. */ /** Two. */\nlet a;\n"),
        ]
        for text, expected in cases:
            with self.subTest(text=text):
                self.assertEqual(page_source.without_comments(text), expected)

    def test_no_line_of_code_is_lost(self):
        """Every line of a module that is no comment stands in the page, in its order."""
        script = iter(page_source.joined().splitlines())
        modules = {module.name: module.read_text() for module in page_source.resources.glob("*.mjs")}
        current = None
        found = {name: [] for name in modules}
        for line in script:
            if line.startswith("// ") and line[3:] in modules:
                current = line[3:]
            elif current is not None and line.strip():
                found[current].append(line)
        found[current].pop()  # The end of the whole script.
        for name, text in modules.items():
            expected, is_comment = [], False
            for line in text.splitlines():
                stripped = line.strip()
                if stripped.startswith("/**") and "*/" not in stripped:
                    is_comment = True
                is_code = not is_comment and stripped and not stripped.startswith("//") and not (stripped.startswith("/**") and stripped.endswith("*/"))
                if is_code and not line.startswith("import "):
                    expected.append(line.removeprefix("export "))
                if is_comment and "*/" in stripped:
                    is_comment = False
            with self.subTest(module=name):
                self.assertEqual(found[name], expected)


if __name__ == "__main__":
    unittest.main()
