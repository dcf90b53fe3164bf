"""Finding claims: words as printed, pasted sentences, and what a reviewer would type."""

from pathlib import Path

import pytest

from claimbook.find import matching, near, signature, stems
from claimbook.rules import Claim, read_signatures
from pplab_papers.collection import papers, published_claims

# What stands in the rows -> which of them a query finds.

ROWS = {
    "a:1": ("Table 3", "MovieLens, MDAV, k = 9, %MAE", "14.55"),
    "a:2": ("Table 3", "MovieLens, MDAV, k = 90, MAE", "2.91"),
    "a:3": ("Table 30, header", "k = 9.5", "1,682"),
    "a:4": ("Tables 1 and 3", "users", "Larger clusters lower E(G+g), in Figures 4 and 5(b)"),
    "a:table-3:late": ("Section 6.2", "epsilon = 0.6", "19,724"),
}
CLAIMS = [(Claim(i, "a", "number", *texts, "rounded"), "Nobody") for i, texts in ROWS.items()]
SENTENCE = (
    "Whoever draws ten thousand letters at random will hardly write a poem, be it ever so short"
)
SIGNED = {"a:2": signature(SENTENCE)}


FINDS = {  # rows, and what finds them alone
    "a:1": [
        *("k = 9", "K=9", "Table 3, k = 9", "k = 9 table 3", "Tab. 3, k = 9", "table 3, %mae"),
        *("a:1", " a:1\n"),
    ],
    "a:2": ["table 3 2.91"],
    "a:3": ["1682", "n = 1,682"],
    "a:4": ["Tables 1 and 3", "Figure 5", "Fig. 5(b)", "cluster", "clust", "clutser", "E(G+g)"],
    "a:table-3:late": ["late, Table 3", "ε = 0.6", "ϵ=0.6", "eps 0.6", "Nobody, 0.6", "table-3:"],
    "a:1 a:2 a:4 a:table-3:late": ["Table 3"],
    "": ["clattered", "g", "168", "Section 6", "able-3:", " , "],
}


@pytest.mark.parametrize(
    ("query", "expected"), [(query, rows) for rows, asked in FINDS.items() for query in asked]
)
def test_search_takes_words_as_printed(query, expected):
    assert " ".join(matching(CLAIMS, query)) == expected


def test_a_pasted_sentence_finds_the_row_that_restates_it():
    words = SENTENCE.split()
    pasted = [SENTENCE, f"As said before: {SENTENCE}.", " ".join(words[:8]), " ".join(words[-9:])]
    for text in (*pasted, SENTENCE.replace("first", "ﬁrst").replace("ten", "ten \n")):
        assert matching(CLAIMS, text) == []
        assert matching(CLAIMS, text, SIGNED) == ["a:2"]
    assert matching(CLAIMS, f"poem {' '.join(f'other{i}' for i in range(9))}", SIGNED) == []


def test_what_comes_close_is_told_where_nothing_is_found():
    for query in ("a:tabel-3:late", "a:table-3:lat", "random letters, said nobody ever in vain"):
        assert matching(CLAIMS, query, SIGNED) == []
        close = near(CLAIMS, query, SIGNED)
        assert close[:1] == (["a:2"] if "random" in query else ["a:table-3:late"])
    assert near(CLAIMS, "xyzzy", SIGNED) == []


def test_a_signature_holds_no_order_and_no_words():
    backwards = " ".join(reversed(SENTENCE.split()))
    assert signature(backwards) == signature(f"{SENTENCE} {SENTENCE}") == SIGNED["a:2"]
    hashes = [SIGNED["a:2"][i : i + 4] for i in range(0, len(SIGNED["a:2"]), 4)]
    assert hashes == sorted({*hashes})
    assert len(hashes) == len(stems(SENTENCE)) == 11


def test_each_stored_signature_is_of_a_row_and_hashed():
    for paper in papers().values():
        claims = {claim.id: claim for claim in published_claims() if claim.paper == paper.key}
        signed = read_signatures(paper)
        assert set(signed) <= set(claims)
        for name, text in signed.items():
            hashes = [text[i : i + 4] for i in range(0, len(text), 4)]
            assert hashes == sorted({f"{int(each, 16):04x}" for each in hashes}), name
            assert len(hashes) >= 4, name
        statements = [name for name, claim in claims.items() if claim.kind == "statement"]
        assert sum(name in signed for name in statements) >= 0.9 * len(statements)


# What a reader who holds a paper types -> a row among the first five.

LINES = Path(__file__).with_name("queries.txt").read_text(encoding="utf-8").splitlines()[1:]
QUERIES = dict(line.split(" -> ") for line in LINES)


@pytest.fixture(scope="module")
def ledger():
    """All claims of the papers with their authors, and their signatures."""
    authors = {key: paper.authors for key, paper in papers().items()}
    signed = {}
    for paper in papers().values():
        signed |= read_signatures(paper)
    return [(claim, authors[claim.paper]) for claim in published_claims()], signed


@pytest.mark.parametrize("query", QUERIES)
def test_what_a_reviewer_types_finds_the_row(ledger, query):
    assert QUERIES[query] in matching(ledger[0], query, ledger[1])[:5]
