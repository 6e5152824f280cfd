"""The default number of threads: the CPUs of the affinity, limited by the quota of a container."""

from __future__ import annotations

from pathlib import Path

import pytest

import strew
from strew import _cpus

CPUS = 64

V1_MOUNTS = """\
22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
31 22 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
33 31 0:30 {mounted} /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct
34 31 0:31 {mounted} /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:12 - cgroup cgroup rw,cpu,cpuacct
"""
V2_MOUNTS = """\
22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
31 22 0:28 {mounted} /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate
"""


@pytest.fixture(autouse=True)
def _many_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_cpus.os, "sched_getaffinity", lambda _: set(range(CPUS)), raising=False)


def write(root: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return str(root)


def v2(root: Path, own: str, limits: dict[str, str], mounted: str = "/") -> str:
    """A tree of version 2 in which groups have these limits."""
    files = {f"sys/fs/cgroup{group}/cpu.max": limit for group, limit in limits.items()}
    system = {"proc/self/cgroup": f"0::{own}\n", "proc/self/mountinfo": V2_MOUNTS.format(mounted=mounted)}
    return write(root, files | system)


def v1(root: Path, own: str, limits: dict[str, tuple[str, str]], mounted: str = "/") -> str:
    """The same with version 1 of control groups."""
    files = {}
    for group, (quota, period) in limits.items():
        files[f"sys/fs/cgroup/cpu,cpuacct{group}/cpu.cfs_quota_us"] = quota
        files[f"sys/fs/cgroup/cpu,cpuacct{group}/cpu.cfs_period_us"] = period
    groups = f"12:memory:/elsewhere\n4:cpu,cpuacct:{own}\n1:name=systemd:{own}\n0::/\n"
    system = {"proc/self/cgroup": groups, "proc/self/mountinfo": V1_MOUNTS.format(mounted=mounted)}
    return write(root, files | system)


@pytest.mark.parametrize(
    ("limit", "cpus"),
    [
        ("200000 100000\n", 2),
        ("150000 100000\n", 2),
        ("100001 100000\n", 2),
        ("1000 100000\n", 1),
        ("50000 25000", 2),
        ("max 100000\n", CPUS),
        ("99900000 100000\n", CPUS),
        ("", CPUS),
        ("200000", CPUS),
        ("200000 0\n", CPUS),
        ("-1 100000\n", CPUS),
        ("many few\n", CPUS),
    ],
)
def test_version_2(tmp_path: Path, limit: str, cpus: int) -> None:
    assert _cpus.available_cpus(v2(tmp_path, "/", {"": limit})) == cpus


@pytest.mark.parametrize(
    ("quota", "period", "cpus"),
    [
        ("200000\n", "100000\n", 2),
        ("250000\n", "100000\n", 3),
        ("-1\n", "100000\n", CPUS),
        ("0\n", "100000\n", CPUS),
        ("200000\n", "0\n", CPUS),
        ("", "100000\n", CPUS),
    ],
)
def test_version_1(tmp_path: Path, quota: str, period: str, cpus: int) -> None:
    assert _cpus.available_cpus(v1(tmp_path, "/", {"": (quota, period)})) == cpus


def test_the_least_of_all_groups_around_counts(tmp_path: Path) -> None:
    limits = {"/pod": "300000 100000", "/pod/container": "max 100000", "/pod/container/inner": "800000 100000"}
    assert _cpus.available_cpus(v2(tmp_path / "2", "/pod/container/inner", limits)) == 3
    assert _cpus.available_cpus(v2(tmp_path / "2b", "/elsewhere", limits)) == CPUS
    both = {"/pod": ("300000", "100000"), "/pod/container": ("100000", "50000")}
    assert _cpus.available_cpus(v1(tmp_path / "1", "/pod/container", both)) == 2


@pytest.mark.parametrize("own", ["/docker/abc", "/docker/abc/inner", "/", "/../other"])
def test_a_container_sees_a_part_of_the_tree(tmp_path: Path, own: str) -> None:
    """The container's group is at the mount point, whatever path the kernel names."""
    limits = {"": ("400000", "100000"), "/inner": ("200000", "100000")}
    cpus = 2 if own.endswith("inner") else 4
    assert _cpus.available_cpus(v1(tmp_path, own, limits, mounted="/docker/abc")) == cpus


@pytest.mark.parametrize("mounts", ["", "not a mount\n", "1 2 3\n - cgroup2\n", "31 22 0:28 / - cgroup2 x rw\n"])
@pytest.mark.parametrize("groups", ["", "0::/\n", "nothing\n", "::\n", "x:cpu:/\n"])
def test_files_that_say_nothing(tmp_path: Path, mounts: str, groups: str) -> None:
    root = write(tmp_path, {"proc/self/cgroup": groups, "proc/self/mountinfo": mounts})
    assert _cpus.available_cpus(root) == CPUS


def test_no_files(tmp_path: Path) -> None:
    assert _cpus.available_cpus(str(tmp_path)) == CPUS
    (tmp_path / "proc/self/cgroup").mkdir(parents=True)
    assert _cpus.available_cpus(str(tmp_path)) == CPUS


def test_a_quota_is_no_reason_for_more_than_the_affinity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_cpus.os, "sched_getaffinity", lambda _: {5}, raising=False)
    assert _cpus.available_cpus(v2(tmp_path, "/", {"": "400000 100000"})) == 1


def test_systems_without_affinity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(_cpus.os, "sched_getaffinity")
    for cpus, expected in ((7, 7), (None, 1)):
        monkeypatch.setattr(_cpus.os, "cpu_count", lambda cpus=cpus: cpus)
        assert _cpus.available_cpus(str(tmp_path)) == expected


def test_the_default_is_what_is_available(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert _cpus.available_cpus() >= strew.get_num_threads() >= 1 or "STREW_NUM_THREADS" in _cpus.os.environ
