"""What the tests themselves rest on."""

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from tempfile import TemporaryDirectory

import pytest

from elo_xl.templates import gallery
from tests.support import once
from tests.support.levels import amount, cases


@pytest.mark.slow
def test_two_who_ask_at_once_get_what_was_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count()

    def make() -> list[int]:
        time.sleep(0.05)
        return [next(numbers)]

    with TemporaryDirectory() as folder, ThreadPoolExecutor(4) as pool:
        monkeypatch.setenv(once.FOLDER, folder)
        first, *others = pool.map(lambda _: once.once("a", make), range(4))
        assert first == [0]
        first.append(7)
        assert others == [[0]] * 3
        assert once.once("b", make) == [1]


@pytest.mark.slow
def test_a_book_that_is_shared_is_the_one_of_its_template() -> None:
    options = gallery.options("match-odds", rounds=2)
    shared = once.made("match-odds", options, filled=False)
    book = gallery.build("match-odds", options)
    assert shared.file == book.file()
    assert (shared.values, shared.calls) == (book.values, frozenset(book.calls))
    assert once.made("match-odds", options, filled=False) is shared
    assert {name: bool(filled) for name, (*_, filled) in once.ready_made().items()} == {
        name: "-sample" in name for name, _ in gallery.ready_made()
    }


def test_a_case_is_proof_unless_it_is_named() -> None:
    some = cases([("a", 1), ("b", 2), ("c", 3)], test=[("b", 2)])
    assert [case.values for case in some] == [("a", 1), ("b", 2), ("c", 3)]
    assert [[mark.name for mark in case.marks] for case in some] == [["proof"], [], ["proof"]]
    with pytest.raises(ValueError, match="no such cases: \\['d'\\]"):
        cases("abc", test="ad")
    assert amount("little", "much") in ("little", "much")
