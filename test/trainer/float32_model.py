"""Copies a model's directory with its weights as 32-bit floats: JAX on a CPU computes with nothing shorter that they have.

Usage: python float32_model.py FROM TO
"""

import json
import shutil
import sys
from pathlib import Path

from safetensors.numpy import load_file, save_file

source, target = map(Path, sys.argv[1:])
shutil.copytree(source, target)
tensors = load_file(source / "model.safetensors")
weights = {name: tensor.astype("float32") for name, tensor in tensors.items()}
save_file(weights, target / "model.safetensors", metadata={"format": "pt"})
config = json.loads((source / "config.json").read_text())
(target / "config.json").write_text(json.dumps({**config, "torch_dtype": "float32"}))
