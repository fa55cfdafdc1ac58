# The browser tests use Debian's browser, because closed networks cannot reach Playwright's download.
# shellcheck shell=bash

# The headless engine is preferred, because the tests take two thirds of the time in it. If Debian has none, the full browser is installed.
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

# Sets `chromium` to the path of the browser.
chromium_is_there() {
  for chromium in ${CHROMIUM_PATH:+"$CHROMIUM_PATH"} "$headless_shell" "$whole_browser"; do [[ ! -x $chromium ]] || return 0; done
  return 1
}

install_chromium() {
  say "Installing Debian's Chromium."
  install_debian_packages chromium-headless-shell || install_debian_packages chromium
  chromium_is_there
}
