# Programs that the tests need and npm does not bring, from Debian.
# shellcheck shell=bash

# install_debian_packages NAME…: fails where there is no apt-get or no way to become root without being asked.
install_debian_packages() {
  command -v apt-get >/dev/null || return
  local as_root=()
  if ((EUID != 0)); then
    sudo -n true 2>/dev/null || return
    as_root=(sudo -n)
  fi
  # A machine that has just started often updates itself first, and a network may miss a beat.
  local options=(-qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  # One source of many that fails, perhaps of another vendor, need not be the one that is wanted.
  "${as_root[@]}" apt-get "${options[@]}" update || say 'Going on with the lists of packages that are there.'
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install -y --no-install-recommends "$@"
}

# bring_program NAME PACKAGE: when it is not there.
bring_program() {
  command -v "$1" >/dev/null || install_debian_packages "$2" ||
    die "The tests need $1. Install it (apt-get install $2), then run this again."
}
