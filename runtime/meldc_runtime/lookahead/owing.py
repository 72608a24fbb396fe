"""Turns that cannot end before a certain card has been laid: made by the chains that lay it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from meldc_runtime import machine
from meldc_runtime.cards import FACE, RANK_OF, SUIT_OF, UNKNOWN
from meldc_runtime.lookahead.aims import NotKnown, Path
from meldc_runtime.lookahead.chains import Chain, Chains, TooManyError
from meldc_runtime.lookahead.footprints import ENDS, FLOW, footprint
from meldc_runtime.lookahead.ranges import PLAYER
from meldc_runtime.lookahead.search import CutOff, blinded, completed
from meldc_runtime.melds import standing_faces
from meldc_runtime.program import effects as e
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Moment
from meldc_runtime.program.nodes import walk
from meldc_runtime.state import Meld, Play, Refused, State

if TYPE_CHECKING:
    from meldc_runtime.forms import Form
    from meldc_runtime.lookahead.outlook import Outlook

TRIES = 8
"""Chains tried on the machine, and plays before each."""

SOON = 40
"""Positions searched for an end after a chain."""


class Owing:
    """Makes chains on the machine."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.table = outlook.table
        self.folding = outlook.table.folding
        self.layers = outlook.relaxed.layers
        self.slots = self._held_until_laid() if self.layers else set()
        if self.slots:
            self.chains = Chains(outlook.candidates, self.layers)
            self.zones = {
                part.source.zone for form in self.layers if form.lay for part in form.lay.parts
            }
            phases = {name for form in self.layers for name in form.action.phases}
            self.beside = [
                form for form in outlook.candidates.forms if self._is_beside(form, phases)
            ]
            self.is_strict = self._is_strict(phases)

    # ---- what the Program says
    def _held_until_laid(self) -> set[int]:
        """The slots of memories that hold a card until it is laid: nothing else in a turn changes
        them.
        """
        laying = {form.action.name for form in self.layers}
        program = self.table.program
        found: set[int] = set()
        for name, memory in self.table.memories.items():
            writers = [
                moment
                for moment in program.moments
                if moment.trigger.kind not in ("start", "end")
                and name in footprint(moment.effects).written
            ]
            if (
                memory.type == "card"
                and writers
                and all(
                    moment.trigger.kind == "after"
                    and set(moment.trigger.targets) <= laying
                    and self._is_about_laid(moment, name)
                    for moment in writers
                )
            ):
                found |= set(self.outlook.relaxed.slots({f"memory {name}"}))
        return found

    def _is_about_laid(self, moment: Moment, memory: str) -> bool:
        """Whether a moment happens only where the card that a memory holds is among those laid."""
        if moment.when is None:
            return False
        return any(
            isinstance(part, x.Member)
            and part.element == x.Remembered(memory, None)
            and all(part.source == x.Var(form.cards or "") for form in self.layers)
            for part in _conjuncts(self.folding.fold(moment.when))
        )

    def _is_beside(self, form: Form, phases: set[str]) -> bool:
        """Whether an action that may be played beside the layers takes cards from the hand, and
        does not end the turn.
        """
        return (
            form not in self.layers
            and not phases.isdisjoint(form.action.phases)
            and not self._only_ends_turn(form.action)
        )

    def _only_ends_turn(self, action: Action) -> bool:
        """Whether an action ends the turn and moves one card at the most."""
        cards = [param for param in action.params if param.type == "card"]
        return e.EndTurn() in action.effects and all(param.mode == "one" for param in cards)

    def _is_strict(self, phases: set[str]) -> bool:
        """Whether the turn ends by its end, or when the hand is empty, and in no other way; beside
        the layers cards leave the hand only for wild cards that stand for them.
        """
        program = self.table.program
        moments = [m for m in program.moments if m.trigger.kind not in ("start", "end")]
        return (
            not program.allowances
            and len(self.zones) == 1
            and all(self._is_exchange(form) for form in self.beside)
            and all(
                not footprint(moment.effects).flow or self._wants_no_hand(moment)
                for moment in moments
            )
            and not any(
                isinstance(node, (*FLOW, *ENDS)) and node != e.EndTurn()
                for action in program.actions
                if not phases.isdisjoint(action.phases)
                for node in walk(action.effects)
            )
        )

    def _is_exchange(self, form: Form) -> bool:
        """Whether an action puts one card beside a meld in which a wild card stands for it."""
        action = form.action
        rules = [rule for rule in self.table.program.rules if action.name in rule.actions]
        names = [param.name for param in action.params if param.type == "meld"]
        cards = [param.name for param in action.params if param.type == "card"]
        return (
            len(action.params) == 2
            and len(names) == len(cards) == 1
            and all(isinstance(effect, e.MoveCards) for effect in action.effects)
            and any(
                rule.requires
                == x.Member(x.Var(cards[0]), x.MeldAttr(x.Var(names[0]), "stands_for"), cards=True)
                and rule.when is None
                and rule.unless is None
                and not rule.soft
                for rule in rules
            )
        )

    def _wants_no_hand(self, moment: Moment) -> bool:
        """Whether a moment happens only where the hand is empty."""
        hand = x.ZoneCards(next(iter(self.zones)), PLAYER)
        return moment.when is not None and any(
            isinstance(part, x.Not)
            and isinstance(part.operand, x.Exists)
            and part.operand.source == hand
            and part.operand.where is None
            for part in _conjuncts(self.folding.fold(moment.when))
        )

    # ---- questions
    def path(self, state: State, last_resort: bool) -> Path | None:
        """Plays from a blind state that lay what must be laid and complete the turn; None where it
        cannot be laid. Raises NotKnown.
        """
        faces = self._owed(state)
        try:
            for face in faces:
                if self._cannot_lay(state, face) and self._keeps_cards(state):
                    return None
            if len(faces) == 1:
                found = self._made_of(state, last_resort, next(iter(faces)))
                if found is not None:
                    return found
        except TooManyError:
            pass
        raise NotKnown

    def _owed(self, state: State) -> set[int]:
        """The cards that must be laid before the turn can end."""
        if not self.slots:
            return set()
        broken = self.outlook.relaxed.broken(state)
        slots = [slots[0] for slots in broken if len(slots) == 1]
        return {state.memory[slot] for slot in slots if slot in self.slots} - {None}

    def _cannot_lay(self, state: State, face: int) -> bool:
        return next(self.chains.to(state, face), None) is None

    def _keeps_cards(self, state: State) -> bool:
        """Whether the hand surely keeps more than the last card: too many that are neither laid nor
        put beside a wild card. (What might go beside a wild card that is laid now could lie in its
        place.)
        """
        if not self.is_strict:
            return False
        slot = self.table.zone_slot(next(iter(self.zones)), state.player)
        hand = [card & FACE for card in state.zones[slot]]
        counts = {face: hand.count(face) for face in hand if face != UNKNOWN}
        may_leave = 1
        beside: set[int] = set()
        if self.beside:
            lying = [meld for side in state.melds for meld in side]
            beside = {face for meld in lying for face in standing_faces(meld)}
            free = [m for m in lying if self.table.program.kinds[m.kind].wilds_go != "stay"]
            may_leave += sum(meld.wilds for meld in free) * max(counts.values(), default=0)
        kept = hand.count(UNKNOWN)
        laid: list[int] = []
        for face, count in counts.items():
            if kept > may_leave:
                return True
            if face not in beside:
                if self._cannot_lay(state, face):
                    kept += count
                else:
                    laid.append(face)
        return kept > may_leave or self._wants_wild_cards(state, laid) > may_leave - kept

    def _wants_wild_cards(self, state: State, faces: list[int]) -> int:
        """How many wild cards, at the least, are wanting in hand to lay all these cards.

        A card that no chain without wild cards lays needs one in its meld, which holds cards of one
        rank or one suit: as many melds as cover all such cards.
        """
        if any(kind.shape not in ("same_rank", "run") for kind in self.table.program.kinds):
            return 0
        wild = self.table.wilds(state)
        slot = self.table.zone_slot(next(iter(self.zones)), state.player)
        held = sum(1 for card in state.zones[slot] if wild[card & FACE])
        needy = [
            face
            for face in faces
            if not wild[face] and next(self.chains.to(state, face, wilds=False), None) is None
        ]
        return cover(needy) - held

    def _made_of(self, state: State, last_resort: bool, face: int) -> Path | None:
        ways = list(itertools.islice(self.chains.to(state, face), TRIES))
        for before in (None, *self._starts(state)):
            for first, chain in ways:
                found = self._made(state, last_resort, before, first, chain)
                if found is not None:
                    return found
        return None

    def _starts(self, state: State) -> list[Play]:
        """Melds that might be begun before a chain: a card may be laid on others' melds only after
        one of the own.
        """
        candidates = self.outlook.candidates
        forms = [f for f in candidates.forms if f.starts and machine.in_phase(state, f.index)]
        return [
            play for form in forms for play in itertools.islice(candidates.of(state, form), TRIES)
        ]

    def _made(
        self, state: State, last_resort: bool, before: Play | None, first: Meld | None, chain: Chain
    ) -> Path | None:
        """The plays of a chain as the machine makes them, and an end of the turn, if there is one
        soon.
        """
        outlook = self.outlook
        now = blinded(state)
        path: list[Play] = []
        earlier = () if before is None else (before,)
        try:
            for play in itertools.chain(earlier, self.chains.plays(now, first, chain)):
                outlook.planner.apply(now, play)
                path.append(play)
                if completed(now, state.player, state.turn):
                    return tuple(path)
        except Refused:
            return None
        if outlook.is_sure(now):
            return tuple(path)
        try:
            rest = outlook.search.path(now, last_resort, limit=SOON)
        except CutOff:
            return None
        return None if rest is None else (*path, *rest)


def _conjuncts(node: x.Expr) -> tuple[x.Expr, ...]:
    return node.operands if isinstance(node, x.And) else (node,)


def cover(faces: list[int]) -> int:
    """The least number of ranks and suits to which all cards belong: as many as there are cards of
    which no two share either.
    """
    by_suit: dict[int, set[int]] = {}
    for face in faces:
        by_suit.setdefault(SUIT_OF[face] or 0, set()).add(RANK_OF[face] or 0)
    taken: dict[int, int] = {}

    def place(suit: int, tried: set[int]) -> bool:
        for rank in by_suit[suit] - tried:
            tried.add(rank)
            if rank not in taken or place(taken[rank], tried):
                taken[rank] = suit
                return True
        return False

    return sum(place(suit, set()) for suit in by_suit)
