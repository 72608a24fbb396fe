"""Which house rule makes sense over which variant, decided from the rule sheets.

For each house rule the variants over which it is refused: the code, a word of the reason, and the
two places that must be named. Over all others it is taken without a word, but for `TOLD`.
"""

from __future__ import annotations

from dataclasses import dataclass

VARIANTS = (
    *("classic", "classic-two", "classic-three", "classic-six", "american", "american-league"),
    *("samba", "bolivian", "brazilian", "chilean", "italian", "uruguayan", "uruguayan-wild"),
    *("british", "cuban", "kanasta", "hand-and-foot", "pennies-from-heaven", "pennies"),
    *("rummy-5000", "paston"),
)
OTHER_MACHINES = ("rummy-5000", "paston")
PLAIN = ("classic", "classic-two", "classic-three", "classic-six", "uruguayan", "british")
"""Classic but for the number of players, in all that house rules speak of."""
SAMBAS = ("samba", "bolivian", "brazilian", "chilean", "italian")
AMERICANS = ("american", "american-league")
HEAVENS = ("pennies-from-heaven", "pennies")


@dataclass(frozen=True)
class Refused:
    """code: of the error (or warning). says: stands in message or labels. base: the file, or its
    end, that is named beside the house rule's own.
    """

    code: str
    says: str
    base: str


def no_need(says: str, base: str) -> Refused:
    return Refused("MC0408", says, base)


def already(says: str, base: str) -> Refused:
    return Refused("MC0409", says, base)


PICKED_UP = "no canasta takes the pile here anyway"
FROZEN = "the pile is always frozen here"
ANOTHER_END = "this game names another end for an empty stock"

REFUSED: dict[str, dict[str, Refused]] = {
    "no-canasta-pickup": {  # HR-1
        **{v: no_need(PICKED_UP, "samba.yaml") for v in SAMBAS},  # SA-9
        **{v: no_need(PICKED_UP, "american.yaml") for v in AMERICANS},  # AM-11
        "cuban": no_need(PICKED_UP, "cuban.yaml"),  # CU-1: no meld has more than seven cards
        "pennies-from-heaven": no_need(PICKED_UP, "pennies-from-heaven.yaml"),  # PH-19
        "pennies": no_need(PICKED_UP, "pennies.yaml"),  # PN-2
    },
    "fewer-wilds": {},  # HR-2
    "canasta-cards-count": {  # HR-3: everywhere so already
        v: already("`canasta_cards` is so already", "canasta.rules")
        for v in VARIANTS
        if v not in OTHER_MACHINES
    },
    "canasta-cards-count=no": {},
    "keep-jokers": {},  # HR-4
    "open-before-pickup": {  # HR-5
        **{v: no_need("does not serve for the opening", "american.yaml") for v in AMERICANS},
        "brazilian": no_need("does not serve for the opening", "brazilian.yaml"),  # BR-2
    },
    "seven-canastas-win": {},  # HR-6
    "deal-size": {  # HR-7
        **{v: already("`hand_size` is so already", "american.yaml") for v in AMERICANS},
        **{
            v: already("`hand_size` is so already", f"{v}.yaml")
            for v in ("classic-three", "classic-six", "cuban", "pennies-from-heaven")
        },
        "pennies": already("`hand_size` is so already", "pennies-from-heaven.yaml"),
    },
    "deal-size=15": {
        "classic-two": already("`hand_size` is so already", "classic-two.yaml"),
        **{v: already("`hand_size` is so already", "samba.yaml") for v in SAMBAS},
    },
    "deal-size=by-players": {},
    "natural-pair-pickup": {  # HR-8
        **{v: already("`pile_frozen` is so already", "american.yaml") for v in AMERICANS},
        **{
            v: already("`pile_frozen` is so already", f"{v}.yaml")
            for v in ("italian", "uruguayan-wild", "cuban", "hand-and-foot")
        },
        "pennies": no_need("only with a natural pair here anyway", "pennies.yaml"),  # PN-2
    },
    "concealed-bonus": {  # HR-9
        v: already("`concealed_bonus` is so already", "canasta.rules")
        for v in (*PLAIN, "uruguayan-wild", "kanasta")
    },
    "three-wilds-any": {  # HR-10: CC-16 sets the same limit
        v: already("`wilds` of `set` in `melds` is so already", "classic.yaml")
        for v in (*PLAIN, "uruguayan-wild", "cuban", "hand-and-foot", *HEAVENS)
    },
    "recycle-pile": {  # HR-11
        "hand-and-foot": no_need(ANOTHER_END, "hand-and-foot.yaml"),  # HF-13
        **{v: no_need(ANOTHER_END, "pennies-from-heaven.yaml") for v in HEAVENS},  # PH-21
    },
    "no-pickup-when-opening": {  # HR-12
        "brazilian": already("`pile_in_opening` is so already", "brazilian.yaml")  # BR-2
    },
    "one-freeze": {  # HR-13
        **{v: no_need(FROZEN, "american.yaml") for v in AMERICANS},
        **{
            v: no_need(FROZEN, f"{v}.yaml")
            for v in ("italian", "uruguayan-wild", "cuban", "hand-and-foot")
        },
    },
    "exact-cut": {},  # HR-14
}

TOLD: dict[tuple[str, str], Refused] = {
    # Taken, with a warning: the same number at this table; hands too small for special hands.
    **{
        (v, "deal-size=by-players"): already("`hand_size` is so already", f"{v}.yaml")
        for v in ("classic", "classic-two", "classic-three")
    },
    **{
        (v, "deal-size=by-players"): already("`hand_size` is so already", "classic.yaml")
        for v in ("uruguayan", "uruguayan-wild", "british", "kanasta")
    },
    **{
        (v, "deal-size=by-players"): Refused("MC0617", "no hand has the 14 cards", "american.yaml")
        for v in AMERICANS
    },
}


def expected(variant: str, house: str) -> Refused | None:
    """What is said of a pairing; None: nothing, it is taken."""
    if variant in OTHER_MACHINES:
        return Refused("MC0407", "for another kind of game", "")
    return REFUSED[house].get(variant) or TOLD.get((variant, house))
