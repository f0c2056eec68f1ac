"""Asks for each tool, resource and prompt in both versions of the protocol: client.py TOOL LOGS FOLDER"""

import asyncio
import os
import subprocess
import sys

import jsonschema
from mcp import MCPError
from mcp.types import PromptReference
from session import HANDSHAKE, STATELESS, Schemas, session

TOOL, LOGS, FOLDER = (os.path.realpath(path) for path in sys.argv[1:4])

# A call of each tool, and members that the answer has to have.
CALLS = [
    ("list_logs", {}, {}),
    ("summarize_log", {"log": "todos.jsonl"}, {"lastAction": 16}),
    ("replay_log", {"log": "todos.jsonl"}, {"verdict": "identical", "isSame": True}),
    ("replay_log", {"log": "counter-diverged.jsonl"}, {"verdict": "diverged", "isSame": False}),
    ("list_actions", {"log": "todos.jsonl", "details": True, "from": 2, "to": 4}, {}),
    ("state_at", {"log": "counter.jsonl", "action": 3}, {"action": 3}),
    ("picture_at", {"log": "counter.jsonl", "action": 3}, {"action": 3, "mimeType": "image/svg+xml"}),
    ("who_changed", {"log": "counter.jsonl", "path": "count"}, {}),
    ("find_first", {"log": "counter.jsonl", "condition": "$.state.count > 1"}, {}),
    ("compare_logs", {"log": "counter.jsonl", "other": "counter-diverged.jsonl"}, {"isSame": False}),
    ("minimize_log", {"log": "counter.jsonl", "condition": "$.state.count > 1"}, {"isMinimal": True}),
    ("explore_orders", {"log": "search.jsonl", "seconds": 5}, {}),
    ("what_if", {"log": "counter.jsonl", "edits": ["skip 2"]}, {"repeats": True}),
    ("write_test", {"log": "counter.jsonl", "style": "store"}, {}),
]


async def ask(version):
    output = f"{FOLDER}/findings-{version}"
    arguments = [LOGS, "--output", output]
    async with session(TOOL, arguments, FOLDER, version) as (client, requests, responses):
        assert client.server_info.name == "tca-replay", client.server_info
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        missing = set(tools) - {name for name, _, _ in CALLS}
        assert not missing, f"no call of {missing}"
        for name, given, expected in CALLS:
            heard = []

            async def progress(done, total, message):
                heard.append((done, message))

            result = await client.call_tool(name, given, progress_callback=progress)
            assert not result.is_error, (name, given, result.content)
            found = result.structured_content
            for schema in (tools[name].input_schema, tools[name].output_schema):
                jsonschema.Draft202012Validator.check_schema(schema)
            jsonschema.validate(found, tools[name].output_schema)
            jsonschema.validate(given, tools[name].input_schema)
            for member, value in expected.items():
                assert found.get(member) == value, (name, given, member, found.get(member))
            assert heard and heard[0][0] == 0, (name, heard)
            print(f"{version}  {name}  {result.content[0].text.splitlines()[0]}")
        error = await client.call_tool("state_at", {"log": "nothing.jsonl", "action": 1})
        assert error.is_error and "there is no log" in error.content[0].text, error
        outside = await client.call_tool("summarize_log", {"log": "../Package.swift"})
        assert outside.is_error, outside
        written = sorted(os.listdir(output))
        assert len(written) >= 3, written
        made = await client.call_tool("replay_log", {"log": "output/counter-minimal.jsonl"})
        assert made.structured_content["isSame"], made.content
        await ask_resources(client, version)
        await ask_prompts(client, version)
        if version == HANDSHAKE:
            await client.send_ping()
        await cancel(client)
    count = Schemas(version).check_messages(requests, responses)
    print(f"{version}  {count} messages fit the schemas")


async def ask_resources(client, version):
    resources = (await client.list_resources()).resources
    assert len(resources) >= 20, len(resources)
    for resource in resources:
        contents = (await client.read_resource(resource.uri)).contents[0]
        begins = '{"kind":"header"' if resource.mime_type == "application/jsonl" else "<!"
        assert contents.text.startswith(begins), contents.text[:80]
    templates = (await client.list_resource_templates()).resource_templates
    assert len(templates) == 2, templates
    later = await client.read_resource("tca-replay://log/counter.jsonl?line=3")
    assert later.contents[0].text.startswith('{"kind":"action","seq":1'), later
    try:
        await client.read_resource("tca-replay://log/../Package.swift")
        raise AssertionError("a file outside of the folders was read")
    except MCPError as error:
        assert error.code == (-32002 if version == HANDSHAKE else -32602), error
    print(f"{version}  {len(resources)} resources")


async def ask_prompts(client, version):
    prompts = (await client.list_prompts()).prompts
    for prompt in prompts:
        result = await client.get_prompt(prompt.name, {"log": "todos.jsonl"})
        assert "todos.jsonl" in result.messages[0].content.text, result
        reference = PromptReference(type="ref/prompt", name=prompt.name)
        found = await client.complete(reference, {"name": "log", "value": "todo"})
        assert "todos.jsonl" in found.completion.values, found
    print(f"{version}  {len(prompts)} prompts")


async def cancel(client):
    """Gives up on a search; the server still answers."""
    try:
        await client.call_tool(
            "explore_orders",
            {"log": "board.jsonl", "invariant": "$.seq >= 0", "seconds": 60},
            read_timeout_seconds=1,
        )
    except MCPError:
        pass
    answer = await client.call_tool("replay_log", {"log": "counter.jsonl"})
    assert answer.structured_content["isSame"], answer.content


def children():
    """The processes of the tool that are left."""
    found = subprocess.run(["pgrep", "-f", f"{TOOL} (serve|replay|mcp)"], capture_output=True)
    return found.stdout.decode().split()


def main():
    before = set(children())
    for version in (HANDSHAKE, STATELESS):
        asyncio.run(ask(version))
    left = set(children()) - before
    assert not left, f"processes are left: {left}"


main()
