"""Whether halo's counters are those of Nsight Compute, and the emulator's predictions those of the hardware.

    counters.py HALO PICTURE

For each path of the device cuda, `halo --bench --counters` counts a run; ncu counts the kernels of the same
run in another process; both must say the same of requests, wavefronts and sectors.  Then `halo --explain
--counters` sets predictions beside counts, which must agree where that can be promised: in what a
kernel asks for.  Prints a line for each path; exit status 1 where something differs."""

import csv
import io
import json
import subprocess
import sys

# Where both count the same events, but not to the last of them: a wavefront may wait for one of another
# kind, which counts as a conflict and depends on time, and what is written to memory may stay in the L2.
LOOSE = {"shared_load_wavefronts": 0.02, "shared_store_wavefronts": 0.02, "dram_bytes_read": 0.05,
         "achieved_occupancy": 0.05}
UNSTEADY = {"shared_load_conflicts", "shared_store_conflicts", "dram_bytes_written"}
# ncu empties the caches before each kernel, and tells each one's occupancy: comparable where there is one.
ONE_KERNEL = {"dram_bytes_read", "achieved_occupancy"}
# How far a count may lie from its prediction: of the conflicts that depend on time nothing is predicted.
PREDICTED = {"global_load_requests": 0.001, "global_load_sectors": 0.01, "global_store_requests": 0.001,
             "global_store_sectors": 0.01, "shared_load_requests": 0.001, "shared_store_requests": 0.001,
             "shared_load_wavefronts": 0.05, "shared_store_wavefronts": 0.05, "texture_requests": 0.001,
             "texture_sectors": 0.01}


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout


def ncu_count(halo, path, picture, metrics):
    """Sums over the kernels of a band's first launch: up to the first that comes again."""
    told = run("ncu", "--clock-control", "none", "--cache-control", "all", "--csv", "--print-units", "base",
               "--kernel-name", "regex:convolve|margins|spread", "--launch-count", "3",
               "--metrics", ",".join(metrics), halo, "--bench", "-D", "cuda", "-p", path, "--format=csv", picture)
    table = told[told.index('"ID"'):]
    kernels = {}
    for row in csv.DictReader(io.StringIO(table)):
        kernel = kernels.setdefault(row["ID"], {"name": row["Kernel Name"]})
        kernel[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
    sums, seen = dict.fromkeys(metrics, 0.0), set()
    for kernel in kernels.values():
        if kernel["name"] in seen:
            break
        seen.add(kernel["name"])
        for metric in metrics:
            sums[metric] += kernel[metric]
    return sums, len(seen)


def close(mine, theirs, share):
    return abs(mine - theirs) <= share * max(mine, theirs)


def main():
    halo, picture = sys.argv[1:]
    report = json.loads(run(halo, "--bench", "-D", "cuda", "--counters", "--format=json", picture))
    metrics = report["counter_metrics"]
    wrong = False

    for row in report["rows"]:
        theirs, kernels = ncu_count(halo, row["path"], picture, list(metrics.values()))
        told = []
        for name, mine in row["counters"].items():
            other = theirs[metrics[name]]
            good = (name in UNSTEADY or (name in ONE_KERNEL and kernels > 1)
                    or close(mine, other, LOOSE.get(name, 0.001)))
            wrong = wrong or not good
            if not good or ((name in UNSTEADY or name in LOOSE) and mine + other > 0):
                told.append(f"{name} {mine:.6g} / {other:.6g}{'' if good else ' WRONG'}")
        print(f"{row['path']}: as ncu counts, of which not to the last event, halo / ncu: {', '.join(told)}")

    report = json.loads(run(halo, "--explain", "--counters", "--format=json", picture))
    for path in report["paths"]:
        predicted, counted = path["predicted"], path["counted"]
        ratios = []
        for name, share in PREDICTED.items():
            good = close(predicted[name], counted[name], share)
            wrong = wrong or not good
            if predicted[name]:
                ratios.append(f"{name} {counted[name] / predicted[name]:.4f}{'' if good else ' WRONG'}")
        print(f"{path['path']}: counted / predicted: {', '.join(ratios)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
