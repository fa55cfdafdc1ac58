# The browser of the browser tests is Debian's own: Playwright's download is not reachable from closed networks.
# shellcheck shell=bash

# The headless engine, which takes two thirds of the time; if Debian has none, the full browser.
headless_shell=/usr/bin/chromium-headless-shell
whole_browser=/usr/bin/chromium

bring_chromium() {
  if [[ -n ${CHROMIUM_PATH:-} ]]; then
    [[ -x $CHROMIUM_PATH ]] || die "CHROMIUM_PATH is $CHROMIUM_PATH, and no program is there."
  else
    chromium_is_there || install_chromium || die 'The browser tests need Chromium. Install it (apt-get install chromium-headless-shell, or chromium) or name one with CHROMIUM_PATH, then run this again.'
    CHROMIUM_PATH=$chromium
  fi
  export CHROMIUM_PATH
  "$CHROMIUM_PATH" --version ||
    die "$CHROMIUM_PATH does not run. Repair it (apt-get install --reinstall) or name another browser with CHROMIUM_PATH."
}

# Sets `chromium` to the path found.
chromium_is_there() {
  for chromium in ${CHROMIUM_PATH:+"$CHROMIUM_PATH"} "$headless_shell" "$whole_browser"; do [[ ! -x $chromium ]] || return 0; done
  return 1
}

install_chromium() {
  say "Installing Debian's Chromium."
  install_debian_packages chromium-headless-shell || install_debian_packages chromium
  chromium_is_there
}
