# The container stack: which compose there is, and the operator's commands inside. Sourced, never run.
# shellcheck shell=bash

# The plug-in of the newer generation, or the program of the older one.
if docker compose version >/dev/null 2>&1; then
  compose() { docker compose "$@"; }
else
  compose() { docker-compose "$@"; }
fi

engine_is_there() { command -v docker >/dev/null && docker info >/dev/null 2>&1; }

# stack_containers [SERVICE]: the containers of this stack, running or not (the newer generation leaves out what has stopped unless it is
# asked); those of single commands beside the services are none of them.
stack_containers() {
  local container
  for container in $(compose ps --all --quiet "$@" 2>/dev/null); do
    docker ps --all --quiet --no-trunc --filter "id=$container" --filter label=com.docker.compose.oneoff=False
  done
}

# The running API of this stack; nothing when it does not run.
api_container() {
  local container
  container=$(stack_containers api)
  [[ -z $container ]] || docker ps --quiet --no-trunc --filter "id=$container"
}

# stack_cli COMMAND…: in the running API, or in a container of its own on the same volumes while the API is stopped. What a start would
# migrate is asked of the image that would be started, which need not be the one at work.
stack_cli() {
  local container=''
  [[ ${1:-} == migrations ]] || container=$(api_container)
  if [[ -n $container ]]; then
    docker exec -i "$container" node apps/api/src/cli.ts "$@"
  else
    compose run --rm --no-deps -T api node apps/api/src/cli.ts "$@"
  fi
}
