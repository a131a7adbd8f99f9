"""Calls the input validator beside it, which speaks testlib's protocol, and turns its answer into 42 (valid) or 43 (invalid).

Called as `__main__.py [ARGUMENT...]`, with the input on standard input. If the validator does anything other than answer, that is a failure:
this program then ends with 1.
"""

import os
import subprocess
import sys

validator = os.path.join(os.path.dirname(os.path.abspath(__file__)), "problem_validator.py")
done = subprocess.run([sys.executable, validator] + sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
sys.stderr.buffer.write(done.stdout + done.stderr)
if done.returncode < 0 or b"Traceback (most recent call last)" in done.stderr:
    sys.exit(1)
sys.exit(42 if done.returncode == 0 else 43)
