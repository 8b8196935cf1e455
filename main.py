"""Start the window, like the command ``eigenfaces-gui`` (see `gui.app`)."""

import sys
from multiprocessing import freeze_support

from gui.app import main

if __name__ == "__main__":  # in a child process it is “__mp_main__”
    freeze_support()
    sys.exit(main())
