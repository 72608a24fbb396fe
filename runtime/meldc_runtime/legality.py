"""Which plays are legal, and why others are not."""

from __future__ import annotations

from meldc_runtime import actions, machine
from meldc_runtime.cards import FACE
from meldc_runtime.forms import Form
from meldc_runtime.light import dataclass
from meldc_runtime.lookahead import Outlook, outlook_of
from meldc_runtime.lookahead.reasons import hindrances
from meldc_runtime.macros import steps
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Play, Reason, Refused, State

NO_MEANING = "no meaning"
"""Name of the reason against a text that stands for nothing in the position."""


def legal_plays(state: State) -> list[Play]:
    """The smallest plays that are legal, in the order of `candidates`; empty only when the deal is
    over.

    One for each kind of card. A play is left out where an earlier legal one bears the same text.
    """
    if state.over:
        return []
    outlook = outlook_of(state.table)
    last_resort = outlook.needs_last_resort(state)
    cut_offs = outlook.counts.cut_offs
    found: list[Play] = []
    for form in outlook.candidates.forms:
        if machine.in_phase(state, form.index):
            found.extend(_legal_of(outlook, state, form, last_resort))
    if outlook.counts.cut_offs > cut_offs:
        _add_witness(outlook, state, found)
    return _told_apart(outlook, state, found)


def _add_witness(outlook: Outlook, state: State, found: list[Play]) -> None:
    witness = outlook.witness(state)
    if witness is not None and witness not in found:
        found.append(witness)
        found.sort(key=lambda play: play.action)


def _told_apart(outlook: Outlook, state: State, plays: list[Play]) -> list[Play]:
    if not outlook.candidates.twins:
        return plays
    texts: set[str] = set()
    kept: list[Play] = []
    for play in plays:
        text = actions.text(state, play)
        if text not in texts:
            texts.add(text)
            kept.append(play)
    return kept


def _legal_of(outlook: Outlook, state: State, form: Form, last_resort: bool) -> list[Play]:
    plays = outlook.legal(state, form, last_resort)
    binding = _binding(state, form, plays)
    return [play for play in plays if not _breaks(state, play, binding)] if binding else plays


def _binding(state: State, form: Form, plays: list[Play]) -> tuple[str, ...]:
    """The soft rules that bind among the legal plays of an action: the longest series, weightiest
    first, that some play keeps.
    """
    for count in range(len(form.another), 0, -1):
        if any(not _breaks(state, play, form.another[:count]) for play in plays):
            return form.another[:count]
    return ()


def _breaks(state: State, play: Play, names: tuple[str, ...]) -> bool:
    return not set(names).isdisjoint(machine.soft_reasons(state, play, "another"))


def is_legal(state: State, play: Play) -> bool:
    """Whether a play may be made: a smallest one that is legal, or a larger one of which some order
    of smallest steps is legal.
    """
    return plan_of(state, play) is not None


def plan_of(state: State, play: Play) -> tuple[Play, ...] | None:
    """The smallest legal plays that make up a play, or None."""
    if state.over:
        return None
    return steps(state, play, _is_legal_step)


def _is_legal_step(state: State, play: Play) -> bool:
    return not _against(state, play).names


def why_illegal(state: State, play: Play) -> tuple[Reason, ...]:
    """The reasons against a play; empty when it is legal.

    Rules broken about the action; else about the kind of meld; else the rules that would keep the
    turn from being completed.
    """
    if state.over:
        return (Reason("over", "the deal is over"),)
    if plan_of(state, play) is not None:
        return ()
    against = _against(state, play)
    return (
        machine.reasons_for(against.state, against.env, against.names)
        if against.names
        else _in_steps()
    )


def names_against(state: State, play: Play) -> tuple[str, ...]:
    """The names of what speaks against a smallest play; empty where it is legal."""
    return _against(state, play).names


def plan(state: State, text: str) -> tuple[tuple[Play, ...] | None, tuple[Reason, ...]]:
    """The smallest legal plays that make up what a text means (of several meanings the first legal
    one), or None and the reasons.
    """
    if state.over:
        return None, (Reason("over", "the deal is over"),)
    readings = actions.parse(state, text)
    for play in readings:
        found = plan_of(state, play)
        if found is not None:
            return found, ()
    if not readings:
        return None, (Reason(NO_MEANING, f"`{text}` stands for nothing in this position"),)
    best = max((_against(state, play) for play in readings), key=lambda against: against.depth)
    return None, machine.reasons_for(
        best.state, best.env, best.names
    ) if best.names else _in_steps()


def _in_steps() -> tuple[Reason, ...]:
    return (Reason("steps", "there is no order in which these cards can be laid one by one"),)


@dataclass(frozen=True, slots=True)
class Against:
    """What speaks against a play. depth: how far it got before it was refused (more is nearer to
    legal). state: where sentences are true.
    """

    names: tuple[str, ...]
    depth: int
    state: State
    env: dict[str, object]


def _against(state: State, play: Play) -> Against:
    outlook = outlook_of(state.table)
    candidates = outlook.candidates
    env = machine.environment(state, play) or {x.Marker.PLAYER: state.player}
    names = machine.raw_reasons(state, play)
    if not names and candidates.late_broken(state, play):
        names = candidates.late_names(state, play)
    if names:
        return Against(names, 0, state, env)
    after = state.copy()
    after.blind = True
    try:
        machine.perform(after, play)
    except Refused as refused:
        names = tuple(str(reason) for reason in refused.reasons)
        return Against(names, 1, after, env | _as_it_lies(state, after))
    last_resort = outlook.needs_last_resort(state)
    if not outlook.allows(state, play, last_resort):
        return Against(hindrances(outlook, state, play, after, last_resort), 2, after, env)
    form = candidates.forms[play.action]
    if form.another:
        plays = outlook.legal(state, form, last_resort)
        binding = _binding(state, form, plays)
        broken = tuple(
            name for name in machine.soft_reasons(state, play, "another") if name in binding
        )
        return Against(broken, 3, state, env)
    return Against((), 4, state, env)


def _as_it_lies(before: State, after: State) -> dict[str, object]:
    """The names of the meld that a refused play has made, for sentences about its kind."""
    for side, melds in enumerate(after.melds):
        for meld in melds:
            if not any(meld is other for other in before.melds[side]):
                old = {other.serial: other for other in before.melds[side]}.get(meld.serial)
                new = list(meld.cards)
                for card in () if old is None else old.cards:
                    new.remove(card)
                return {x.Marker.MELD: meld, x.Marker.NEW: tuple(card & FACE for card in new)}
    return {}
