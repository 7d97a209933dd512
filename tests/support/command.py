"""The command ``elo-xl`` within the process of a test."""

from click.testing import CliRunner, Result

from elo_xl.cli import cli


def invoke(*words: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, words)])


def run(*words: object, code: int = 0) -> str:
    """What a command says, also as an exception; ``code`` is its exit code."""
    done = invoke(*words)
    raised = "" if isinstance(done.exception, SystemExit | None) else f" {done.exception}"
    assert code == done.exit_code, f"{done.output}{raised}"
    return f"{done.output}{raised}"


def run_in_a_line(*words: object, code: int = 0) -> str:
    """The same with single blanks between its words."""
    return " ".join(run(*words, code=code).split())
