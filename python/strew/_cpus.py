"""The number of CPUs that this process may use: those of its affinity, limited by the quota of its container."""

from __future__ import annotations

import os
from collections.abc import Iterator


def _read(path: str) -> str:
    """The text of a file; "" if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _own_groups(root: str) -> dict[str, str]:
    """The control group of this process for each controller of version 1, and for "" that of version 2."""
    groups = {}
    for line in _read(f"{root}/proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number.isdigit():
            groups.update(dict.fromkeys(controllers.split(","), path))
    return groups


def _folders(root: str) -> Iterator[str]:
    """The folders of the control groups that limit this process: its own, and all around it that are mounted."""
    groups = _own_groups(root)
    for line in _read(f"{root}/proc/self/mountinfo").splitlines():
        mount, _, system = line.partition(" - ")
        fields, (kind, _, options) = mount.split(" "), system.partition(" ")
        controller = {"cgroup2": "", "cgroup": "cpu"}.get(kind)
        if len(fields) < 5 or controller not in groups:
            continue
        if controller == "cpu" and "cpu" not in options.rpartition(" ")[2].split(","):
            continue
        mounted, folder, own = fields[3].rstrip("/"), fields[4], groups[controller]
        # A container without a namespace of its own sees the whole path, but only part of it is mounted.
        names = own[len(mounted) :].split("/") if f"{own}/".startswith(f"{mounted}/") else []
        names = [name for name in names if name] if ".." not in names else []
        for count in range(len(names) + 1):
            yield "/".join([root + folder.rstrip("/"), *names[:count]])


def _quotas(folder: str) -> Iterator[int]:
    """The CPUs that the group of a folder may use, rounded up; nothing if it has no limit."""
    both = _read(f"{folder}/cpu.max").partition(" ")
    for quota, period in (both[::2], (_read(f"{folder}/cpu.cfs_quota_us"), _read(f"{folder}/cpu.cfs_period_us"))):
        try:
            used, of = int(quota), int(period)
        except ValueError:  # "max", or nothing
            continue
        if used > 0 and of > 0:
            yield -(-used // of)


def available_cpus(root: str = "") -> int:
    """The number of CPUs that this process may use, at least 1. `root` is the root of the system's files."""
    if hasattr(os, "sched_getaffinity"):
        cpus = len(os.sched_getaffinity(0))
    else:
        cpus = os.cpu_count() or 1
    return min([cpus, *(quota for folder in _folders(root) for quota in _quotas(folder))])
