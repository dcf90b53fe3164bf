"""Draw the README's pictures, from stored results and from screenshots: ``python docs/picture.py``.

The screenshots are those of ``make verify PYTEST_ARGS="-k browser"``.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from pplab.plots.draw import end_labels
from pplab.plots.style import COLOURS, SHADES, new_figure, style
from pplab_papers.collection import judged_claims, read_result
from pplab_papers.noise_graphs import paper

IMAGES = Path(__file__).parent / "images"
SCREENSHOTS = Path(__file__).parents[1] / "build" / "screenshots"


def risk(axes: Axes) -> None:
    """Printed means of SA_R beside the measured ones."""
    entries = [
        entry
        for entry in judged_claims(paper="noise-graphs")
        if entry.claim.id.startswith("noise-graphs:figure-2:p=")
    ]
    p = [float(entry.claim.conditions["p"]) for entry in entries]
    judged = [entry.judgement for entry in entries]
    measured = [next(t.value for t in j.trials if t.reading == j.reading) for j in judged]
    printed = [float(entry.claim.number) for entry in entries]
    axes.plot(p, measured, **style(0))
    red = COLOURS["red"]
    axes.plot(p, printed, linestyle="none", marker="s", markersize=11, mfc="none", mec=red)
    axes.annotate("measured on real MovieLens ratings", (0.055, 0.455), color="black")
    axes.annotate("□ printed in the paper", (0.015, 0.84), color="black")
    axes.set(
        title="Mean risk SA_R: true records over true and noise",
        xlabel="flip probability p",
        ylabel="mean sensitive attribute risk",
        ylim=(0, 1),
    )
    end_labels(axes, "more accurate", "more private")


def z_scores(axes: Axes) -> None:
    """Distance of Table 1's printed counts from what n users must give, for two n."""
    result = read_result("noise-graphs", "table1")
    assert result is not None, "run `make reproduce` first"
    table = result.frame.query("quantity == 'noise_edges'")
    printed = pd.Series({p: noise for p, (noise, _) in paper.LIKES_COUNTS.items()})
    for place, (users, rows) in enumerate(table.groupby("likes_users")):
        z = (rows["p"].map(printed) - rows["value"]) / rows["sd"]
        axes.plot(rows["p"], z, **style(1 - place))
        name = f"n = {users}, {('as printed', 'two digits swapped')[place]}"
        axes.annotate(name, ((0.06, 7.6), (0.17, 1.9))[place], color="black")
    axes.axhspan(-3, 3, color=SHADES["pale"], zorder=0)
    axes.annotate("chance: within 3", (0.005, -2.6), color=SHADES["ink"])
    axes.set(
        title="Table 1 needs no data to find its misprint",
        xlabel="flip probability p",
        ylabel="printed noise edges, in standard deviations",
        ylim=(-4, 11),
    )


def screenshot(axes: Axes, name: str) -> None:
    """What the browser test saw, its upper left part: small enough to be read in a README."""
    axes.imshow(plt.imread(SCREENSHOTS / f"{name}.png")[:505, :640])
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(True)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    for name in ("printed-and-measured", "notebook-and-ledger"):
        figure, (left, right) = new_figure(1, 2, width=11, height=4.2)
        if name == "printed-and-measured":
            risk(left)
            z_scores(right)
        else:
            screenshot(left, "04_what_the_neighbours_tell_widget_0")
            screenshot(right, "claims_page")
        figure.savefig(IMAGES / f"{name}.png", dpi=110, metadata={"Software": None})
        plt.close(figure)
        print(IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
