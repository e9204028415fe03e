"""Registries through the released wandb SDK: what is linked there, and what fires from it."""

import uuid

import pytest
import wandb
from wandb_rest import REFUSED, rest


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def registry():
    name = f"r-{uuid.uuid4().hex[:8]}"
    yield wandb.Api().create_registry(name=name, organization="admin", visibility="organization", description="first")


@pytest.fixture(scope="module")
def versions():
    """Two versions of a model, in a project of their own."""
    project = f"linked-{uuid.uuid4().hex[:12]}"
    settings = wandb.Settings(init_timeout=60, x_disable_stats=True, console="off")
    with wandb.init(project=project, settings=settings) as run:
        for i in range(2):
            artifact = wandb.Artifact("net", "model")
            with artifact.new_file("w.txt") as file:
                file.write(f"weights {i}")
            run.log_artifact(artifact).wait()
    return [f"admin/{project}/net:v{i}" for i in range(2)]


def test_a_registry_is_made_described_found_and_deleted(registry):
    of_rest = rest(f"/v1/registries/admin/{registry.name}")
    assert (of_rest["name"], of_rest["description"]) == (registry.name, "first")
    registry.description = "second"
    registry.save()
    again = wandb.Api().registry(registry.name, organization="admin")
    assert (again.description, again.visibility, again.allow_all_artifact_types) == ("second", "organization", True)
    found = wandb.Api().registries(organization="admin", filter={"name": registry.name})
    assert [each.name for each in found] == [registry.name]
    assert len(list(wandb.Api().registries(organization="admin", filter={"name": {"$regex": "no-such"}}))) == 0
    again.delete()
    with pytest.raises(ValueError, match="Failed to load"):
        wandb.Api().registry(registry.name, organization="admin").load()


def test_a_registry_is_not_made_twice_nor_with_what_is_not_served(registry):
    for arguments in [{}, {"visibility": "restricted"}, {"artifact_types": ["model"]}]:
        name = registry.name if not arguments else f"other-{registry.name}"
        with pytest.raises(ValueError, match="Failed to create registry|already exists"):
            wandb.Api().create_registry(**{"name": name, "organization": "admin", "visibility": "organization", **arguments})


def test_an_artifact_is_linked_found_by_its_registry_path_and_unlinked(registry, versions):
    place = f"wandb-registry-{registry.name}/prod"
    first, second = (wandb.Api().artifact(version) for version in versions)
    linked = first.link(f"{place}", aliases=["staging"])
    assert linked.is_link and linked.qualified_name == f"admin/{place}:v0" and linked.aliases == ["latest", "staging"]
    second.link(f"admin/{place}")
    api = wandb.Api()
    found = api.artifact(f"{place}:staging")
    assert (found.version, found.source_version, found.source_name) == ("v0", "v0", "net:v0")
    assert found.source_project == versions[0].split("/")[1] and found.id == first.id
    assert api.artifact(f"admin/{place}:latest").source_version == "v1"
    with open(found.file()) as file:
        assert file.read() == "weights 0"
    assert found.download() and api.artifact_exists(f"{place}:v1")
    assert [each.name for each in wandb.Api().artifact(versions[0]).linked_artifacts] == ["prod:v0"]
    assert wandb.Api().artifact(versions[0]).aliases == []
    found.unlink()
    assert not wandb.Api().artifact_exists(f"{place}:staging")
    assert wandb.Api().artifact_exists(versions[0])


def test_a_run_links_and_uses_what_is_linked(registry, versions):
    settings = wandb.Settings(init_timeout=60, x_disable_stats=True, console="off")
    with wandb.init(project="links", settings=settings) as run:
        artifact = wandb.Artifact(f"made-{registry.name}", "model")
        with artifact.new_file("w.txt") as file:
            file.write("weights")
        run.log_artifact(artifact)
        linked = run.link_artifact(artifact, f"wandb-registry-{registry.name}/prod", aliases=["best"])
        assert linked.version == "v0" and "best" in linked.aliases
        used = run.use_artifact(f"wandb-registry-{registry.name}/prod:best")
        assert used.download()
    of_rest = rest(f"/v1/registries/admin/{registry.name}/collections/prod/versions")["data"]
    assert [(version["version"], version["aliases"]) for version in of_rest] == [("v0", ["best", "latest"])]
    assert [each.name for each in wandb.Api().run(f"admin/links/{run.id}").used_artifacts()] == [f"made-{registry.name}:v0"]


def test_what_a_registry_holds_is_listed(registry, versions):
    for version, name in zip(versions, ["prod", "spare"], strict=True):
        wandb.Api().artifact(version).link(f"wandb-registry-{registry.name}/{name}")
    again = wandb.Api().registry(registry.name, organization="admin")
    assert sorted(each.name for each in again.collections()) == ["prod", "spare"]
    assert [each.name for each in again.collections(filter={"name": "spare"})] == ["spare"]
    assert sorted(each.source_version for each in again.versions()) == ["v0", "v1"]
    of_spare = wandb.Api().registries(organization="admin", filter={"name": registry.name}).collections(filter={"name": "spare"})
    assert [each.source_version for each in of_spare.versions()] == ["v1"]
    collection = wandb.Api().artifact_collection("model", f"admin/wandb-registry-{registry.name}/spare")
    assert not collection.is_sequence()
    collection.tags = ["kept"]
    collection.save()
    assert rest(f"/v1/registries/admin/{registry.name}/collections/spare")["tags"] == ["kept"]
    collection.delete()
    assert [each.name for each in wandb.Api().registry(registry.name, organization="admin").collections()] == ["prod"]


def test_aliases_of_a_link_are_its_own(registry, versions):
    place = f"wandb-registry-{registry.name}/prod"
    wandb.Api().artifact(versions[0]).link(place)
    linked = wandb.Api().artifact(f"{place}:v0")
    linked.aliases.append("prod")
    linked.save()
    assert wandb.Api().artifact(f"{place}:prod").version == "v0"
    assert "prod" not in wandb.Api().artifact(versions[0]).aliases
    linked.aliases.remove("prod")
    linked.save()
    assert not wandb.Api().artifact_exists(f"{place}:prod")


def test_members_of_a_registry(registry):
    username = f"u-{uuid.uuid4().hex[:8]}"
    rest("/v1/users", {"username": username})
    user = wandb.Api().user(username)
    registry.add_members(user)
    roles = {member.user.username: member.role for member in registry.user_members()}
    assert roles[username] == "viewer" and roles["admin"] == "admin" and registry.team_members() == []
    registry.update_member(user, role="member")
    members = rest(f"/v1/registries/admin/{registry.name}/members")["data"]
    assert {member["username"]: member["role"] for member in members}[username] == "member"
    registry.remove_members(user)
    assert username not in {member.user.username for member in registry.user_members()}
    with pytest.raises(REFUSED, match="not to teams"):
        registry.add_members("RW50aXR5OjE=")


def test_what_is_no_registry_is_named(versions):
    artifact = wandb.Api().artifact(versions[0])
    with pytest.raises(REFUSED, match="There is no registry"):
        artifact.link("wandb-registry-no-such/prod")
    with pytest.raises(REFUSED, match="is a project"):
        artifact.link(versions[0].rsplit("/", 1)[0] + "/prod")
