# The tests of the job-card store use Debian's MariaDB. Only its programs are installed; no service is configured or started, because the tests
# run their own server. JOBCARD_STORE_SERVER names another server.
# shellcheck shell=bash

bring_mariadb() {
  if [[ -n ${JOBCARD_STORE_SERVER:-} ]]; then
    "$JOBCARD_STORE_SERVER" --no-defaults --version && return
    die "JOBCARD_STORE_SERVER is $JOBCARD_STORE_SERVER, which does not run."
  fi
  mariadb_is_there || install_mariadb ||
    die "The tests of jobcard-store need MariaDB. Install it (apt-get install mariadb-server-core mariadb-client) or name a server with JOBCARD_STORE_SERVER, then run this again."
  /usr/sbin/mariadbd --no-defaults --version
}

mariadb_is_there() { [[ -x /usr/sbin/mariadbd ]] && command -v mariadb-install-db mariadb mariadb-dump >/dev/null; }

install_mariadb() {
  say "Installing Debian's MariaDB programs."
  install_debian_packages mariadb-server-core mariadb-client && mariadb_is_there
}
