"""The custom operators: their results, their memory, and their refusals. Models come through the converter."""

from __future__ import annotations

import concurrent.futures
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import strew_onnxruntime
from onnx import helper

import models
import reference

ROWS = (64, 16)
MANY = 200_000


def open_session(model: onnx.ModelProto, threads: int = 1) -> onnxruntime.InferenceSession:
    """The model with com.strew's nodes, on the CPU's provider alone."""
    options = models.quiet_options(threads)
    options.register_custom_ops_library(strew_onnxruntime.extension_path())
    converted = strew_onnxruntime.convert(model, exact=True).SerializeToString()
    return onnxruntime.InferenceSession(converted, options, providers=["CPUExecutionProvider"])


class Counts:
    """The numbers of nodes that strew has run, and has run in place, since this was made."""

    def __init__(self) -> None:
        self.before = strew_onnxruntime.runs(), strew_onnxruntime.runs_in_place()

    @property
    def runs(self) -> int:
        return strew_onnxruntime.runs() - self.before[0]

    @property
    def in_place(self) -> int:
        return strew_onnxruntime.runs_in_place() - self.before[1]


# ---- Results --------------------------------------------------------------------------------------------------------


def calls() -> list[Any]:
    """Every operator in every opset, with every type of indices and data."""
    return [
        pytest.param(name, opset, index_dtype, dtype, id=f"{name}-{opset}-{index_dtype}-{dtype}")
        for name, opsets in models.OPSETS.items()
        for opset in opsets
        for index_dtype in (("int64",) if name.endswith("ND") else ("int32", "int64"))
        for dtype in models.DTYPES
        if dtype != "bfloat16" or opset >= 13  # the first with it
    ]


def attributes_of(name: str, opset: int, reduction: str, axis: int) -> dict[str, Any]:
    attributes: dict[str, Any] = {} if name.endswith("ND") else {"axis": axis}
    return attributes | ({"reduction": reduction} if opset >= 16 and name.startswith("Scatter") else {})


@pytest.mark.parametrize(("name", "opset", "index_dtype", "dtype"), calls())
def test_results_are_those_of_a_loop(name: str, opset: int, index_dtype: str, dtype: str) -> None:
    for seed, reduction in enumerate(models.reductions_of(name, opset, dtype)):
        for axis in (0,) if name.endswith("ND") else (0, -1):
            attributes = attributes_of(name, opset, reduction, axis)
            session = open_session(models.one_node(name, opset, dtype, index_dtype, **attributes))
            operands = models.draw_operands(np.random.default_rng(seed), name, dtype, index_dtype, axis)
            counts = Counts()
            result = models.run(session, *operands)
            assert counts.runs == 1
            assert reference.same_bits(result, reference.run(name, *operands, **attributes)), (reduction, axis)


@pytest.mark.parametrize("batch_dims", [0, 1, 2])
def test_batch_dims(batch_dims: int) -> None:
    rng = np.random.default_rng(batch_dims)
    data = models.draw(rng, "float", (3, 4, 5, 2))
    indices = rng.integers(-3, 3, (3, 4, 1) if batch_dims else (2, 1)).astype(np.int64)
    rank = indices.ndim - 1 + data.ndim - batch_dims - 1
    model = models.one_node("GatherND", 13, ranks=(4, indices.ndim, 0), output_rank=rank, batch_dims=batch_dims)
    assert reference.same_bits(
        models.run(open_session(model), data, indices), reference.gather_nd(data, indices, batch_dims)
    )


@pytest.mark.parametrize("name", models.OPSETS)
@pytest.mark.parametrize("dtype", ["float", "string"])
def test_empty_tensors(name: str, dtype: str) -> None:
    """Empty calls succeed."""
    session = open_session(models.one_node(name, 10 if name == "Scatter" else 18, dtype))
    data = models.draw(np.random.default_rng(1), dtype, (4, 3))
    indices = np.zeros((0, 1) if name.endswith("ND") else (0, 3), np.int64)
    updates = [data[:0]] if name.startswith("Scatter") else []
    for operand in (data, data[:, :0]):
        inputs = (operand, indices if name.endswith("ND") else indices[:, : operand.shape[1]])
        updates = [operand[:0]] if name.startswith("Scatter") else []
        result = models.run(session, *inputs, *updates)
        assert reference.same_bits(result, reference.run(name, *inputs, *updates))


