#!/bin/sh
# SkyRL tx starts its engine by `uv run ... -m tx...`, in an environment that is here already.
while [ "$1" != "-m" ]; do shift; done
exec python "$@"
