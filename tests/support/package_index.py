"""A package index on 127.0.0.1 for pip, in place of the user's, with invented wheels in it."""

import os
import zipfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from elo_xl.hosts.libreoffice.install import Target

PYTHONS = ("cp310", "cp311", "cp312")
PLATFORMS = (
    "win_amd64",
    "macosx_11_0_arm64",
    "macosx_10_13_x86_64",
    "manylinux_2_17_x86_64.manylinux2014_x86_64",
    "manylinux_2_17_aarch64.manylinux2014_aarch64",
)
NEWER_PLATFORMS = (
    *PLATFORMS[:3],
    "macosx_12_0_arm64",
    "macosx_14_0_arm64",
    "macosx_14_0_x86_64",
    "manylinux_2_27_x86_64.manylinux_2_28_x86_64",
    "manylinux_2_27_aarch64.manylinux_2_28_aarch64",
)


class Index:
    """The folder that is served, and the requests received."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.requests: list[str] = []

    @property
    def fetched(self) -> list[str]:
        """The names of the files that pip took, sorted."""
        paths = [request.split()[1] for request in self.requests]
        return sorted(Path(path).name for path in paths if not path.endswith("/"))

    def offer(self, project: str, requires: dict[str, str]) -> None:
        """The page of a project: its files, each with the Python versions that it is for."""
        links = [
            f'<a href="{name}" data-requires-python="{escape(python)}">{name}</a><br>\n'
            for name, python in requires.items()
        ]
        page = self.folder / "simple" / project / "index.html"
        with page.open("a", encoding="utf-8") as file:
            file.writelines(links)

    def invent(self, project: str, version: str) -> None:
        """Files of a project: two versions, of which the newer is for fewer, and decoys."""
        folder = self.folder / "simple" / project
        folder.mkdir(parents=True)
        requires = dict(_invented(f"{project}-{version}"))
        for name, python in requires.items():
            _invent(folder / name, python)
        self.offer(project, requires)

    def repack(self, project: str, packages: Path, target: Target, needed: Collection[Path]) -> str:
        """Offer an installed package as a wheel, not compressed; its version.

        Of its files only those that are ``needed``, and the libraries beside them.
        """
        info = next(packages.glob(f"{project}-*.dist-info"))
        version = info.stem.split("-")[1]
        python = f"cp{target.version.replace('.', '')}"
        name = f"{project}-{version}-{python}-{python}-{target.platform}.whl"
        files = [info / "METADATA", info / "WHEEL"]
        files += [path for path in (packages / project).rglob("*") if path in needed]
        for libraries in (packages / f"{project}.libs", packages / project / ".dylibs"):
            files += libraries.glob("*")
        parts = {str(path.relative_to(packages)): path.read_bytes() for path in files}
        _write(self.folder / "simple" / project / name, info.name, parts)
        self.offer(project, {name: ">=3.10"})
        return version


def _invented(first: str) -> Iterator[tuple[str, str]]:
    """Names of files with the Python versions that they are for, as the real ones have them."""
    second, third = f"{first}.1", f"{first}.2"
    for python in PYTHONS:
        for platform in PLATFORMS:
            yield f"{first}.0-{python}-{python}-{platform}.whl", ">=3.10"
    for python in PYTHONS[1:]:
        for platform in NEWER_PLATFORMS:
            yield f"{second}-{python}-{python}-{platform}.whl", ">=3.11"
    # Too old, to be built, not yet released, or for others.
    yield f"{first.split('-')[0]}-1.0-py3-none-any.whl", ">=3.7"
    yield f"{third}.tar.gz", ">=3.10"
    yield f"{third}-py3-none-any.whl", ">=3.15"
    for platform in NEWER_PLATFORMS:
        yield f"{third}-cp313-cp313-{platform}.whl", ">=3.10"
        yield f"{third}-cp313-cp313t-{platform}.whl", ">=3.10"
        yield f"{third}-pp311-pypy311_pp73-{platform}.whl", ">=3.10"
    for python in PYTHONS:
        for platform in PLATFORMS:
            yield f"{third}rc1-{python}-{python}-{platform}.whl", ">=3.10"
        for platform in ("win32", "win_arm64", "macosx_14_0_arm64", "musllinux_1_2_x86_64"):
            yield f"{third}-{python}-{python}-{platform}.whl", ">=3.10"


def _invent(path: Path, requires: str) -> None:
    """A file as it is named: a wheel whose every module says which wheel it came with."""
    if path.suffix != ".whl":
        path.touch()
        return
    project, version, *tags = path.stem.split("-")
    info = f"{project}-{version}.dist-info"
    modules = ["__init__.py", f"core/_fast{_suffix(*tags)}", "core/tests/test_it.py"]
    parts = {f"{project}/{module}": path.name for module in [*modules, "tests/__init__.py"]}
    parts |= {
        f"{project}.libs/library": path.name,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n"
        f"Requires-Python: {requires}\n",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {'-'.join(tags)}\n",
        f"{info}/entry_points.txt": f"[console_scripts]\n{project} = {project}:main\n",
    }
    _write(path, info, {name: text.encode() for name, text in parts.items()})


def _suffix(python: str, abi: str, platform: str) -> str:
    """How a compiled module's name ends, as NumPy's do."""
    if platform.startswith("win"):
        return f".{python}-{platform}.pyd"
    system = "darwin" if platform.startswith("macos") else "x86_64-linux-gnu"
    return f".cpython-{abi.removeprefix('cp')}-{system}.so"


def _write(wheel: Path, info: str, parts: dict[str, bytes]) -> None:
    record = f"{info}/RECORD"
    with zipfile.ZipFile(wheel, "w") as package:
        for name, content in parts.items():
            package.writestr(name, content)
        package.writestr(record, "".join(f"{name},,\n" for name in [*parts, record]))


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *arguments: object, requests: list[str], directory: str) -> None:
        self.requests = requests
        super().__init__(*arguments, directory=directory)  # type: ignore[arg-type]

    def log_request(self, *_: object) -> None:
        self.requests.append(self.requestline)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(index: Index) -> Iterator[dict[str, str | None]]:
    """The environment in which pip knows only this index; variables with None must be unset.

    It also acts as the proxy, so that requests to other places arrive here as well.
    """
    handler = partial(_Handler, requests=index.requests, directory=str(index.folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        here = f"http://127.0.0.1:{server.server_port}"
        try:
            yield {
                **{
                    name: None
                    for name in os.environ
                    if name.upper().startswith("PIP_") or name.upper().endswith("_PROXY")
                },
                "PIP_CONFIG_FILE": os.devnull,  # stands for all of them, pip's documentation says
                "PIP_INDEX_URL": f"{here}/simple/",
                "PIP_NO_CACHE_DIR": "1",
                "PIP_RETRIES": "0",
                **dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), here),
                "no_proxy": "127.0.0.1",
            }
        finally:
            server.shutdown()
            thread.join()