def issue_28584(scale: int) -> tuple[np.ndarray[Any, Any], ...]:
    """The shapes of a graph model. All columns have the index of their row, and many indices are equal."""
    rng = np.random.default_rng(28584)
    nodes, edges = 556416 // scale, 481385 // scale
    indices = np.repeat(rng.integers(0, nodes // 50, (edges, 1)), 80, axis=1).astype(np.int64)
    data = rng.standard_normal((nodes, 80), np.float32)
    return data, indices, rng.standard_normal((edges, 80), np.float32)


@pytest.mark.parametrize("name", ["ScatterElements", "ScatterND"])
def test_no_update_is_lost_on_any_number_of_threads(name: str) -> None:
    """The runtime's own kernel may lose some of those that go to one place."""
    data, indices, updates = issue_28584(scale=100)
    expected = data.copy()
    for row, update in zip(indices[:, 0], updates, strict=True):
        expected[row] += update
    if name == "ScatterND":
        indices = indices[:, :1]
    for threads in (1, 2, 3):
        session = open_session(models.one_node(name, 18, reduction="add"), threads)
        for _ in range(3):
            assert reference.same_bits(models.run(session, data, indices, updates), expected)


def test_updates_of_one_element_all_count() -> None:
    indices = np.zeros((MANY, 1), np.int64)
    session = open_session(
        models.one_node("ScatterND", 18, "int32", ranks=(1, 2, 1), output_rank=1, reduction="add"), 2
    )
    result = models.run(session, np.zeros(4, np.int32), indices, np.ones(MANY, np.int32))
    assert result.tolist() == [MANY, 0, 0, 0]


UFUNCS = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}


@pytest.mark.parametrize("reduction", UFUNCS)
@pytest.mark.parametrize("dtype", ["int8", "uint64", "float16", "float", "double"])
@pytest.mark.parametrize("name", ["ScatterElements", "ScatterND"])
def test_large_calls_have_the_same_bits_on_any_number_of_threads(name: str, dtype: str, reduction: str) -> None:
    """NumPy's ufunc.at goes through the updates in their order, too."""
    rng = np.random.default_rng(6)
    kind = models.DTYPES[dtype]
    data, updates = (rng.uniform(0.5, 2, shape).astype(kind) for shape in ((300, 32), (20_000, 32)))
    rows = rng.integers(-300, 300, 20_000)
    expected = data.copy()
    with np.errstate(all="ignore"):
        UFUNCS[reduction].at(expected, rows, updates)
    indices = rows[:, None] if name == "ScatterND" else np.repeat(rows[:, None], 32, axis=1)
    for threads in (1, 2, 4):
        session = open_session(models.one_node(name, 18, dtype, reduction=reduction), threads)
        assert reference.same_bits(models.run(session, data, indices, updates), expected), threads


# ---- Places ---------------------------------------------------------------------------------------------------------


def chain(count: int, first: str, outputs: tuple[str, ...] = (), **attributes: Any) -> onnx.ModelProto:
    """Scatters one after another, from the value `first` to "s<count>"; a0 is a tensor that the model computes."""
    names = [first, *(f"s{i + 1}" for i in range(count))]
    nodes = [helper.make_node("Add", ["data", "one"], ["a0"])] if first == "a0" else []
    nodes += [
        helper.make_node("ScatterND", [source, "indices", "updates"], [target], name=target, reduction="add")
        for source, target in zip(names, names[1:], strict=False)
    ]
    inputs = [
        models.value("data", "float", ["rows", ROWS[1]]),
        models.value("indices", "int64", ["updates", 1]),
        models.value("updates", "float", ["updates", ROWS[1]]),
    ]
    results = [models.value(name, "float", ["rows", ROWS[1]]) for name in (names[-1], *outputs)]
    return models.make_model(
        nodes, inputs, results, initializer=[helper.make_tensor("one", 1, [], [1.0])], **attributes
    )


def chain_operands() -> tuple[np.ndarray[Any, Any], ...]:
    rng = np.random.default_rng(5)
    indices = rng.integers(-ROWS[0], ROWS[0], (100, 1))
    return rng.standard_normal(ROWS, np.float32), indices, rng.standard_normal((100, ROWS[1]), np.float32)


def test_intermediates_are_written_in_place() -> None:
    session = open_session(chain(3, "a0"))
    data, indices, updates = chain_operands()
    counts = Counts()
    result = models.run(session, data, indices, updates)
    expected = data + np.float32(1)
    for _ in range(3):
        expected = reference.scatter_nd(expected, indices, updates, "add")
    assert reference.same_bits(result, expected)
    assert (counts.runs, counts.in_place) == (3, 2), "the last one writes what the user gets"


def test_an_input_of_the_model_is_not_written() -> None:
    session = open_session(chain(1, "data"))
    data, indices, updates = chain_operands()
    before = data.copy()
    counts = Counts()
    result = models.run(session, data, indices, updates)
    assert reference.same_bits(data, before)
    assert reference.same_bits(result, reference.scatter_nd(before, indices, updates, "add"))
    assert (counts.runs, counts.in_place) == (1, 0)


def test_an_initializer_is_not_written() -> None:
    data, indices, updates = chain_operands()
    node = helper.make_node("ScatterND", ["table", "indices", "updates"], ["output"], reduction="add")
    model = models.make_model(
        [node],
        [models.value("indices", "int64", ["n", 1]), models.value("updates", "float", ["n", ROWS[1]])],
        [models.value("output", "float", list(ROWS))],
        initializer=[onnx.numpy_helper.from_array(data, "table")],
    )
    session = open_session(model)
    counts = Counts()
    expected = reference.scatter_nd(data, indices, updates, "add")
    for _ in range(2):
        assert reference.same_bits(models.run(session, indices, updates), expected)
    assert (counts.runs, counts.in_place) == (2, 0)


def test_a_tensor_that_somebody_else_reads_is_not_written() -> None:
    """a0 is an output too; and of two scatters of one tensor, only the last may write it."""
    data, indices, updates = chain_operands()
    session = open_session(chain(1, "a0", outputs=("a0",)))
    counts = Counts()
    scattered, kept = session.run(None, {"data": data, "indices": indices, "updates": updates})
    assert reference.same_bits(kept, data + np.float32(1))
    assert reference.same_bits(scattered, reference.scatter_nd(kept, indices, updates, "add"))
    assert (counts.runs, counts.in_place) == (1, 0)


@pytest.mark.parametrize("name", ["ScatterElements", "ScatterND"])
def test_a_node_that_reads_one_tensor_twice(name: str) -> None:
    """Its updates are its data: the runtime must not let it write over them."""
    indices = np.array([[2], [0], [1]]) if name == "ScatterND" else np.array([[2, 2], [0, 2], [1, 1]])
    data = models.draw(np.random.default_rng(7), "float", (3, 2))
    nodes = [
        helper.make_node("Add", ["data", "one"], ["a0"]),
        helper.make_node(name, ["a0", "indices", "a0"], ["a1"], reduction="add"),
        helper.make_node("Identity", ["a1"], ["output"]),
    ]
    model = models.make_model(
        nodes,
        [models.value("data", "float", [3, 2]), models.value("indices", "int64", ["n", "m"])],
        [models.value("output", "float", [3, 2])],
        initializer=[helper.make_tensor("one", 1, [], [1.0])],
    )
    counts = Counts()
    result = models.run(open_session(model), data, indices)
    assert reference.same_bits(result, reference.run(name, data + 1, indices, data + 1, reduction="add"))
    assert (counts.runs, counts.in_place) == (1, 0)


def test_two_readers_of_one_tensor() -> None:
    data, indices, updates = chain_operands()
    nodes = [helper.make_node("Add", ["data", "one"], ["a0"])]
    for target, reduction in (("sum", "add"), ("product", "mul")):
        nodes.append(helper.make_node("ScatterND", ["a0", "indices", "updates"], [target], reduction=reduction))
    nodes.append(helper.make_node("Concat", ["sum", "product"], ["output"], axis=0))
    model = chain(1, "data")
    model.graph.ClearField("node")
    model.graph.node.extend(nodes)
    model.graph.output[0].CopyFrom(models.value("output", "float", ["both", ROWS[1]]))
    counts = Counts()
    result = models.run(open_session(model), data, indices, updates)
    base = data + np.float32(1)
    expected = [reference.scatter_nd(base, indices, updates, reduction) for reduction in ("add", "mul")]
    assert reference.same_bits(result, np.concatenate(expected))
    assert counts.runs == 2
    assert counts.in_place <= 1


def test_a_tensor_bound_as_input_and_output_is_changed() -> None:
    data, indices, updates = chain_operands()
    expected = reference.scatter_nd(data, indices, updates, "add")
    session = open_session(chain(1, "data"))
    table = onnxruntime.OrtValue.ortvalue_from_numpy(data)
    binding = session.io_binding()
    for name, entry in (("data", table), ("indices", models.to_value(indices)), ("updates", models.to_value(updates))):
        binding.bind_ortvalue_input(name, entry)
    binding.bind_ortvalue_output("s1", table)
    counts = Counts()
    session.run_with_iobinding(binding)
    assert reference.same_bits(table.numpy(), expected)
    assert (counts.runs, counts.in_place) == (1, 1)


# ---- Refusals -------------------------------------------------------------------------------------------------------


def refused(session: onnxruntime.InferenceSession, *operands: np.ndarray[Any, Any]) -> str:
    with pytest.raises(Exception) as caught:
        models.run(session, *operands)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ScatterND", "indices[2][0] is 7, outside [-7, 6] for dimension 0 of data"),
        ("GatherND", "indices[2][0] is 7, outside [-7, 6] for dimension 0 of data"),
        ("ScatterElements", "indices[2][0] is 7, outside [-7, 6] for dimension 0 of data"),
        ("GatherElements", "indices[2][0] is 7, outside [-7, 6] for dimension 0 of data"),
    ],
)
def test_an_index_out_of_bounds_is_refused(name: str, sentence: str) -> None:
    data, indices, *updates = models.draw_operands(np.random.default_rng(0), name, "float")
    indices[2, 0] = 7
    indices[3, 0] = -8  # the second that is wrong
    before = data.copy()
    counts = Counts()
    message = refused(open_session(models.one_node(name)), data, indices, *updates)
    assert sentence in message
    assert "Name:'node'" in message
    assert reference.same_bits(data, before)
    assert counts.runs == 0


