"""Everything that the released wandb SDK logs beside numbers: stored as it was, and read back by the SDK and by REST."""

import base64
import hashlib
import json
import os
import urllib.request
import uuid
import wave
from pathlib import Path

import numpy
import pytest
import wandb
from PIL import Image
from wandb_rest import rest

PDB = "ATOM      1  N   ALA A   1      11.104   6.134  -6.504  1.00  0.00           N\nEND\n"
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


class Figure:
    """As much of a figure of plotly, which is too large for a test, as the SDK looks at."""

    __module__ = "plotly.graph_objs"

    def to_plotly_json(self) -> dict:
        return {"data": [{"type": "scatter", "x": [1, 2], "y": [3, 4]}], "layout": {"title": "of tests"}}


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    path, before = tmp_path_factory.mktemp("media"), os.getcwd()
    os.chdir(path)
    yield path
    os.chdir(before)


@pytest.fixture(scope="module")
def project() -> str:
    return f"media-{uuid.uuid4().hex[:12]}"


def start(project: str, **arguments):
    settings = wandb.Settings(init_timeout=60, x_disable_stats=True, console="off")
    return wandb.init(project=project, settings=settings, **arguments)


def sound(path: Path) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(1600))
    return path


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def make_media(folder: Path) -> dict[str, object]:
    pixels = numpy.arange(12 * 8 * 3, dtype=numpy.uint8).reshape(8, 12, 3)
    points = numpy.array([[0, 0, 0, 1], [1, 1, 1, 2]], dtype=float)
    box = {"position": {"minX": 0.1, "maxX": 0.5, "minY": 0.2, "maxY": 0.6}, "class_id": 1, "scores": {"p": 0.5}}
    labels = {0: "none", 1: "cat"}
    mask = {"mask_data": numpy.eye(8, 12, dtype=numpy.uint8), "class_labels": labels}
    return {
        "image/array": wandb.Image(pixels, caption="an array", file_type="png"),
        "image/pil": wandb.Image(Image.new("RGB", (5, 4), "red"), file_type="jpg"),
        "image/file": wandb.Image(str(folder / "drawn.png")),
        "image/marked": wandb.Image(
            pixels,
            boxes={"truth": {"box_data": [box], "class_labels": labels}},
            masks={"truth": mask},
        ),
        "audio": wandb.Audio(str(sound(folder / "beep.wav")), caption="silence"),
        "video": wandb.Video(str(written(folder / "clip.mp4", os.urandom(5000))), format="mp4"),
        "html": wandb.Html("<b>bold</b>", inject=False),
        "molecule": wandb.Molecule(str(written(folder / "one.pdb", PDB))),
        "object/file": wandb.Object3D(str(written(folder / "flat.obj", OBJ))),
        "object/points": wandb.Object3D(points),
        "object/scene": wandb.Object3D.from_point_cloud(
            points=points, boxes=[], vectors=[{"start": [0, 0, 0], "end": [1, 1, 1]}]
        ),
        "plotly": wandb.Plotly(Figure()),
    }


TYPES = {
    "image/array": "image-file",
    "image/pil": "image-file",
    "image/file": "image-file",
    "image/marked": "image-file",
    "audio": "audio-file",
    "video": "video-file",
    "html": "html-file",
    "molecule": "molecule-file",
    "object/file": "object3D-file",
    "object/points": "object3D-file",
    "object/scene": "object3D-file",
    "plotly": "plotly-file",
}


@pytest.fixture(scope="module")
def logged(project, folder):
    """What was said of each of them: the row, and a run that reads its files."""
    Image.new("L", (3, 2), 7).save(folder / "drawn.png")
    media = make_media(folder)
    with start(project, id="all-of-it") as run:
        run.log({**media, "n": 1})
        run.log({"gallery": [wandb.Image(Image.new("RGB", (2, 2), colour)) for colour in ["red", "blue"]]})
        run.summary["picture"] = wandb.Image(Image.new("RGB", (6, 6), "green"))
    seen = wandb.Api().run(f"admin/{project}/all-of-it")
    return seen, list(seen.scan_history())


