"""A table whose rows are dealt to processes: what each brings travels once, and is applied in one order."""

import os
import socket

import torch
import torch.distributed as dist
from torch.multiprocessing.spawn import spawn

import strew

ROWS, WIDTH, UPDATES = 1000, 16, 20_000


class Route:
    """The owners of the rows of a process's indices: process i % size has row i."""

    def __init__(self, indices: torch.Tensor) -> None:
        size = dist.get_world_size()
        owners, self.order = torch.sort(indices % size, stable=True)
        sent = torch.bincount(owners, minlength=size)
        received = torch.empty_like(sent)
        dist.all_to_all_single(received, sent)
        self.sent, self.received = sent.tolist(), received.tolist()
        self.rows = torch.empty(sum(self.received), dtype=indices.dtype)  # rows that others name, by process
        dist.all_to_all_single(self.rows, indices[self.order] // size, self.received, self.sent)

    def add(self, table: torch.Tensor, updates: torch.Tensor) -> None:
        """Adds the updates of all processes: first those of process 0, in their order, then those of process 1."""
        arrived = updates.new_empty(len(self.rows), *updates.shape[1:])
        dist.all_to_all_single(arrived, updates[self.order], self.received, self.sent)
        strew.scatter_nd(table, self.rows[:, None], arrived, reduction="sum", out=table)

    def gather(self, table: torch.Tensor) -> torch.Tensor:
        """The rows of the indices, in their order."""
        arrived = table.new_empty(len(self.order), *table.shape[1:])
        dist.all_to_all_single(arrived, strew.gather_nd(table, self.rows[:, None]), self.sent, self.received)
        rows = torch.empty_like(arrived)
        strew.scatter_nd(rows, self.order[:, None], arrived, out=rows)
        return rows


def work(rank: int, size: int, port: int) -> None:
    """One of the processes: its share of the updates, and what must come of all of them."""
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=size)
    generator = torch.Generator().manual_seed(1)
    indices = torch.randint(0, ROWS, (UPDATES,), generator=generator)
    updates = torch.rand(UPDATES, WIDTH, generator=generator)
    whole = strew.scatter_nd(torch.zeros(ROWS, WIDTH), indices[:, None], updates, reduction="sum")

    mine = torch.arange(UPDATES).tensor_split(size)[rank]
    table = torch.zeros(len(range(rank, ROWS, size)), WIDTH)
    route = Route(indices[mine])
    route.add(table, updates[mine])
    same = torch.equal(table, whole[rank::size]) and torch.equal(route.gather(table), whole[indices[mine]])
    everywhere = torch.tensor(same)
    dist.all_reduce(everywhere, dist.ReduceOp.MIN)
    if rank == 0:
        print(f"{size} processes, the bits of one: {bool(everywhere)}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    for size in (2, 3):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        spawn(work, (size, port), nprocs=size)