def test_a_refused_index_leaves_a_bound_tensor_as_it_was() -> None:
    data, indices, updates = chain_operands()
    indices[-1] = ROWS[0]
    session = open_session(chain(1, "data"), threads=2)
    table = onnxruntime.OrtValue.ortvalue_from_numpy(data)
    binding = session.io_binding()
    for name, entry in (("data", table), ("indices", models.to_value(indices)), ("updates", models.to_value(updates))):
        binding.bind_ortvalue_input(name, entry)
    binding.bind_ortvalue_output("s1", table)
    with pytest.raises(Exception, match=r"indices\[99\]\[0\] is 64"):
        session.run_with_iobinding(binding)
    assert reference.same_bits(table.numpy(), data)


@pytest.mark.parametrize(
    ("shapes", "part"),
    [
        (((7, 5), (3, 1), (3, 4)), "updates"),
        (((7, 5), (3, 3), (3,)), "indices"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(shapes: tuple[tuple[int, ...], ...], part: str) -> None:
    ranks = (len(shapes[0]), len(shapes[1]), len(shapes[2]))
    operands = [np.zeros(shape, kind) for shape, kind in zip(shapes, ("f", "q", "f"), strict=True)]
    assert part in refused(open_session(models.one_node("ScatterND", ranks=ranks)), *operands)


def own_node(**attributes: Any) -> onnx.ModelProto:
    """A node that was com.strew's from the beginning."""
    model = models.one_node("ScatterND")
    node = model.graph.node[0]
    node.domain = "com.strew"
    node.attribute.extend(helper.make_attribute(name, given) for name, given in attributes.items())
    model.opset_import.add(domain="com.strew", version=1)
    return model


@pytest.mark.parametrize(
    ("attributes", "sentence"),
    [
        ({"version": 12}, "version is 12, which strew does not have; it has 11 13 16 18"),
        ({"version": 16, "reduction": "max"}, "no reduction max"),
        ({"reduction": "median"}, "unknown reduction median; none, add, mul, min and max are known"),
        ({"reduction": "a name that is longer than any that there is"}, "unknown reduction"),
        ({"version": 11, "reduction": "add"}, "no reduction add"),
        ({"axis": 0}, "com.strew.ScatterND: ScatterND-18 has no attribute axis"),
        ({"batch_dims": "0"}, "com.strew.ScatterND: ScatterND-18 has no attribute batch_dims"),
        ({"reduction": 1}, "com.strew.ScatterND: the attribute reduction must be a string"),
        ({"version": 18.0}, "com.strew.ScatterND: the attribute version must be an integer"),
        ({"version": [13]}, "com.strew.ScatterND: the attribute version must be an integer"),
        ({"version": [13.0]}, "com.strew.ScatterND: the attribute version must be an integer"),
        ({"axis": [0]}, "com.strew.ScatterND: ScatterND-18 has no attribute axis"),
        ({"reduction": [1, 2]}, "com.strew.ScatterND: the attribute reduction must be a string"),
        (
            {"reduction": helper.make_tensor("add", models.element_type("float"), [1], [1.0])},
            "com.strew.ScatterND: the attribute reduction must be a string",
        ),
    ],
)
def test_attributes_that_are_wrong_are_refused_as_a_model_is_read(attributes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Exception) as caught:
        open_session(own_node(**attributes))
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("name", "attributes", "sentence"),
    [
        ("Gather", {"axis": 2}, "axis is 2, outside [-2, 1]"),
        ("GatherElements", {"axis": 5}, "axis is 5, outside [-2, 1]"),
        ("ScatterElements", {"axis": -3}, "axis is -3, outside [-2, 1]"),
        ("GatherND", {"batch_dims": -1}, "batch_dims is -1, outside [0, 1]"),
        ("GatherND", {"batch_dims": 2**62}, "batch_dims is 4611686018427387904, outside [0, 1]"),
    ],
)
def test_attributes_that_do_not_fit_are_refused(name: str, attributes: dict[str, Any], sentence: str) -> None:
    operands = models.draw_operands(np.random.default_rng(0), name, "float")
    assert sentence in refused(open_session(models.one_node(name, **attributes)), *operands)


@pytest.mark.parametrize(
    "inputs",
    [[], ["data", "indices"], ["data", "indices", ""], ["", "indices", "updates"], ["data", "data", "updates"]],
)
def test_inputs_that_are_missing_or_of_another_type_are_refused_as_a_model_is_read(inputs: list[str]) -> None:
    model = own_node()
    del model.graph.node[0].input[:]
    model.graph.node[0].input.extend(inputs)
    with pytest.raises(Exception, match="ScatterND"):
        open_session(model)


def test_a_node_without_a_version_has_the_newest() -> None:
    operands = models.draw_operands(np.random.default_rng(3), "ScatterND", "float")
    result = models.run(open_session(own_node(reduction="max")), *operands)
    assert reference.same_bits(result, reference.scatter_nd(*operands, reduction="max"))


# ---- Shapes that are told to the runtime ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "inputs", "expected", "attributes"),
    [
        ("ScatterND", (["rows", 5], ["n", 1], ["n", 5]), ["rows", 5], {}),
        ("ScatterElements", ([7, 5], ["n", 5], ["n", 5]), [7, 5], {}),
        ("GatherElements", (["rows", 5], ["n", 5]), ["n", 5], {}),
        ("Gather", (["rows", 5], ["n", "m"]), ["n", "m", 5], {}),
        ("Gather", (["rows", 5, 4], ["n", 2]), ["rows", "n", 2, 4], {"axis": -2}),
        ("GatherND", (["rows", 5, 4], ["n", "m", 2]), ["n", "m", 4], {}),
        ("GatherND", (["batch", 5, 4], ["batch", 3, 1]), ["batch", 3, 4], {"batch_dims": 1}),
    ],
)
def test_shapes_are_inferred(name: str, inputs: Any, expected: Any, attributes: dict[str, Any]) -> None:
    names = ("data", "indices", "updates")[: len(inputs)]
    values = [
        models.value(operand, "int64" if operand == "indices" else "float", shape)
        for operand, shape in zip(names, inputs, strict=True)
    ]
    node = helper.make_node(name, list(names), ["output"], **attributes)
    model = models.make_model([node], values, [models.value("output", "float", None)], 18)
    assert open_session(model).get_outputs()[0].shape == expected


@pytest.mark.parametrize("name", ["ScatterND", "GatherND", "GatherElements", "Gather"])
@pytest.mark.parametrize("shape", [None, [None, None]])
def test_what_a_model_does_not_tell_is_left_open(name: str, shape: Any) -> None:
    names = ("data", "indices", "updates")[: 3 if name == "ScatterND" else 2]
    values = [models.value(operand, "int64" if operand == "indices" else "float", shape) for operand in names]
    model = models.make_model(
        [helper.make_node(name, list(names), ["output"])], values, [models.value("output", "float", None)]
    )
    operands = models.draw_operands(np.random.default_rng(4), name, "float")
    assert reference.same_bits(models.run(open_session(model), *operands), reference.run(name, *operands))


# ---- Many at once ---------------------------------------------------------------------------------------------------


def test_one_session_is_run_by_several_threads_at_once() -> None:
    session = open_session(chain(3, "a0"), threads=2)
    data, indices, updates = chain_operands()
    expected = models.run(session, data, indices, updates)

    def work(_: int) -> bool:
        return reference.same_bits(models.run(session, data, indices, updates), expected)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(200)))


def test_sessions_come_and_go() -> None:
    """Each is given the library again."""
    operands = chain_operands()
    expected = models.run(open_session(chain(2, "a0")), *operands)

    def work(_: int) -> bool:
        return reference.same_bits(models.run(open_session(chain(2, "a0")), *operands), expected)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(40)))
