#!/bin/sh
# Gradescope runs this once, as root, when it makes the image of the autograder: it installs gridjudge and the compilers
# of the course.
set -eu

# The address of the files of a release. Write it here, or put the program into this folder, as `gridjudge`.
GRIDJUDGE=${GRIDJUDGE:-}
SOURCE=${SOURCE:-/autograder/source}
BIN=${BIN:-/usr/local/bin}
PACKAGES=${PACKAGES-curl gcc g++ python3}

if [ -n "$PACKAGES" ]; then
    apt-get update
    # shellcheck disable=SC2086 -- these are words
    apt-get install -y --no-install-recommends ca-certificates $PACKAGES
fi
if [ -f "$SOURCE/gridjudge" ]; then
    install "$SOURCE/gridjudge" "$BIN/gridjudge"
    exit
fi
: "${GRIDJUDGE:?is not set: write the address of a release into setup.sh}"
cd "$SOURCE"
program=gridjudge-$(uname -m)-linux
curl -fsSL --remote-name-all "$GRIDJUDGE/$program" "$GRIDJUDGE/SHA256SUMS"
sha256sum --check --ignore-missing SHA256SUMS
install "$program" "$BIN/gridjudge"
