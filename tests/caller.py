"""Has a command carried out by whoever listens at an address; see programs.py. It imports little, to start at once."""

import json
import os
import signal
import socket
import sys

with socket.socket(socket.AF_UNIX) as line:
    line.connect(sys.argv[1])
    said = json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode()  # noqa: PTH109 - pathlib is slow to import
    socket.send_fds(line, [len(said).to_bytes(4)], [0, 1, 2])
    line.sendall(said)
    process = int.from_bytes(line.recv(4))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _frame: os.kill(process, number))
    sys.exit((line.recv(1) or b"\1")[0])