def content(run, path: str, folder: Path) -> bytes:
    with run.file(path).download(root=str(folder / "down"), replace=True) as file:
        return Path(file.name).read_bytes()


def of_rest(project: str, run: str, path: str) -> bytes:
    key = base64.b64encode(f"api:{os.environ['WANDB_API_KEY']}".encode()).decode()
    url = f"{os.environ['WANDB_BASE_URL']}/files/admin/{project}/{run}/{path}"
    with urllib.request.urlopen(urllib.request.Request(url, headers={"authorization": f"Basic {key}"})) as response:
        return response.read()


@pytest.mark.parametrize("key", TYPES)
def test_media_are_described_in_their_row_and_stored_as_files(logged, project, folder, key):
    run, rows = logged
    value = rows[0][key]
    assert value["_type"] == TYPES[key] and value["path"].startswith("media/")
    stored = content(run, value["path"], folder)
    assert (len(stored), hashlib.sha256(stored).hexdigest()) == (value["size"], value["sha256"])
    assert of_rest(project, "all-of-it", value["path"]) == stored
    # Numbers beside media are metrics, and nothing of media is.
    [point, *_] = rest(f"/v1/projects/admin/{project}/runs/all-of-it/history")["data"]
    assert point["metrics"] == {"n": 1}


def test_media_are_what_they_were_made_of(logged, folder):
    run, [row, *_] = logged
    file = {key: folder / "down" / row[key]["path"] for key in TYPES}
    for key in TYPES:
        content(run, row[key]["path"], folder)
    pixels = numpy.arange(12 * 8 * 3, dtype=numpy.uint8).reshape(8, 12, 3)
    assert numpy.array_equal(numpy.asarray(Image.open(file["image/array"])), pixels)
    assert (row["image/array"]["width"], row["image/array"]["height"], row["image/array"]["caption"]) == (12, 8, "an array")
    assert Image.open(file["image/pil"]).format == "JPEG"
    assert file["image/file"].read_bytes() == (folder / "drawn.png").read_bytes()
    for key, made_of in {"audio": "beep.wav", "video": "clip.mp4", "molecule": "one.pdb", "object/file": "flat.obj"}.items():
        assert file[key].read_bytes() == (folder / made_of).read_bytes()
    assert "<b>bold</b>" in file["html"].read_text()
    assert json.loads(file["object/points"].read_text()) == [[0, 0, 0, 1], [1, 1, 1, 2]]
    assert json.loads(file["object/scene"].read_text())["vectors"][0]["end"] == [1, 1, 1]
    assert json.loads(file["plotly"].read_text())["layout"] == {"title": "of tests"}


def test_boxes_and_masks_of_an_image_are_files_of_their_own(logged, folder):
    run, [row, *_] = logged
    marked = row["image/marked"]
    boxes, mask = marked["boxes"]["truth"], marked["masks"]["truth"]
    [box] = json.loads(content(run, boxes["path"], folder))["box_data"]
    assert (box["class_id"], box["scores"]) == (1, {"p": 0.5})
    content(run, mask["path"], folder)
    assert numpy.asarray(Image.open(folder / "down" / mask["path"])).shape == (8, 12)


def test_several_images_of_a_step_and_one_of_the_summary(logged, project, folder):
    run, [_, row] = logged
    gallery = row["gallery"]
    assert (gallery["_type"], gallery["count"]) == ("images/separated", 2)
    colours = []
    for path in gallery["filenames"]:
        content(run, path, folder)
        colours.append(Image.open(folder / "down" / path).getpixel((0, 0)))
    assert colours == [(255, 0, 0), (0, 0, 255)]
    picture = rest(f"/v1/projects/admin/{project}/runs/all-of-it")["summary"]["picture"]
    assert run.summary["picture"]["path"] == picture["path"]
    assert hashlib.sha256(content(run, picture["path"], folder)).hexdigest() == picture["sha256"]


