#!/usr/bin/env bash
# Private database servers to try things with by hand (and for bench/lang_soak.sh); campaigns start their own, see
# targets/sql.toml, whose settings these are. They live in DIR, listen on Unix sockets there and nowhere else,
# and keep nothing when they end. Whatever is not installed is left out.
#   sql_servers.sh start DIR    DIR/postgresql and DIR/mariadb then hold the sockets (PGHOST=DIR/postgresql, user assay;
#                               --socket=DIR/mariadb/socket, user root)
#   sql_servers.sh stop DIR
#   sql_servers.sh run DATABASE DIR FILE    FILE through sqlite, postgresql or mariadb; prints rows as tab-separated
#                               values with NULL for null; the first error ends the script with status 1
set -euo pipefail

postgresql_bin() { find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1; }
# PostgreSQL refuses to run as root.
as_server() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi; }

start_postgresql() {
  local dir=$1/postgresql bin
  bin=$(postgresql_bin)
  [ -n "$bin" ] || return 0
  mkdir -p "$dir"
  chmod 711 "$1"
  [ "$(id -u)" != 0 ] || chown postgres "$dir"
  # The C locale: text compares byte by byte.
  as_server "$bin/initdb" -D "$dir/data" -U assay --locale=C --encoding=UTF8 --auth=trust --no-sync >"$1/postgresql.log" 2>&1
  as_server "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -s -o "-c listen_addresses='' -c unix_socket_directories='$dir' -c fsync=off -c jit=off -c dynamic_shared_memory_type=mmap -c max_connections=40" start
}

start_mariadb() {
  local dir=$1/mariadb
  command -v mariadbd >/dev/null || [ -x /usr/sbin/mariadbd ] || return 0
  mkdir -p "$dir"
  PATH=$PATH:/usr/sbin mariadb-install-db --no-defaults --datadir="$dir/data" --auth-root-authentication-method=normal --user="$(id -un)" \
    --skip-test-db >"$1/mariadb.log" 2>&1
  # One that crashed is started again; `stop` removes the file that says so.
  touch "$dir/restart"
  (
    while [ -e "$dir/restart" ]; do
      PATH=$PATH:/usr/sbin mariadbd --no-defaults --datadir="$dir/data" --socket="$dir/socket" --pid-file="$dir/pid" --skip-networking \
        --user="$(id -un)" --innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=64M || sleep 0.2
    done
  ) >"$dir/log" 2>&1 9>&- &
  for _ in $(seq 100); do
    mariadb-admin --no-defaults --socket="$dir/socket" -u root ping >/dev/null 2>&1 && return 0
    sleep 0.1
  done
  echo "sql_servers: mariadbd does not answer: $(tail -n 3 "$dir/log")" >&2
  return 1
}

case ${1:-} in
  start)
    mkdir -p "$2"
    dir=$(cd "$2" && pwd)
    start_postgresql "$dir"
    start_mariadb "$dir"
    ;;
  stop)
    dir=$(cd "$2" && pwd)
    bin=$(postgresql_bin)
    [ ! -d "$dir/postgresql/data" ] || as_server "$bin/pg_ctl" -D "$dir/postgresql/data" -s -m immediate stop || true
    rm -f "$dir/mariadb/restart"
    [ ! -S "$dir/mariadb/socket" ] || mariadb-admin --no-defaults --socket="$dir/mariadb/socket" -u root shutdown || true
    ;;
  run)
    # A schema of its own for every run, so that runs do not meet ($$ would not do: campaigns run every command in a
    # process namespace of its own, and a run that was killed leaves its schema); a time limit in the server, which
    # would otherwise go on when the client is killed; the same session settings as the preludes of the
    # dialect profiles in grammars/sql/sql.lala.
    schema=assay_$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
    case $2 in
      sqlite) exec sqlite3 -batch -bail -noheader -separator $'\t' -nullvalue NULL -cmd 'PRAGMA case_sensitive_like = ON' :memory: <"$4" ;;
      postgresql)
        psql=(psql -h "$(cd "$3/postgresql" && pwd)" -U assay -d postgres -X -q -A -t -F $'\t' -P null=NULL -v ON_ERROR_STOP=1)
        status=0
        "${psql[@]}" -c "SET statement_timeout = '8s'" -c "CREATE SCHEMA $schema" -c "SET search_path TO $schema" -f "$4" || status=1
        "${psql[@]}" -c "SET client_min_messages = error" -c "DROP SCHEMA $schema CASCADE" || status=1
        exit $status
        ;;
      mariadb)
        mariadb=(mariadb --no-defaults --wait --socket="$(cd "$3/mariadb" && pwd)/socket" -u root -N -B)
        status=0
        {
          echo "SET max_statement_time = 8;"
          echo "SET optimizer_switch = 'split_materialized=off,derived_merge=off,materialization=off'; SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin;"
          echo "SET sql_mode = 'PIPES_AS_CONCAT,NO_UNSIGNED_SUBTRACTION,STRICT_ALL_TABLES';"
          echo "CREATE DATABASE $schema CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin; USE $schema;"
          cat "$4"
        } | "${mariadb[@]}" || status=1
        "${mariadb[@]}" -e "DROP DATABASE IF EXISTS $schema" || status=1
        exit $status
        ;;
      *)
        echo "sql_servers: no database '$2'" >&2
        exit 2
        ;;
    esac
    ;;
  *)
    sed -n '2,8s/^# \?//p' "$0" >&2
    exit 2
    ;;
esac
