#!/bin/sh
# SPDX-License-Identifier: MIT
# One seed of an array job: sbatch --array=1-64 slurm.sh DIR [OPTION...]
#SBATCH --job-name=soak
#SBATCH --ntasks=1
#SBATCH --requeue
#SBATCH --open-mode=append
dir=$1
shift
exec qemu/soak run --seed "$SLURM_ARRAY_TASK_ID" --once \
  --out "$dir/seed-$SLURM_ARRAY_TASK_ID" "$@"
