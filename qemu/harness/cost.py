# SPDX-License-Identifier: MIT
"""What calls cost, read off a histogram that the firmware keeps."""

QUANTILES = (50, 90, 99)


def cost_summary(costs):
    """Percentiles in instructions; each is the end of its bucket."""
    total = sum(costs.counts)
    return {"name": costs.name, "calls": total, "step": costs.step,
            **{f"p{percent}": _quantile(costs, percent, total)
               for percent in QUANTILES},
            "max": _quantile(costs, 100, total)}


def _quantile(costs, percent, total):
    """What `percent` of the calls did not exceed; None of no calls."""
    seen = 0
    for bucket, count in enumerate(costs.counts):
        seen += count
        if count and 100 * seen >= percent * total:
            return costs.first + (bucket + 1) * costs.step - 1
    return None
