"""Finding claims: words as printed, pasted sentences, and what a reviewer would type."""

import pytest

from claimbook.find import search, signature, stems
from claimbook.rules import Claim, read_signatures
from pplab_papers.collection import papers, published_claims
from tests.claimbook.cases import cases

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


@pytest.mark.parametrize(("query", "expected"), cases("cases.txt", "finds"))
def test_search_takes_words_as_printed(query, expected):
    result = search(CLAIMS, query)
    assert (" ".join(result.ids), result.missing) == (expected, "")


@pytest.mark.parametrize(("query", "missing", "near"), cases("cases.txt", "nearest"))
def test_what_no_row_has_is_said_before_the_nearest_rows(query, missing, near):
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
    assert [search(CLAIMS, text, SIGNED).missing != "" for text in ("poem", "short poem")] == [1, 0]
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

QUERIES = dict(cases("queries.txt"))


@pytest.fixture(scope="module")
def ledger():
    """All claims of the papers with their authors and titles, and their signatures."""
    about, signed = {}, {}
    for key, paper in papers().items():
        about[key] = f"{paper.authors} {paper.year}\n{paper.title} {paper.address}"
        signed |= read_signatures(paper)
    return [(claim, about[claim.paper]) for claim in published_claims()], signed


@pytest.mark.parametrize("query", QUERIES)
def test_what_a_reviewer_types_finds_the_row(ledger, query):
    assert QUERIES[query] in search(ledger[0], query, ledger[1]).ids[:5]


# Places that no paper has, or that are written in another way.

PLACES = dict(cases("cases.txt", "places"))


@pytest.mark.parametrize("query", PLACES)
def test_the_number_of_a_place_is_never_another_one(ledger, query):
    result = search(ledger[0], query, ledger[1])
    assert " ".join(result.ids) == PLACES[query]
    assert bool(result.missing) == (not PLACES[query])
