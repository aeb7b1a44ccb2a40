"""A small repository with definitions, uses of them in other files, and code that is alike."""

from __future__ import annotations

import subprocess
from pathlib import Path

MOTOR = '''\
class Motor:
    """Moves things."""

    def cool_down(self, seconds):
        """Let the motor rest until it is cold again."""
        return self.rest(seconds)

    def rest(self, seconds):
        """Do nothing for a while."""
        return seconds
'''
DRIVE = """\
from motor import Motor


def drive(distance):
    motor = Motor()
    return motor.cool_down(distance)
"""
TRUCK = """\
from motor import Motor


def drive_truck(distance, load):
    motor = Motor()
    motor.rest(load)
    return motor.cool_down(distance + load)
"""


def build(folder: Path) -> None:
    """Fill a folder with it."""
    for name, text in (("motor.py", MOTOR), ("drive.py", DRIVE), ("truck.py", TRUCK)):
        (folder / name).write_text(text)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
