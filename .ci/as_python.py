"""What the bundle does first: where joblib begins a process by “python -m …” or “-c …”, be Python.

joblib’s processes are begun by ``sys.executable``, which in a bundle is the program itself.
"""

import runpy
import sys

if "-m" in sys.argv[1:]:
    module = sys.argv[sys.argv.index("-m") + 1]
    sys.argv[:] = sys.argv[sys.argv.index("-m") + 1 :]
    runpy.run_module(module, run_name="__main__")
    sys.exit()
if "-c" in sys.argv[1:]:
    code = sys.argv[sys.argv.index("-c") + 1]
    sys.argv[:] = sys.argv[sys.argv.index("-c") :]
    exec(code, {"__name__": "__main__"})
    sys.exit()
