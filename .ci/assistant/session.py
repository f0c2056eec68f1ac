"""A session with the server through the real client, with every message kept."""

import contextlib
import json
import os
import shlex

from mcp import Client, StdioServerParameters

HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"
# The client asks with server/discover which version there is, unless it is told to begin with the handshake.
MODES = {HANDSHAKE: "legacy", STATELESS: "auto"}


def parameters(tool, arguments, folder, name):
    """The server with what goes in and out copied into files."""
    command = " ".join(shlex.quote(word) for word in [tool, "mcp", *arguments])
    requests, responses = f"{folder}/{name}.in", f"{folder}/{name}.out"
    line = f"tee {shlex.quote(requests)} | {command} | tee {shlex.quote(responses)}"
    # Some faults depend on the zone.
    server = StdioServerParameters(command="bash", args=["-c", line], env={"TZ": "UTC"})
    return server, requests, responses


@contextlib.asynccontextmanager
async def session(tool, arguments, folder, version, name="session"):
    """A client that is connected, and the files with its messages."""
    server, requests, responses = parameters(tool, arguments, folder, f"{name}-{version}")
    async with Client(server, mode=MODES[version], read_timeout_seconds=60) as client:
        assert client.protocol_version == version, client.protocol_version
        yield client, requests, responses


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


class Schemas:
    """The schemas of the protocol's messages; without the folder nothing is checked."""

    RESULTS = {
        "initialize": "InitializeResult",
        "server/discover": "DiscoverResult",
        "ping": "EmptyResult",
        "tools/list": "ListToolsResult",
        "tools/call": "CallToolResult",
        "resources/list": "ListResourcesResult",
        "resources/templates/list": "ListResourceTemplatesResult",
        "resources/read": "ReadResourceResult",
        "prompts/list": "ListPromptsResult",
        "prompts/get": "GetPromptResult",
        "completion/complete": "CompleteResult",
    }

    def __init__(self, version):
        folder = os.environ.get("CONFORMANCE_DIR")
        self.schema = None
        if folder:
            with open(f"{folder}/mcp/schema-{version}.json", encoding="utf-8") as file:
                self.schema = json.load(file)

    def check(self, value, definition):
        import jsonschema

        schema = {"$ref": f"#/$defs/{definition}", "$defs": self.schema["$defs"]}
        jsonschema.Draft202012Validator(schema).validate(value)

    def check_messages(self, requests, responses):
        """Checks every message of the server; returns how many there were."""
        messages = lines(responses)
        if self.schema is None:
            return len(messages)
        methods = {m["id"]: m["method"] for m in lines(requests) if "id" in m and "method" in m}
        for message in messages:
            self.check(message, "JSONRPCMessage")
            if "method" in message:
                assert message["method"] == "notifications/progress", message
                self.check(message, "ProgressNotification")
            elif "error" in message:
                self.check(message, "JSONRPCErrorResponse")
            else:
                self.check(message["result"], self.RESULTS[methods[message["id"]]])
        return len(messages)
