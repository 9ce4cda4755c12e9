"""console.py PROMPT COMMAND PROGRAM...: start the program, wait for PROMPT in what it prints, give it
COMMAND, wait for PROMPT again, end it, and print what it printed in between, without carriage returns.

An option of a board to wait before it boots by itself ends when a key is pressed: a carriage return is
written when `Hit any key` comes."""
import os
import select
import subprocess
import sys
import time

SECONDS = 600


def read_until(child, text, end, key=None):
    """Return what child printed up to and with text."""
    got = b""
    while text not in got:
        ready = select.select([child.stdout], [], [], max(0, end - time.monotonic()))[0]
        piece = os.read(child.stdout.fileno(), 4096) if ready else b""
        if not piece:
            sys.stderr.write(got.decode("ascii", "replace"))
            sys.exit("console: no %r before the %s" % (text.decode(), "end" if ready else "time limit"))
        got += piece
        if key and key in got:
            child.stdin.write(b"\r")
            key = None
    return got


def main():
    prompt, command = sys.argv[1].encode(), sys.argv[2].encode()
    end = time.monotonic() + SECONDS
    with subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        try:
            sys.stderr.buffer.write(read_until(child, prompt, end, b"Hit any key"))
            child.stdin.write(command + b"\r")
            answer = read_until(child, prompt, end)
        finally:
            child.kill()
    # Print what is between the echo of the command and the next prompt.
    lines = answer.replace(b"\r", b"").split(b"\n")
    sys.stdout.buffer.write(b"".join(line + b"\n" for line in lines[1:-1]))


main()
