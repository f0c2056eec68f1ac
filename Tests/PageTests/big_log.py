"""Writes a large log, for measuring: big_log.py FILE [ACTIONS]. It has a state of 100 rows, effects that send, and checkpoints."""
import json
import sys


def text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write(path, actions=100_000, rows=100):
    state = {
        "rows": [
            {"id": f"{n:08X}-0000-4000-8000-{n * 2654435761 % 2**48:012X}", "title": f"Row {n}", "count": 0, "isDone": False}
            for n in range(rows)
        ],
        "filter": "all", "isSaving": False, "total": 0,
    }
    size = 0
    with open(path, "w") as file:
        def line(value):
            nonlocal size
            written = value if isinstance(value, str) else text(value)
            file.write(written + "\n")
            size += len(written)

        line({
            "kind": "header", "format": "tca-replay", "version": 1, "requires": [], "id": "B16", "feature": "Rows", "stateType": "Rows.State",
            "startedAt": "2026-11-20T09:12:03Z", "recorder": "0.2.0", "environment": {"os": "Linux", "locale": "en_US", "timeZone": "UTC"}, "segment": 1,
        })
        line({"kind": "checkpoint", "seq": 0, "state": state, "effects": []})
        at, last = 0, size
        for seq in range(1, actions + 1):
            at += 900 + seq * 7919 % 5000 + (2_000_000 if seq % 997 == 0 else 0)
            number = seq * 7919 % rows
            row = state["rows"][number]
            if seq % 4 == 0:
                # The effect of the action before answers.
                line({"kind": "action", "seq": seq, "at": at, "origin": {"effect": f"{seq - 1}.0"},
                      "action": {"saved": {"_0": {"failure": {"_0": {"refused": {"_0": seq}}}} if seq % 5000 == 0 else {"success": {"_0": seq}}}}})
                state["isSaving"] = False
                state["total"] = seq
                line({"kind": "change", "seq": seq, "patch": [{"op": "replace", "path": "/isSaving", "value": False}, {"op": "replace", "path": "/total", "value": seq}], "us": 14})
                line({"kind": "effect", "id": f"{seq - 1}.0", "event": "finished", "sent": 1, "at": at + 20})
                continue
            row["title"] = f"Row {number}, changed by action {seq}: " + "lorem ipsum dolor sit amet, consectetur "[: 10 + seq % 30]
            row["count"] += 1
            line({"kind": "action", "seq": seq, "at": at, "origin": "view", "action": {"rows": {"_0": {"element": {"id": row["id"], "action": {"titleChanged": {"_0": row["title"]}}}}}}})
            patch = [{"op": "replace", "path": f"/rows/{number}/title", "value": row["title"]}, {"op": "replace", "path": f"/rows/{number}/count", "value": row["count"]}]
            change = {"kind": "change", "seq": seq, "patch": patch}
            if seq % 4 == 3:
                state["isSaving"] = True
                patch.append({"op": "replace", "path": "/isSaving", "value": True})
                change["effects"] = [{"id": f"{seq}.0", "op": "run", "name": "save", "cancelID": {"type": "Rows.CancelID", "value": {"save": {}}}, "cancelInFlight": True, "source": "App/Rows.swift:88"}]
            change["us"] = 9
            line(change)
            # As a recorder does: checkpoints add no more than a quarter.
            written = text(state)
            if size - last > 4 * len(written):
                line(f'{{"kind":"checkpoint","seq":{seq},"state":{written},"effects":[]}}')
                last = size
        line({"kind": "end", "seq": actions, "reason": "closed"})
    return size


if __name__ == "__main__":
    print(write(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100_000))
