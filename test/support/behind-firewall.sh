#!/bin/sh -e
# Usage: behind-firewall.sh <ports> <program> [arguments]. Runs a program within `unshare --net`, in a network that has
# only loopback. The rules of deploy/nftables.conf limit the connections to these ports.
PATH=$PATH:/usr/sbin:/sbin
ports=$1
shift
ip link set lo up
sed "s/^define PORTS = .*/define PORTS = { $ports }/" "$(dirname "$0")/../../deploy/nftables.conf" | nft --file -
exec "$@"
