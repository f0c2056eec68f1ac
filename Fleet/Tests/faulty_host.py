#!/usr/bin/env python3
"""A host with faults: it hands what it is asked to the host of $FAULTY_HOST, but for logs whose names tell a fault.

    *-hang.jsonl    it does not answer
    *-crash.jsonl   it is killed in the middle of the log

It is the real host otherwise: streams, and the page of memory that host and tool share, are inherited.
"""
import json
import os
import signal
import subprocess
import sys
import threading

host = subprocess.Popen([os.environ["FAULTY_HOST"]] + sys.argv[1:], stdin=subprocess.PIPE, close_fds=False)


def end():
    """Ends as the host has ended."""
    status = host.wait()
    if status < 0:
        os.kill(os.getpid(), -status)
        # The signal may find another thread, a moment later.
        threading.Event().wait()
    os._exit(status)


# A thread, and not SIGCHLD: a handler would not run when the signal comes just before a read that waits.
threading.Thread(target=end, daemon=True).start()
# The tool finds the end of the host by the end of its output.
os.close(1)
for line in sys.stdin.buffer:
    name = json.loads(line).get("name", "")
    if name.endswith("-hang.jsonl"):
        while True:
            signal.pause()
    if name.endswith("-crash.jsonl"):
        host.kill()
        continue
    host.stdin.write(line)
    host.stdin.flush()
host.stdin.close()
threading.Event().wait()
