# The test of the alert rules uses Debian's promtool. The package is unpacked and not installed, because its installation starts a Prometheus.
# shellcheck shell=bash

promtool_folder=node_modules/.cache/promtool

bring_promtool() {
  command -v promtool >/dev/null || [[ -x $promtool_folder/usr/bin/promtool ]] || unpack_promtool ||
    die 'The test of the alert rules needs promtool. Install it (the package prometheus of Debian), then run this again.'
}

unpack_promtool() {
  command -v apt-get dpkg-deb >/dev/null || return
  say "Fetching Debian's promtool."
  refresh_package_lists || say 'Continuing with the existing package lists.'
  mkdir -p "$promtool_folder"
  (cd "$promtool_folder" && apt-get -qq -o Acquire::Retries=3 download prometheus && dpkg-deb --extract prometheus_*.deb . && rm prometheus_*.deb)
}
