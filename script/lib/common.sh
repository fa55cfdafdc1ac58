# Shared by the scripts: working directory, Node, packages, web build. Sourced, never run.
# shellcheck shell=bash

set -euo pipefail
unset CDPATH # CDPATH could change the target of cd, and makes cd print
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

node_major=$(<.node-version)
stamps=node_modules/.stamps
# Node caches compiled and type-stripped code between starts, which halves the time to ready and saves 35 MB.
export NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-$PWD/node_modules/.cache/compiled}

say() { printf '%s\n' "$@"; }
die() {
  say "$@" >&2
  exit 1
}

# attended COMMAND…: runs the command in its own process group, forwards stop signals of this script to that group, and exits after it. Without
# the forwarding, a signal to the script alone would leave the command running. The command runs in a subshell, so variables that it sets are lost.
attended() {
  local child='' asked='' status=0 signal tries
  for signal in INT TERM HUP; do
    # shellcheck disable=SC2064 # the signal is expanded now, the child when the trap runs
    trap "asked=$signal; [[ -z \$child ]] || kill -$signal -- -\$child 2>/dev/null || true" "$signal"
  done
  set -m
  "$@" </dev/null &
  child=$!
  set +m
  wait "$child" || status=$?
  trap - INT TERM HUP
  [[ -n $asked ]] || return "$status"
  for ((tries = 0; tries < 200; tries++)); do
    kill -0 -- "-$child" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL -- "-$child" 2>/dev/null || true
  say 'Stopped.' >&2
  exit $((128 + $(kill -l "$asked")))
}

# in_turn FOLDER COMMAND…: waits for other scripts and runs the command under an exclusive lock of the folder. Child processes inherit the lock,
# so after a kill the next script waits until all child processes have ended. Without flock there is no lock.
in_turn() {
  local folder=$1 turn status=0
  shift
  exec {turn}<"$folder"
  flock --nonblock "$turn" 2>/dev/null || status=$?
  if ((status == 1)); then
    say "Waiting for another script that fetches, installs or builds in $(cd "$folder" && pwd)."
    attended flock "$turn"
  fi
  "$@"
  status=$?
  exec {turn}<&-
  return "$status"
}

# own_data_folder: locks the data folder until this process ends. Two starts would overwrite each other's logs, and on an empty store
# each would print a first password, one of them invalid. Without flock there is no lock.
own_data_folder() {
  local status=0
  exec {data_folder}<"$DATA_DIR/logs"
  flock --nonblock "$data_folder" 2>/dev/null || status=$?
  ((status != 1)) ||
    die "Another script/start or script/dev has $DATA_DIR. Stop it, or give this one its own DATA_DIR, API_PORT and WEB_PORT."
}

# help_of FILE: prints the first comment of a script, which is its help text.
help_of() { sed -n '2,/^[^#]/ { s/^# \{0,1\}//p }' "$1"; }

# --- Settings -----------------------------------------------------------------

# Every variable of the platform; each secret may also be given as <NAME>_FILE.
settings=(
  AUTOMATED_OUTREACH_ENABLED PROSPECT_ENV DATA_DIR LOG_LEVEL TRUST_PROXY PUBLIC_HOSTS
  API_HOST API_PORT WEB_HOST WEB_PORT API_URL SESSION_IDLE_MINUTES SESSION_ABSOLUTE_HOURS
  CSV_MAX_MEGABYTES JOB_EVENTS_KEEP_DAYS ADAPTERS_FILE
  PASSWORD_MEMORY_KIB PASSWORD_PASSES PASSWORD_LANES
  OIDC_NAME OIDC_ISSUER OIDC_CLIENT_ID OIDC_AUTHORIZATION_ENDPOINT OIDC_JWKS_FILE OIDC_JWKS_MAX_AGE_DAYS
  OIDC_ALGORITHMS OIDC_TRUSTED_AMR OIDC_TRUSTED_ACR
  METRICS_HOST METRICS_PORT IMAGE_DIGEST PROSPECT_REVISION
  BACKUP_DIR BACKUP_RECIPIENTS BACKUP_RECIPIENTS_FILE BACKUP_KEEP_DAYS BACKUP_KEEP_MONTHS BACKUP_COPY_TO BACKUP_HOOK
  BOOTSTRAP_ADMIN_EMAIL BOOTSTRAP_ADMIN_EMAIL_FILE BOOTSTRAP_ADMIN_PASSWORD BOOTSTRAP_ADMIN_PASSWORD_FILE
)

# Sets the defaults once for all started processes.
use_settings() {
  export DATA_DIR=${DATA_DIR:-data}
  export API_HOST=${API_HOST:-127.0.0.1} API_PORT=${API_PORT:-8000}
  export WEB_HOST=${WEB_HOST:-127.0.0.1} WEB_PORT=${WEB_PORT:-8080}
}

# Tests set their own environment; settings of the calling shell must not reach them.
forget_settings() { unset "${settings[@]}" NODE_ENV NODE_OPTIONS; }

