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
  "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}
