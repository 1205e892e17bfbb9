#!/usr/bin/env bash
# Runs everything that needs a card, in under three minutes, and writes what was found: shell/probe/verify.sh [FOLDER].
# probe.json is the report, layer.json the comparison with the estimate, log.txt what was said. Changes no setting of
# the card. tests/cli/probe_test.py reads the reports back: XUANKA_PROBE_REPORT=FOLDER/probe.json.
set -u
cd "$(dirname "$0")/../.."
OUT=${1:-probe-report}
CLI=${XUANKA_CLI:-build-cuda/xuanka}
mkdir -p "$OUT" || exit 3
exec > >(tee "$OUT/log.txt") 2>&1

step() { printf '\n== %s\n' "$*"; }
failed=0
check() { # NAME COMMAND...
  local name=$1 begin=$SECONDS
  shift
  step "$name"
  if "$@"; then
    echo "ok, $((SECONDS - begin)) s"
  else
    echo "FAILED: $name (status $?)"
    failed=1
  fi
}

[ -x "$CLI" ] || { echo "no $CLI: ./dev build --cuda first" && exit 2; }
command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,utilization.gpu,memory.used --format=csv
cat >"$OUT/request.json" <<'JSON'
{"version": 1, "workload": {"kind": "train", "model": {"id": "llama-2-7b"}, "seq_len": 2048, "micro_batch": 1}}
JSON

measure() { timeout 110 "$CLI" probe --quick --time-limit 90 --verify "$OUT/request.json" --json >"$OUT/probe.json"; }
show() { "$CLI" probe --from "$OUT/probe.json"; }
overlay() { "$CLI" probe --from "$OUT/probe.json" --overlay >"$OUT/overlay.json" && "$CLI" check "$OUT/overlay.json"; }
# The estimate says that its constants were measured here.
estimate() {
  local gpu
  gpu=$(sed -n 's/.*"gpu":"\([a-z0-9.-]*\)".*/\1/p' "$OUT/overlay.json")
  "$CLI" rank --model llama-2-7b --kind lora --data 50M --gpu "$gpu" --count 1 --overlay "$OUT/probe.json" --json |
    tee "$OUT/estimate.json" | grep -q measured_here
}
# A second run beside the first: shared cards are noticed, nothing breaks.
beside() {
  "$CLI" probe --quick --time-limit 10 --json >/dev/null &
  local other=$! status
  sleep 3
  timeout 30 "$CLI" probe --quick --time-limit 3 --json >"$OUT/shared.json"
  status=$?
  wait "$other"
  return $status
}

check "measure" measure
check "show" show
check "overlay" overlay
check "estimate with it" estimate
check "two at once" beside
step "read back"
XUANKA_CLI=$CLI XUANKA_SOURCE_DIR=$PWD XUANKA_PROBE_REPORT=$OUT/probe.json python3 tests/cli/probe_test.py Report || failed=1
step "$([ $failed = 0 ] && echo "all good" || echo "something failed") after $SECONDS s, in $OUT"
exit $failed
