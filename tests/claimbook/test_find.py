"""Finding claims: words as printed, pasted sentences, and what a reviewer would type."""

from pathlib import Path

import pytest

from claimbook.find import search, signature, stems
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
ABOUT = "Nobody\nOf graphs"  # the authors, then the title of the paper
CLAIMS = [(Claim(i, "a", "number", *texts, "rounded"), ABOUT) for i, texts in ROWS.items()]
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
    "a:3": ["1682"],
    "a:4": ["Tables 1 and 3", "Figure 5", "Fig. 5(b)", "cluster", "E(G+g)", "Figs. 4 and 5"],
    "a:table-3:late": ["late, Table 3", "ε = 0.6", "ϵ=0.6", "eps 0.6", "Nobody, 0.6", "table-3:"],
    "a:1 a:2 a:4 a:table-3:late": ["Table 3", "Table 3 of graphs"],
}
NEAREST = {  # what no row has -> the query, and the rows that are near
    '"clust"': ("clust", "a:4"),
    '"clutser"': ("clutser", "a:4"),
    '"clattered"': ("clattered", ""),
    '"168"': ("168", ""),
    '"Table 4"': ("Table 4, k = 9", "a:1"),
    '"table 4"': ("Tabel 4", ""),
    '"Tabel"': ("Tabel 3, k = 9", "a:1"),
    '"Thm. 3"': ("Thm. 3", ""),
    '"Fig. 3(c)"': ("Fig. 3(c), k = 9", "a:1"),
    '"n = 1,682"': ("n = 1,682", "a:3"),
    '"Lemma 3"': ("Lemma 3 (users)", "a:4"),
    '"Lemma" or "A.3"': ("Lemma A.3, users", "a:4"),
    '"Section 6"': ("Section 6", "a:table-3:late"),  # in which 6.2 is
    '"Table 1.2"': ("Table 1.2", ""),
    '"Tables 7"': ("Tables 1 and 7", "a:4"),
    '"k = 900"': ("Table 3, k = 900", "a:1 a:2 a:4 a:table-3:late"),
    "all of this": ("Table 3 1,682", "a:1 a:2 a:4 a:table-3:late"),
}


@pytest.mark.parametrize(
    ("query", "expected"), [(query, rows) for rows, asked in FINDS.items() for query in asked]
)
def test_search_takes_words_as_printed(query, expected):
    result = search(CLAIMS, query)
    assert (" ".join(result.ids), result.missing) == (expected, "")


@pytest.mark.parametrize(("missing", "query", "near"), [(m, *pair) for m, pair in NEAREST.items()])
def test_what_no_row_has_is_said_before_the_nearest_rows(missing, query, near):
    result = search(CLAIMS, query)
    assert (" ".join(result.ids), result.missing) == (near, f"no row has {missing}")


@pytest.mark.parametrize("query", ["", " , ", "()"])
def test_a_query_without_a_word_is_refused(query):
    assert search(CLAIMS, query).ids == []
    assert "no word or number" in search(CLAIMS, query).missing


def test_a_pasted_sentence_finds_the_row_that_restates_it():
    words = SENTENCE.split()
    whole = [SENTENCE, f"{SENTENCE}.", " ".join(words[:8]), " ".join(words[-9:])]
    whole += [SENTENCE.replace("first", "ﬁrst").replace("ten", "ten \n")]
    for text in whole:
        assert search(CLAIMS, text).ids == []
        assert search(CLAIMS, text, SIGNED) == (["a:2"], "")
    message = f"As was said in Table 12 before: {SENTENCE}"
    assert search(CLAIMS, message, SIGNED).ids == ["a:2"]
    assert '"Table 12"' in search(CLAIMS, message, SIGNED).missing
    assert search(CLAIMS, f"poem {' '.join(f'other{i}' for i in range(9))}", SIGNED).ids == []


def test_a_signature_lends_no_number_to_a_place():
    signed = {"a:1": signature("Of nine tables we show the ninth, 9, and a figure")}
    for query in ("Table 9", "Figure 9", "nine figure 9"):
        assert "9" in search(CLAIMS, query, signed).missing, query


def test_what_comes_close_is_told_where_nothing_is_found():
    for query in ("a:tabel-3:late", "a:table-3:lat", "random letters, said nobody ever in vain"):
        result = search(CLAIMS, query, SIGNED)
        assert result.missing
        assert result.ids[:1] == (["a:2"] if "random" in query else ["a:table-3:late"])
    assert search(CLAIMS, "xyzzy", SIGNED) == ([], 'no row has "xyzzy"')


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
    """All claims of the papers with their authors and titles, and their signatures."""
    about = {key: f"{paper.authors} {paper.year}\n{paper.title}" for key, paper in papers().items()}
    signed = {}
    for paper in papers().values():
        signed |= read_signatures(paper)
    return [(claim, about[claim.paper]) for claim in published_claims()], signed


@pytest.mark.parametrize("query", QUERIES)
def test_what_a_reviewer_types_finds_the_row(ledger, query):
    assert QUERIES[query] in search(ledger[0], query, ledger[1]).ids[:5]


# Places that no paper has, or that are written in another way.

PLACES = {
    "Theorem 9": "",
    "Table 12": "",
    "Figure 40": "",
    "Eq. (4)": "",
    "Lemma A.9": "",
    "Lemma 5.3": "smooth:lemma-5.3:printed smooth:lemma-5.3:repaired",
    "lemmas 5.3": "smooth:lemma-5.3:printed smooth:lemma-5.3:repaired",
    "social Theorem 2": "social:theorem-2:sequential",
    "Jorgensen, theorem 2": "social:theorem-2:sequential",
    "Eqs. (5)": "social:equation-5:linear-sum social:equation-5:upper-bound",
}


@pytest.mark.parametrize("query", PLACES)
def test_the_number_of_a_place_is_never_another_one(ledger, query):
    result = search(ledger[0], query, ledger[1])
    assert " ".join(result.ids) == PLACES[query]
    assert bool(result.missing) == (not PLACES[query])


def test_a_word_that_no_row_has_is_told_first(ledger):
    result = search(ledger[0], "quantum", ledger[1])
    assert result.missing == 'no row has "quantum"'
    assert result.ids
