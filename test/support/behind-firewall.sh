#!/bin/sh -e
# Runs a program in a network of its own: behind-firewall.sh <ports> <program> [arguments], within `unshare --net`. It has
# loopback only, where deploy/nftables.conf bounds the connections to these ports.
PATH=$PATH:/usr/sbin:/sbin
ports=$1
shift
ip link set lo up
sed "s/^define PORTS = .*/define PORTS = { $ports }/" "$(dirname "$0")/../../deploy/nftables.conf" | nft --file -
exec "$@"
