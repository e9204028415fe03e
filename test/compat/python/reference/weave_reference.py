"""Weave's own in-memory trace server, out of its wheel, behind the same adapter that the hosted service puts before it.

What it imports and never uses in memory (cloud storage, Kafka, other providers' models) is stood in for, so that an
environment of it takes seconds to install and not minutes.
"""

import base64
import importlib.abc
import importlib.machinery
import sys
import types

UNUSED = (
    "boto3",
    "botocore",
    "azure",
    "google.cloud",
    "google.oauth2",
    "google.api_core",
    "google.auth",
    "litellm",
    "confluent_kafka",
    "ddtrace",
    "redis",
    "openai",
    # Not in the wheel at all.
    "weave.trace_server.model_providers",
    "weave.trace_server.workers",
)


class _Name(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Name(name, (Exception,), {})


class _Module(types.ModuleType):
    __path__: list[str] = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = _Name(name, (Exception,), {})
        setattr(self, name, value)
        return value


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if any(name == unused or name.startswith(f"{unused}.") for unused in UNUSED):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return _Module(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, _Finder())

from weave.trace_server import trace_server_interface as tsi  # noqa: E402
from weave.trace_server.external_to_internal_trace_server_adapter import (  # noqa: E402
    ExternalTraceServer,
    IdConverter,
)
from weave.trace_server.in_memory_trace_server import InMemoryTraceServer  # noqa: E402


class _Ids(IdConverter):
    """Internal ids are any text that isn't a project's name."""

    def ext_to_int_project_id(self, project_id):
        return base64.urlsafe_b64encode(project_id.encode()).decode()

    def int_to_ext_project_id(self, project_id):
        return base64.urlsafe_b64decode(project_id).decode()

    def ext_to_int_run_id(self, run_id):
        return run_id

    def int_to_ext_run_id(self, run_id):
        return run_id

    def ext_to_int_user_id(self, user_id):
        return user_id

    def int_to_ext_user_id(self, user_id):
        return user_id


def reference_server():
    return ExternalTraceServer(InMemoryTraceServer(), _Ids())


__all__ = ["reference_server", "tsi"]
