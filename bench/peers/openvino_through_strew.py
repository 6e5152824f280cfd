"""The models of openvino_peer.py with strew's operations, as for a user who replaces them before compiling."""

from __future__ import annotations

import openvino
import strew_openvino

from openvino_peer import OpenVinoPeer


class OpenVinoThroughStrew(OpenVinoPeer):
    """OpenVINO, with strew's operations in its model."""

    name = "OpenVINO through strew"
    version = f"{OpenVinoPeer.version}, strew for {strew_openvino.OPENVINO_VERSION}"

    def prepare(self, model: openvino.Model) -> openvino.Model | None:
        """The model with strew's operations; None if strew replaces nothing."""
        return model if strew_openvino.replace(model).replaced else None