# --- Node ---------------------------------------------------------------------

# Puts a sufficiently new Node first on PATH. If the installed Node is older, its npm downloads a newer one to a folder outside the repository.
use_node() {
  require_some_node
  node_is_new_enough node && return
  # Fall back to ~, which expands even if HOME is not set, as under a system timer.
  local home=${XDG_CACHE_HOME:-${HOME:-~}/.cache}/prospect-platform/node-$node_major
  node_is_new_enough "$home/node_modules/.bin/node" || attended bring_node "$home"
  export PATH=$home/node_modules/.bin:$PATH
}

require_some_node() {
  command -v node >/dev/null && command -v npm >/dev/null && return
  die 'Node and npm are required. On Debian: apt-get install nodejs npm'
}

# node_is_new_enough PROGRAM: also false if an incomplete install left the program missing or broken.
node_is_new_enough() {
  local major
  major=$("$1" --print 'process.versions.node.split(".")[0]' 2>/dev/null) && ((major >= node_major))
}

# bring_node HOME
bring_node() {
  mkdir -p "${1%/*}"
  in_turn "${1%/*}" bring_node_now "$1"
}

# Installs Node in a folder next to HOME, and moves the folder to HOME when the install is complete, so that an interrupted install is not used.
# Includes npm, because a distribution's npm may require the distribution's Node.
bring_node_now() (
  if node_is_new_enough "$1/node_modules/.bin/node"; then exit; fi
  say "Fetching Node $node_major into $1, once: this machine has $(node --version)."
  fresh=$1.$$
  trap 'rm -rf "$fresh"' EXIT
  mkdir -p "$fresh"
  (cd "$fresh" && npm install --prefix "$fresh" --no-save --no-audit --no-fund --loglevel=error \
    --ignore-scripts=false "node@$node_major" npm@11) ||
    die "Node $node_major could not be fetched; see the lines above. Check that the npm registry can be reached, then run this again."
  node_is_new_enough "$fresh/node_modules/.bin/node" ||
    die "The Node that npm fetched does not run on this machine. Install Node $node_major yourself, then run this again."
  rm -rf "$1"
  mv -T "$fresh" "$1"
)

# --- Packages and the web build -----------------------------------------------
# A stamp records the inputs of a completed step. Without a matching stamp the step runs again from the start.

install_packages() { packages_are_current || in_turn . install_packages_now; }

install_packages_now() {
  packages_are_current && return
  say 'Installing the packages of package-lock.json.'
  # Use --include=dev, because the build tools are needed even if NODE_ENV is production.
  attended npm ci --include=dev --loglevel=error ||
    die 'The packages could not be installed; see the lines above. Check that the npm registry can be reached, then run this again.'
  write_stamp packages "$(packages_fingerprint)"
}

packages_are_current() { stamp_is packages "$(packages_fingerprint)" && packages_are_there; }

# True if every package that npm recorded as installed exists. npm does not check this, and a missing package would end the start with a stack trace.
packages_are_there() {
  sed -n 's,^    "\(node_modules/[^"]*\)": {$,\1/package.json,p' node_modules/.package-lock.json 2>/dev/null |
    xargs -r -d '\n' ls >/dev/null 2>&1
}

packages_fingerprint() { { node --version && cat package-lock.json; } | sha256sum; }

build_web() { web_is_current || in_turn . build_web_now; }

build_web_now() {
  web_is_current && return
  require_path_that_builds
  say 'Building the web app.'
  local fingerprint output=$stamps/web.log
  fingerprint=$(web_fingerprint)
  mkdir -p "$stamps"
  rm -f "$stamps/web"
  # Sets NODE_ENV, because the shell's value would change the bundle.
  NODE_ENV=production attended npm run --silent build -w @prospect/web >"$output" 2>&1 ||
    die "$(<"$output")" '' 'The web app did not build; see the lines above.'
  write_stamp web "$fingerprint"
}

# Exits if the path of the clone contains # or ?, which Vite treats as the end of a path.
require_path_that_builds() {
  [[ $(pwd -P) != *[#?]* ]] ||
    die "The web app cannot be built in $(pwd -P): a path with # or ? leads to a wrong build. Move the clone to a path without them, then run this again."
}

web_is_current() { [[ -f apps/web/dist/index.html ]] && stamp_is web "$(web_fingerprint)"; }

# Hash of the sources and tools of the bundle, without build output and browser tests.
web_fingerprint() {
  find apps/web packages/api-client package-lock.json tsconfig.base.json \
    \( -name dist -o -name node_modules -o -path apps/web/browser \) -prune \
    -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum
}

# stamp_is NAME FINGERPRINT
stamp_is() { [[ -f $stamps/$1 && $(<"$stamps/$1") == "$2" ]]; }

# write_stamp NAME FINGERPRINT
write_stamp() {
  mkdir -p "$stamps"
  printf '%s\n' "$2" >"$stamps/$1"
}
