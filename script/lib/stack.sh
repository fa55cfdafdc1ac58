# Functions for the container stack: they find the available compose and run the operator's commands in a container. Sourced, never run.
# shellcheck shell=bash

# Compose is a plug-in of docker in its newer generation and a program of its own in the older one.
if docker compose version >/dev/null 2>&1; then
  compose() { docker compose "$@"; }
else
  compose() { docker-compose "$@"; }
fi

engine_is_there() { command -v docker >/dev/null && docker info >/dev/null 2>&1; }

# stack_containers [SERVICE]: prints the running and stopped containers of this stack, without containers of single commands. The newer
# generation omits stopped containers without --all.
stack_containers() {
  local container
  for container in $(compose ps --all --quiet "$@" 2>/dev/null); do
    docker ps --all --quiet --no-trunc --filter "id=$container" --filter label=com.docker.compose.oneoff=False
  done
}

# Prints the running API container of this stack; prints nothing if the API is stopped.
api_container() {
  local container
  container=$(stack_containers api)
  [[ -z $container ]] || docker ps --quiet --no-trunc --filter "id=$container"
}

# stack_cli COMMAND…: runs the command in the running API, or in a separate container on the same volumes if the API is stopped. `migrations`
# runs in the image that would be started next, which may differ from the running image.
stack_cli() {
  local container=''
  [[ ${1:-} == migrations ]] || container=$(api_container)
  if [[ -n $container ]]; then
    docker exec -i "$container" node apps/api/src/cli.ts "$@"
  else
    compose run --rm --no-deps -T api node apps/api/src/cli.ts "$@"
  fi
}
