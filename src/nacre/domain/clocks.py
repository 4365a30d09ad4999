"""Time is handed in, so that tests can move it."""

from collections.abc import Callable
from datetime import datetime

Clock = Callable[[], datetime]
