# SkyRL tx, a server of the Tinker protocol, for NVIDIA GPUs. Its version is the one that is tested, on CPUs; this image has
# never been built or run.
FROM python:3.11-slim-bookworm
RUN pip install --no-cache-dir 'skyrl-tx[jax,tinker]==0.3.0' tinker==0.38.0 transformers==4.57.6 torch==2.13.0
COPY --chmod=755 uv.sh /usr/local/bin/uv
RUN mkdir /weights && chown 1000:1000 /weights
USER 1000:1000
ENV HOME=/tmp TX_DATABASE_URL=sqlite:////weights/requests.db
EXPOSE 8000
CMD ["python", "-m", "tx.tinker.api", "--host", "0.0.0.0", "--port", "8000", \
     "--base-model", "/models/gpu", "--checkpoints-base", "/weights"]
