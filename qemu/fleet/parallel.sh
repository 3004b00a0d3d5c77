#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Seeds over ssh: parallel.sh NODES A-B DIR [OPTION...], see README.md.
set -eu
nodes=$1 seeds=$2 out=$3
shift 3
root=$(cd "$(dirname "$0")/../.." && pwd)
ssh=${PARALLEL_SSH:-ssh}
export PARALLEL_SHELL=/bin/sh  # A login without $SHELL would run nothing.
mkdir -p "$out"

# A run that failed or was cut short is not what ends the others.
seq "${seeds%-*}" "${seeds#*-}" |
  parallel --sshloginfile "$nodes" --workdir "$root" --retries 2 \
    --joblog "$out/jobs.log" --quote \
    qemu/soak run --seed {} --once --out build/fleet/seed-{} "$@" || true

# Each machine's results, to a folder named after it.
sed 's/#.*//; s|^[0-9]*/||; /^ *$/d' "$nodes" | while read -r login; do
  mkdir -p "$out/$login"
  $ssh "$login" "cd '$root/build/fleet' && tar -cf - seed-*" </dev/null |
    tar -C "$out/$login" -xf - ||
    echo "parallel.sh: no result came from $login" >&2
done

"$root/qemu/soak" merge --seeds "$seeds" --out "$out" "$out"/*/
