# The container stack: the available compose, and the operator's commands inside. Sourced, never run.
# shellcheck shell=bash

# The plug-in of the newer generation, or the program of the older one.
if docker compose version >/dev/null 2>&1; then
  compose() { docker compose "$@"; }
else
  compose() { docker-compose "$@"; }
fi

engine_is_there() { command -v docker >/dev/null && docker info >/dev/null 2>&1; }

# stack_containers [SERVICE]: the containers of this stack, running or not (the newer generation omits stopped ones without --all),
# without containers of single commands.
stack_containers() {
  local container
  for container in $(compose ps --all --quiet "$@" 2>/dev/null); do
    docker ps --all --quiet --no-trunc --filter "id=$container" --filter label=com.docker.compose.oneoff=False
  done
}

# The running API of this stack; empty if it is stopped.
api_container() {
  local container
  container=$(stack_containers api)
  [[ -z $container ]] || docker ps --quiet --no-trunc --filter "id=$container"
}

# stack_cli COMMAND…: in the running API, or in a separate container on the same volumes if the API is stopped. `migrations` runs in the image
# that would be started, which may differ from the running one.
stack_cli() {
  local container=''
  [[ ${1:-} == migrations ]] || container=$(api_container)
  if [[ -n $container ]]; then
    docker exec -i "$container" node apps/api/src/cli.ts "$@"
  else
    compose run --rm --no-deps -T api node apps/api/src/cli.ts "$@"
  fi
}
