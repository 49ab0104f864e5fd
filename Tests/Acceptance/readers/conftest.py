import pytest

from readers.account import Session


@pytest.fixture(scope="module")
def session(rawdev, folder):
    return Session(rawdev, folder)
