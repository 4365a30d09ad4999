"""What holds a thread up is told once, and again when it still does much later."""

import logging

from nacre import Unavailable
from nacre.work.fault_logs import QUIET_SECONDS, FaultLog


def test_a_fault_is_told_once_an_hour_and_each_other_one_at_once(caplog):
    faults = FaultLog(logging.getLogger("nacre.test"), "Learning", iter([0.0, 0.0, 5.0, 5.0, QUIET_SECONDS]).__next__)
    for _ in range(2):
        faults.tell(Unavailable("The disk is full."))
        faults.tell(Unavailable("The network is gone."))
    faults.tell(Unavailable("The disk is full."))

    disk, network = "Learning waits: The disk is full.", "Learning waits: The network is gone."
    assert caplog.messages == [disk, network, disk]