def test_tables_hold_media_and_are_read_back_as_they_were(project, folder):
    picture = Image.new("RGB", (4, 4), "red")
    with start(project) as run:
        table = wandb.Table(columns=["n", "text", "picture"])
        table.add_data(1, "ž", wandb.Image(picture))
        table.add_data(None, "", wandb.Image(picture))
        run.log({"table": table})
        growing = wandb.Table(columns=["n"], log_mode="MUTABLE")
        for i in range(3):
            growing.add_data(i)
            run.log({"growing": growing})
    [version] = [each for each in wandb.Api().run(f"admin/{project}/{run.id}").logged_artifacts() if "-table:" in each.name]
    again = version.get("table")
    assert again.columns == ["n", "text", "picture"] and [row[:2] for row in again.data] == [[1, "ž"], [None, ""]]
    assert again.data[0][2].image.getpixel((0, 0)) == (255, 0, 0)
    seen = wandb.Api().run(f"admin/{project}/{run.id}")
    grown = [row["growing"] for row in seen.scan_history(keys=["growing"])]
    assert [each["nrows"] for each in grown] == [1, 2, 3]
    last = json.loads(content(seen, grown[-1]["path"], folder))
    assert last["data"] == [[0], [1], [2]]


def test_joined_and_partitioned_tables_are_read_back(project):
    with start(project) as run:
        artifact = wandb.Artifact("tables", "dataset")
        left = wandb.Table(columns=["id", "a"], data=[[1, "x"], [2, "y"]])
        right = wandb.Table(columns=["id", "b"], data=[[1, True], [2, False]])
        artifact.add(wandb.JoinedTable(left, right, "id"), "joined")
        run.log_artifact(artifact).wait()
    joined = wandb.Api().artifact(f"admin/{project}/tables:v0").get("joined")
    assert joined._join_key == "id" and joined._table1.data == [[1, "x"], [2, "y"]] and joined._table2.data[1] == [2, False]


CHARTS = {
    "line": lambda table: wandb.plot.line(table, "x", "y", title="a line"),
    "scatter": lambda table: wandb.plot.scatter(table, "x", "y"),
    "bar": lambda table: wandb.plot.bar(table, "x", "y"),
    "histogram": lambda table: wandb.plot.histogram(table, "y"),
    "series": lambda table: wandb.plot.line_series(xs=[0, 1], ys=[[1, 2], [3, 4]], keys=["a", "b"]),
    "confusion": lambda table: wandb.plot.confusion_matrix(y_true=[0, 1], preds=[0, 0], class_names=["a", "b"]),
}


def test_charts_keep_their_tables_and_what_they_look_like(project, folder):
    with start(project) as run:
        table = wandb.Table(columns=["x", "y"], data=[[0, 1], [1, 3]])
        run.log({name: make(table) for name, make in CHARTS.items()})
    seen = wandb.Api().run(f"admin/{project}/{run.id}")
    [row] = seen.scan_history()
    for name in CHARTS:
        shown = row[f"{name}_table"]
        stored = json.loads(content(seen, shown["path"], folder))
        assert (shown["_type"], shown["nrows"]) == ("table-file", len(stored["data"]))
    assert json.loads(content(seen, row["line_table"]["path"], folder))["data"] == [[0, 1], [1, 3]]
    visualize = json.loads(seen.json_config)["_wandb"]["value"]["visualize"]
    assert sorted(visualize) == sorted(CHARTS) and "line" in visualize["line"]["panel_config"]["panelDefId"]


def test_gradients_of_watched_models_are_histograms(project):
    with start(project) as run:
        for step in range(3):
            gradients = numpy.linspace(-step, step + 1, 1000)
            run.log({"gradients/layer.weight": wandb.Histogram(gradients), "parameters/layer.weight": wandb.Histogram(
                np_histogram=numpy.histogram(gradients, bins=8)
            )})
    seen = wandb.Api().run(f"admin/{project}/{run.id}")
    rows = list(seen.scan_history(keys=["_step", "gradients/layer.weight", "parameters/layer.weight"]))
    assert [row["_step"] for row in rows] == [0, 1, 2]
    for row in rows:
        for key, bins in [("gradients/layer.weight", 64), ("parameters/layer.weight", 8)]:
            histogram = row[key]
            assert histogram["_type"] == "histogram" and sum(histogram["values"]) == 1000
            assert len(histogram["values"]) == bins and len(histogram["bins"]) == bins + 1
