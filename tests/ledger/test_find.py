"""Finding claims: words as printed, pasted sentences, and what a reviewer would type."""

import pytest

from pplab.ledger.find import matching, near, signature, stems
from pplab.ledger.registry import papers
from pplab.ledger.rules import Claim, published_claims, read_signatures

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

REVIEW = {
    "Table 2 agreeableness 0.1": "noise-graphs:table-2:agreeableness:p=0.1",
    "Table 2 agr 2.19": "noise-graphs:table-2:agreeableness:p=0.1",
    "Table 2 agreeableness 2.19": "noise-graphs:table-2:agreeableness:p=0.1",
    "Table 2 agreeableness": "noise-graphs:table-2:agreeableness:p=0.005",
    "Table 2, p = 0.1": "noise-graphs:table-2:gender:p=0.1",
    "epsilon 2.19": "noise-graphs:table-1:p=0.1:epsilon",
    "Theorem 2 user": "noise-graphs:theorem-2:bipartite-user",
    "quite precise": "noise-graphs:section-4.1:quite-precise",
    "p up to 0.1 barely reduced": "noise-graphs:section-4.1:barely-reduced",
    "Figure 3 degree above 10": "social:figure-3:lastfm:above-10",
    "NOU sensitivity highest degree": "social:section-5:nou-highest-degree",
    "sensitivity will be determined by": "social:section-5:nou-highest-degree",
    "highest degree": "social:section-5:nou-highest-degree",
    "recommendations essentially no better than random guessing": (
        "social:figure-4:nou-random:eps=1"
    ),
    "average rank of the workloads 1808": "social:section-6.3:workload-rank",
    "Table 3 adult smooth": "smooth:table-3:adult:smooth:jaccard",
    "Theorem 5.5": "smooth:theorem-5.5:as-printed",
    "Figure 4 lower variance": "smooth:figure-4:lower-variance",
    "Lemma A.1 iff": "smooth:lemma-A.1:iff",
    "completely random graph": "smooth:section-4:node-dp-random",
    "Table 1 k = 100 Movielens SSE": "microaggregation:table-1:movielens:column=13:sse",
    "almost one order of magnitude": "microaggregation:section-5.1:order-of-magnitude",
    "most similar users homogeneous": "microaggregation:section-3:most-homogeneous",
    "SSE at DR = 30 % 400K": "microaggregation:section-4:sse-at-30:noise",
    "growth pace of the SSE": "microaggregation:section-5.2:same-pace",
}
READER = {
    "agr 0.1 19.1": "noise-graphs:table-2:agreeableness:p=0.1",
    "ϵ ≥ 2.2": "noise-graphs:section-4.1:barely-reduced",
    "Thm. 1 bipartite": "noise-graphs:theorem-1:bipartite",
    "Def. 8, union of E1 and E2": "noise-graphs:definition-8:common-edges",
    "same SA_R for p = 0.1 and k = 4": "noise-graphs:section-4.2:p=0.1-equals-k=4",
    "Table 3 E(G⊕g) 227698": "noise-graphs:table-3:p=0.1:published-edges",
    "constant weight may facilitate identifying": "noise-graphs:section-4.2:constant-weight",
    "Eq. 5": "social:equation-5:linear-sum",
    "Fig. 2b loss < 0.1": "social:figure-2:loss-at-inf:cn",
    "Fig. 4 NOE equally as poor": "social:figure-4:noe-poor:eps=0.1",
    "drown out the true signal": "social:section-5.1.1:noe-drowns",
    "chaining Sybils GD": "social:section-2:sybil-gd",
    "46 clusters 2,986": "social:section-6.1:flixster:mean-size",
    "pertubation error dissapears": "social:section-5.1.2:noise-falls-with-size",
    "modularity formula, Eq. 8": "social:equation-8:as-printed",
    "Thm 4.1": "smooth:theorem-4.1:tail",
    "sharing sparse data privately is doomed": "smooth:abstract:doomed",
    "Cor. 4.2 polylogarithmic degree": "smooth:corollary-4.2:needs-log",
    "even twice better": "smooth:section-6:twice-in-some-cases",
    "82.6-aproximation lower-bounded r-median": "smooth:section-2:ahmadian-swamy",
    "max. standard deviation 2.2% playstore non-smooth": (
        "smooth:figure-3-5:largest-sd:playstore:non-smooth"
    ),
    "Table 2 σ = 4 SSE ML": "microaggregation:table-2:movielens:column=12:sse",
    "Casino Table 3 MDAV Jester 14.55": "microaggregation:table-3:jester:mdav:percent",
    "upper-bounded by 1/k": "microaggregation:section-3:dr-bound:protected-to-original",
    "movilens 943 users": "microaggregation:data:movielens:users",
}


@pytest.fixture(scope="module")
def ledger():
    """All claims of the papers with their authors, and their signatures."""
    authors = {key: paper.authors for key, paper in papers().items()}
    signed = {}
    for paper in papers().values():
        signed |= read_signatures(paper)
    return [(claim, authors[claim.paper]) for claim in published_claims()], signed


@pytest.mark.parametrize("query", [*REVIEW, *READER])
def test_what_a_reviewer_types_finds_the_row(ledger, query):
    assert (REVIEW | READER)[query] in matching(ledger[0], query, ledger[1])[:5]
