"""Programs of the README, as they stand there: only the address is another one."""

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[3] / "README.md"
ADDRESS = "http://127.0.0.1:3000"
SECONDS = 240


def test_the_program_of_art_learns(server, api_key, tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    [program] = [block for block in blocks if "ServerlessBackend" in block]
    assert ADDRESS in program
    (tmp_path / "program.py").write_text(program.replace(ADDRESS, server))
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "KEY": api_key, "TQDM_DISABLE": "1"}
    environment |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "WANDB_MODE": "disabled"}
    ran = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    assert ran.returncode == 0, ran.stderr
    lines = [line.split() for line in ran.stdout.splitlines() if re.fullmatch(r"\d+ [\d.]+", line)]
    assert [int(step) for step, _ in lines] == list(range(1, 9)), ran.stdout
    rewards = [float(reward) for _, reward in lines]
    assert rewards[0] < 0.9 < rewards[-1], rewards
