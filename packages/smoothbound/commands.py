"""The commands of certificates: make one as a file, and check one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Commands import what they need: `pplab --help` is to be there at once.

app = typer.Typer()
certificate_app = typer.Typer(help="Bounds on smooth k-anonymous copies, as files to check.")
app.add_typer(certificate_app, name="certificate", no_args_is_help=True)


@certificate_app.command("make")
def certificate_make(
    dataset: Annotated[str, typer.Argument(help="A data set: pplab data status names them.")],
    k: Annotated[int, typer.Argument(help="Smallest size of a group.")],
    file: Annotated[Path | None, typer.Option(help="Else build/DATASET-k.npz.")] = None,
) -> None:
    """Search for a certificate and write it to a file, which holds the rows of the table, too."""
    from pplab.checks import check_k
    from pplab.smooth.rows import distinct_rows
    from smoothbound.proof import save_certificate
    from smoothbound.symmetric import prove

    table = _table_of(dataset)
    proof = prove(table, distinct_rows(table), check_k(k, table.shape[0]))
    file = file or Path("build", f"{dataset}-{k}.npz")
    file.parent.mkdir(parents=True, exist_ok=True)
    save_certificate(proof, file)
    typer.echo(f"no smooth {k}-anonymous copy keeps more than {_upwards(proof.ratio)}: {file}")


def _table_of(dataset: str) -> "csr_array":
    from pplab.datasets.load import load_dataset

    if (table := load_dataset(dataset).biadjacency) is None:
        raise ValueError(f"{dataset} holds no table of ones; adult and dblp-2010 do, for example")
    return table


def _upwards(ratio: int) -> str:
    """The ratio of a certificate with six decimals, rounded upwards: more would not be proved."""
    from smoothbound.proof import BITS

    return f"{-(-ratio * 10**6 // 2**BITS) / 10**6:.6f}"


@certificate_app.command("check")
def certificate_check(
    file: Annotated[Path, typer.Argument(help="What pplab certificate make wrote.")],
    dataset: Annotated[
        str | None, typer.Option(help="Also check that it is about this data set.")
    ] = None,
) -> None:
    """Add up pairs of rows in whole numbers and see whether a certificate holds."""
    from smoothbound.proof import BITS, load_certificate, same_table, surplus

    proof = load_certificate(file)
    entries = proof.rows.astype(object) @ (proof.starts[1:] - proof.starts[:-1])
    if dataset is not None and not same_table(proof, _table_of(dataset)):
        raise ValueError(f"{file} is about another table than {dataset}")
    if proof.ratio < 2**BITS and surplus(proof) > 0:
        raise ValueError(f"{file} does not prove {_upwards(proof.ratio)}: its sums are above that")
    typer.echo(
        f"holds: no smooth {proof.k}-anonymous copy of these {proof.rows.sum():,} rows with "
        f"{entries:,} entries has a Jaccard similarity above {_upwards(proof.ratio)}"
    )
