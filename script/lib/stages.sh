# Functions that run the stages of a check one after the other and print a table at the end. Sourced by script/test and script/check.
# shellcheck shell=bash

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT

stage_lines=()
failed_stage=''

# stage NAME COMMAND…: runs the command unless an earlier stage has failed. The command runs in a subshell: a variable that it sets or exports does
# not reach later stages, so a stage leaves files or installed programs only.
stage() {
  local name=$1 began=$EPOCHREALTIME result=passed
  shift
  if [[ -n $failed_stage ]]; then
    stage_lines+=("$(printf '%-20s  %-7s' "$name" 'not run')")
    return
  fi
  printf '\n── %s\n' "$name"
  attended "$@" || result=failed
  [[ $result == passed ]] || failed_stage=$name
  stage_lines+=("$(printf '%-20s  %-7s  %6.1f s' "$name" "$result" "$(seconds_since "$began")")")
}

# skip NAME REASON: lists a stage that cannot run on this machine, with the reason.
skip() {
  printf '\n── %s\n%s\n' "$1" "$2"
  stage_lines+=("$(printf '%-20s  %-7s' "$1" 'skipped')")
}

# seconds_since TIME: prints the seconds since TIME, a value of EPOCHREALTIME. The decimal sign of such values depends on the locale.
seconds_since() { awk -v from="${1/,/.}" -v to="${EPOCHREALTIME/,/.}" 'BEGIN { printf "%.1f", to - from }'; }

unit_tests() {
  npx vitest run --reporter=default --reporter=json --outputFile.json="$reports/vitest.json" "$@"
}

# Runs the component tests in the browser of chromium_path.
component_tests() {
  npx vitest run --project components --reporter=default --reporter=json --outputFile.json="$reports/components.json"
}

browser_tests() {
  PLAYWRIGHT_JSON_OUTPUT_FILE=$reports/playwright.json npx playwright test --reporter=list,json
}

# Prints the table, then the count as the last line; exits with 0 if everything passed.
finish() {
  printf '\n── summary\n'
  printf '%s\n' "${stage_lines[@]}"
  [[ -z $failed_stage ]] || say "Stopped at: $failed_stage. Its output is above."
  printf '\n'
  node script/lib/count-tests.ts ${failed_stage:+--failed} "$reports"/{vitest,components,playwright}.json
}
