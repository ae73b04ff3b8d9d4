# The table in the browser as an image: `docker build -t shutoko .`, then compose.yaml. Core and web, not root, and it writes
# nothing outside of /data.
FROM python:3.11-slim AS build
COPY --from=ghcr.io/astral-sh/uv:0.9 /uv /usr/local/bin/uv
ENV UV_LINK_MODE=copy UV_COMPILE_BYTECODE=1 UV_NO_CACHE=1
WORKDIR /src
COPY . .
# The versions of the lock, and no others. What brings models and examples that nobody needs here is thinned out.
RUN uv venv /opt/shutoko \
 && uv pip compile --quiet --extra web --constraint requirements.lock --python-version 3.11 pyproject.toml -o /tmp/web.txt \
 && uv pip install --quiet --python /opt/shutoko/bin/python --requirement /tmp/web.txt \
 && uv pip install --quiet --python /opt/shutoko/bin/python --no-deps . \
 && cd /opt/shutoko/lib/python3.11/site-packages \
 && rm -rf pybullet_data pybullet_envs pybullet_robots pybullet_examples numpy/tests numba/tests

FROM python:3.11-slim
RUN useradd --create-home --uid 10001 shutoko && install --directory --owner shutoko --group shutoko /data
COPY --from=build /opt/shutoko /opt/shutoko
# What is compiled for this processor belongs to the data, since the rest of the system can be mounted read-only.
ENV PATH=/opt/shutoko/bin:$PATH XDG_CACHE_HOME=/data/cache XDG_DATA_HOME=/data PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER shutoko
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s --retries=3 \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/healthz', timeout=8).read()"]
ENTRYPOINT ["shutoko", "serve", "--no-browser", "--host", "0.0.0.0", "--data", "/data"]
