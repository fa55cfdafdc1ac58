# The browser of the browser tests is Debian's own: Playwright's download is not reachable from closed networks.
# shellcheck shell=bash

export CHROMIUM_PATH=${CHROMIUM_PATH:-/usr/bin/chromium}

bring_chromium() {
  if [[ -x $CHROMIUM_PATH ]]; then
    "$CHROMIUM_PATH" --version && return
    die "$CHROMIUM_PATH does not run. Repair it (apt-get install --reinstall chromium) or name another browser with CHROMIUM_PATH."
  fi
  [[ $CHROMIUM_PATH == /usr/bin/chromium ]] || die "CHROMIUM_PATH is $CHROMIUM_PATH, and no program is there."
  install_chromium || die 'The browser tests need Chromium. Install it (apt-get install chromium) or name one with CHROMIUM_PATH, then run this again.'
}

install_chromium() {
  say "Installing Debian's chromium."
  install_debian_packages chromium
}
