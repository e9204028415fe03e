#!/bin/sh
# PgBouncer knows passwords from a file alone, in which a quote is doubled.
set -eu
umask 077
printf '"heddle" "%s"\n' "$(printf %s "$PGPASSWORD" | sed 's/"/""/g')" >/tmp/userlist.txt
exec pgbouncer /etc/pgbouncer/pgbouncer.ini
