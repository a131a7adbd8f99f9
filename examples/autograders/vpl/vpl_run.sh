#!/bin/sh
# `Run` shows the student the same as `Evaluate`, on the samples only.
set -u
exec sh "$(dirname "$0")/vpl_evaluate.sh" --group sample
