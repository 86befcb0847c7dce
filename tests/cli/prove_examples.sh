#!/bin/sh
# What is proved for all sizes of the kernels of examples/*.dpia, in all: tests/cli/prove_examples.sh LOCKSTEP.
# Fails where less than 95% of the bounds, races and initialisation is, or anything is refuted.
set -eu
lockstep=$1
for f in examples/*.dpia; do
  "$lockstep" prove "$f" --json || echo "{\"file\": \"$f\", \"ok\": false}"
done | python3 -c '
import json, sys
text, at, sums, rest, slow, bad = sys.stdin.read(), 0, {}, [], (0, ""), []
decoder = json.JSONDecoder()
while at < len(text):
    if text[at].isspace():
        at += 1
        continue
    report, at = decoder.raw_decode(text, at)
    if not report["ok"]: bad.append(report["file"])
    slow = max(slow, (report.get("seconds", 0), report["file"]))
    for kernel in report.get("kernels", []):
        for o in kernel["obligations"]:
            proved = o["verdict"] == "proved"
            s = sums.setdefault(o["kind"], [0, 0])
            s[0] += proved
            s[1] += 1
            if not proved: rest.append("  %s for %s: %s (%s): %s" % (report["file"], kernel["kernel_for"], o["obligation"], o["where"], o["verdict"]))
for kind, (proved, all) in sums.items(): print("%-15s %4d/%d" % (kind, proved, all))
print("\n".join(rest) if rest else "all proved")
print("slowest: %s, %.1f s" % (slow[1], slow[0]))
main = [sums[k] for k in ("bounds", "races", "initialisation")]
ok = not bad and sum(p for p, n in main) >= 0.95 * sum(n for p, n in main)
for f in bad: print("refuted or failed: " + f)
sys.exit(0 if ok else 1)
'
