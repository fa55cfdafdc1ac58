# Installs Debian packages of programs that the tests need.
# shellcheck shell=bash

# Wait for the package lock and retry downloads: a machine that has just started often updates itself first, and a network may fail briefly.
apt_options=(-qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)

# install_debian_packages NAME…: fails without apt-get or passwordless root.
install_debian_packages() {
  command -v apt-get >/dev/null || return
  refresh_package_lists || return
  as_root env DEBIAN_FRONTEND=noninteractive apt-get "${apt_options[@]}" install -y --no-install-recommends "$@"
}

# Fails without passwordless root. Continues if a package source fails, because it may belong to another vendor and not be needed.
refresh_package_lists() {
  as_root true 2>/dev/null || return
  as_root apt-get "${apt_options[@]}" update || say 'Continuing with the existing package lists.'
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi
}

# bring_program NAME PACKAGE: installs the package if the program is missing.
bring_program() {
  command -v "$1" >/dev/null || install_debian_packages "$2" ||
    die "The tests need $1. Install it (apt-get install $2), then run this again."
}
