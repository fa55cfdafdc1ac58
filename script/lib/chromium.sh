# The browser tests use Debian's browser, because closed networks cannot reach Playwright's download.
# shellcheck shell=bash

bring_chromium() {
  require_named_chromium
  chromium_is_there || install_chromium || die 'The browser tests need Chromium. Install it (apt-get install chromium-headless-shell, or chromium) or name one with CHROMIUM_PATH, then run this again.'
  "$(chromium_path)" --version ||
    die "$(chromium_path) does not run. Repair it (apt-get install --reinstall) or name another browser with CHROMIUM_PATH."
}

# Exits if CHROMIUM_PATH names a browser that does not exist.
require_named_chromium() {
  [[ -z ${CHROMIUM_PATH:-} ]] || chromium_is_there || die "CHROMIUM_PATH is $CHROMIUM_PATH, and no program is there."
}

chromium_is_there() { [[ -x $(chromium_path) ]]; }

# Prints the path of the browser. The tests call the same function, so all of them use the same browser.
chromium_path() { node apps/web/browser/chromium-path.ts; }

# If Debian has no headless engine, the full browser is installed.
install_chromium() {
  say "Installing Debian's Chromium."
  install_debian_packages chromium-headless-shell || install_debian_packages chromium
  chromium_is_there
}
