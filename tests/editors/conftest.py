"""What tests in real editors share."""

from tests.protocol.conftest import private_home

__all__ = ["private_home"]
