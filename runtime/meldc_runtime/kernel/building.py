"""Builds the module of a kernel: a function for every play there can be, the lists of legal plays
by phase, and quick tests whether the turn can be ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from meldc_runtime.cards import RANK_WORDS
from meldc_runtime.kernel.acting import BACK, Acting, Flow
from meldc_runtime.kernel.choices import Choice, Choices, argument
from meldc_runtime.kernel.coding import Code
from meldc_runtime.kernel.conditions import Names, broken, due
from meldc_runtime.kernel.functions import Function
from meldc_runtime.kernel.judging import Judge, Tops
from meldc_runtime.kernel.layout import Layout, NotLowered
from meldc_runtime.kernel.listing import Entry, write_group, write_groups
from meldc_runtime.kernel.possible import Possible
from meldc_runtime.kernel.reading import Reader
from meldc_runtime.kernel.terms import (
    NAMED,
    Holds,
    Number,
    Place,
    Truth,
    all_of,
    any_of,
    at,
    denied,
    forget,
    places,
    substituted_truth,
)  # fmt: skip
from meldc_runtime.kernel.text import place_text, truth_text
from meldc_runtime.kernel.values import Card, Cards, Player
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action
from meldc_runtime.program.effects import (
    Branch,
    Effect,
    EndTurn,
    ForEach,
    LayMeld,
    MoveCards,
    MoveCount,
    MoveUntil,
)  # fmt: skip
from meldc_runtime.writing.nodes import walk
from meldc_runtime.writing.writer import Writer


@dataclass(frozen=True, slots=True)
class Made:
    """A play as written: the name of its function, the action, its arguments (cards by kind)."""

    name: str
    action: int
    args: tuple[object, ...]


class Builder:
    """Builds for one layout. Raises NotLowered where the Program does not fit."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.table = layout.table
        self.program = self.table.program
        self.judge = Judge(layout)
        self.reader = self.judge.reader
        self.folding = self.judge.folding
        self.choices = Choices(layout, self.reader)
        self.writer = Writer()
        self.made: list[Made] = []
        self.names: set[str] = set()
        self.touched: dict[int, set[Place]] = {}
        self.targets: dict[int, set[tuple[int, int]]] = {}
        self.lays: dict[str, tuple[int, tuple[int, ...]]] = {}
        schedule = self.table.schedule
        if not schedule.has_turns:
            raise NotLowered("a game without turns")
        if any(schedule.moment_rules[i] for i in schedule.end_turn):
            raise NotLowered("rules about moments at the end of a turn")
        if any(one for index in range(len(self.program.actions)) for one in self._allowed(index)):
            raise NotLowered("allowances")
        for index in range(len(self.program.actions)):
            self.judge.phase_of(index)  # at once: what follows takes seconds

    def _allowed(self, action: int) -> Iterator[str]:
        """Allowances of an action that the settings do not switch off."""
        for name, _ in self.table.schedule.allowances[action]:
            one = next(each for each in self.program.allowances if each.name == name)
            if self.reader.folded(one.when) != x.Const(False, "yes_no"):
                yield name

    # ---- the module
    def build(self) -> str:
        """The source."""
        self._prepare()
        lists: dict[int, list[list[Entry]]] = {i: [] for i in range(len(self.program.phases))}
        for index, action in enumerate(self.program.actions):
            groups = self._plays(index, action)
            lists[self.judge.phase_of(index)].extend(groups)
        self._check_questions(lists)
        self._scan()
        for phase, groups in lists.items():
            self._list(phase, groups)
        for phase in lists:
            with self._function(f"sure_{phase}"):
                self.writer.line(f"return {truth_text(self.judge.sure_at(phase))}")
            with self._function(f"ending_{phase}"):
                self.writer.line(f"return {truth_text(self.judge.sure_at(phase, over=False))}")
            self._test(f"may_end_{phase}", self.possible(phase).completed())
        self._begin_turn()
        self.writer.line()
        self.writer.line()
        self.writer.line(f"LISTS = ({', '.join(f'list_{phase}' for phase in lists)},)")
        self._questions(lists)
        return self.writer.text()

    def _prepare(self) -> None:
        """Reads all conditions once, so that the sums and tallies they need are known."""
        for index in range(len(self.program.actions)):
            for choice, tops in self._possible(index):
                self.judge.base(index, choice.names, tops, choice.held)
        own: Names = {x.Marker.PLAYER: Player(0)}
        for index in self.table.schedule.scan:
            due(self.reader, self.program.moments[index], own)
        for name in self.table.schedule.end_rules:
            broken(self.reader, self.judge.rules[name], own)

    # ---- plays
    def _possible(self, index: int) -> Iterator[tuple[Choice, Tops]]:
        """The choices of an action, with the top cards that must be known to judge them."""
        form = self.choices.forms[index]
        if form.cards is not None and not form.starts and not form.adds:
            laid = self._top_laid(index)
            for top in range(self.layout.unknown):
                for choice in self.choices.of(index, top):
                    yield choice, {laid: Card(top)}
            return
        for choice in self.choices.of(index, None):
            zone = self.judge.top_read(index, choice.names)
            if zone is None:
                yield choice, {}
            else:
                yield from ((choice, {zone: Card(top)}) for top in range(self.layout.unknown))

    def _top_laid(self, index: int) -> str:
        """The list whose top card an action lays."""
        lay = self.choices.forms[index].lay
        for part in () if lay is None else lay.parts:
            if isinstance(part.cards, x.Top):
                return part.source.zone
        raise NotLowered("choices of several cards that are laid with no other")

    def _plays(self, index: int, action: Action) -> list[list[Entry]]:
        """Writes the plays of an action; entries for the list, in groups."""
        groups: dict[object, list[Entry]] = {}
        form = self.choices.forms[index]
        least = form.cards is not None and not form.starts and not form.adds
        smaller: list[tuple[Tops, tuple[int, ...], Truth]] = []
        found: list[tuple[Choice, Tops, Truth, Truth]] = []
        for choice, tops in self._possible(index):
            forget()
            legal, sure = self.judge.judged(index, choice.names, tops, choice.held)
            if legal is not False and least:
                assert form.cards is not None
                cards = argument(choice.names[form.cards])
                assert isinstance(cards, tuple)
                within = [t for top, c, t in smaller if top == tops and _within(c, cards)]
                smaller.append((tops, cards, legal))
                legal = all_of(legal, *map(denied, within))
            if legal is not False:
                found.append((choice, tops, legal, sure))
        if least:
            found.sort(key=lambda each: argument(each[0].names[form.cards]))  # type: ignore[arg-type,return-value,index]
        for number, (choice, tops, legal, sure) in enumerate(found):
            name = self._name(action, choice.names, tops, number)
            self._step(name, index, choice.names, tops, legal)
            args = tuple(argument(choice.names[param.name]) for param in action.params)
            if choice.lays is not None:
                self.lays[name] = choice.lays
            self.made.append(Made(name, index, args))
            key = (tuple(tops.items()), None if tops else choice.group)
            late = self.judge.late(index, choice.names)
            entry = Entry(name, legal, sure, dict(tops), late, choice.order)
            groups.setdefault(key, []).append(entry)
        return list(groups.values())

    def _name(self, action: Action, names: Names, tops: Tops, number: int) -> str:
        words = [action.name]
        for param in action.params:
            value = names[param.name]
            if isinstance(value, Card):
                words.append(f"k{value.kind}")
            elif isinstance(value, Cards):
                words.append("_".join(f"k{kind}x{n.constant}" for kind, n in value.by_kind))
            elif param.type == "rank":
                words.append(RANK_WORDS[value.constant])
            elif param.type.startswith("row:"):
                rows = self.table.tables[param.type[4:]].rows
                words.append(str(rows[value.constant].key))
            elif isinstance(value, bool):
                words.append("yes" if value else "no")
            elif not isinstance(value, Number):
                words.append(f"to_{argument(value)}")
        words += [f"on_k{card.kind}" for card in tops.values() if card is not None]
        name = "play_" + re.sub(r"\W", "_", "_".join(words))
        if name in self.names:
            name += f"_{number}"
        self.names.add(name)
        return name

    def _step(self, name: str, index: int, names: Names, tops: Tops, legal: Truth) -> None:
        with self._function(name):
            code = Code(Reader(self.layout, self.folding, None, tops), self.writer)
            acting = Acting(self.layout, code, legal)
            own = dict(names)
            acting.step(index, own)
            if not self._leaves(acting.flow):
                self.touched.setdefault(index, set()).update(code.touched)
                if acting.flow.target is not None:
                    self.targets.setdefault(index, set()).add(acting.flow.target)
            self._finish(acting, code, own, self.judge.phase_of(index))

    def _leaves(self, flow: Flow) -> bool:
        """Whether a step ends what the player can do in this turn."""
        if flow.ended is True or flow.ends_turn or flow.target == BACK:
            return True
        return flow.target is not None and (
            flow.target[1] != 0 or self.program.phases[flow.target[0]].begins_turn
        )

    def _finish(self, acting: Acting, code: Code, names: Names, phase_now: int) -> None:
        """Where the step leads."""
        flow = acting.flow
        if flow.ended is True:
            return
        if code.may_end:
            with self.writer.block("if s.over:"):
                self.writer.line("return")
        if flow.ends_turn:
            with self.writer.block("if s.blind:"):
                self.writer.line("s.ended = True")
                self.writer.line("return")
            for moment in self.table.schedule.end_turn:
                acting.moment(self.program.moments[moment], names)
            flow = acting.flow
            if flow.target is None or flow.ended is not False:
                raise NotLowered("a turn that leads nowhere, or ends the deal")
        if flow.target is None:
            return
        if flow.target == BACK:
            self.writer.line("s.phase, s.p = s.back")
            self.writer.line("s.back = None")
            return
        phase, step = flow.target
        begins = self.program.phases[phase].begins_turn
        if (step or begins) and not step % self.table.players:
            raise NotLowered("a turn after which the same player goes on")
        if step and not begins:
            self.writer.line(f"s.back = ({phase_now}, p)")
        self.writer.line(f"s.phase = {phase}  # {self.program.phases[phase].name}")
        if step:
            self.writer.line(f"s.p = (p + {step}) % {self.table.players}")
        if begins:
            self.writer.line("begin_turn(s)")

    def _function(self, name: str, more: str = "") -> Function:
        return Function(self.writer, f"{name}(s{more})", self.table.sides, bool(more))

    # ---- lists
    def _list(self, phase: int, groups: list[list[Entry]]) -> None:
        self._list_of(f"list_{phase}", str(phase), groups)

    def _list_of(self, name: str, label: str, groups: list[list[Entry]]) -> None:
        """The function that lists the legal plays of some groups; label: to name its parts by."""
        tables: list[tuple[str, list[str]]] = []
        for number, group in enumerate(groups):
            zone = next(iter(group[0].tops), None)
            if zone is None:
                continue
            part = f"list_{label}_{number}"
            with self._function(part, ", look, plays"):
                write_group(self.writer, group)
            card = group[0].tops[zone]
            if card is None:
                raise NotLowered("plays that need an empty list")
            free = next((t for t in tables if t[0] == zone and t[1][card.kind] == "None"), None)
            if free is None:
                free = (zone, ["None"] * self.layout.unknown)
                tables.append(free)
            free[1][card.kind] = part
        for number, (_, names) in enumerate(tables):
            self.writer.line()
            self.writer.line(f"LISTS_{label}_{number} = ({', '.join(names)})")
        with self._function(name, ", look"):
            self.writer.line("plays = []")
            done: set[str] = set()
            for zone, some in groupby(groups, lambda group: next(iter(group[0].tops), None)):
                if zone is None:
                    write_groups(self.writer, list(some))
                elif zone not in done:
                    done.add(zone)
                    numbers = [i for i, table in enumerate(tables) if table[0] == zone]
                    self._list_by_top(label, zone, numbers)
            self.writer.line("return plays")

    def _list_by_top(self, label: str, zone: str, numbers: list[int]) -> None:
        cards = self.layout.list_text(zone)
        with self.writer.block(f"if {cards}:"):
            for number in numbers:
                with self.writer.block(f"if LISTS_{label}_{number}[{cards}[-1]]:"):
                    self.writer.line(f"LISTS_{label}_{number}[{cards}[-1]](s, look, plays)")

    # ---- questions about plays to come
    def _reachable(self, phase: int) -> set[int]:
        """The actions that may come in a turn from a phase on."""
        phases = {phase}
        while True:
            actions = {
                i for i in range(len(self.program.actions)) if self.judge.phase_of(i) in phases
            }
            further = phases | {
                target[0]
                for action in actions
                for target in self.targets.get(action, ())
                if target != BACK and not target[1]
            }
            further = {p for p in further if p == phase or not self.program.phases[p].begins_turn}
            if further == phases:
                return actions
            phases = further

    def plans(self, phase: int) -> bool:
        """Whether all melds that may still be laid in a turn are begun by starts and grow by single
        cards of the hand, so that plans can be made of them.
        """
        names = {self.program.actions[m.action].name for m in self.made if m.name in self.lays}
        return bool(self.layout.slots) and all(
            self.program.actions[action].name in names
            for action in self._reachable(phase)
            if action in self.touched
            and any(isinstance(node, LayMeld) for e in self._effects_of(action) for node in walk(e))
        )

    def possible(self, phase: int) -> Possible:
        """Tests for positions of a phase: what its plays and those of later phases change."""
        actions = self._reachable(phase)
        changing = set[Place]().union(*(self.touched.get(i, set()) for i in (*actions, -1)))
        coming: list[str] | None = []
        spare: int | None = None
        filled: set[str] = set()
        moved = [e for i in actions if i in self.touched for e in self._effects_of(i)]
        for index in self.table.schedule.scan:
            moved += self.program.moments[index].effects
        for effect in map(self.reader.folded, moved):
            for node in walk(effect):
                if isinstance(node, (MoveCards, MoveCount, MoveUntil)):
                    filled |= {node.to.zone, *(e.to.zone for e in getattr(node, "exceptions", ()))}
            match effect:
                case MoveCards(x.ZoneCards(), source, to) if to.zone == self.layout.counted:
                    coming = None if coming is None else [*coming, source.zone]
                case MoveCards(_, _, to) | MoveCount(_, _, to) if to.zone == self.layout.counted:
                    coming = None
                case Branch() | ForEach():
                    coming = None
        takes = {
            sum(
                isinstance(e, MoveCards) and e.source.zone == self.layout.counted
                for e in map(self.reader.folded, self._effects_of(i))
            )
            for i in actions
            if any(isinstance(e, EndTurn) for e in self.program.actions[i].effects)
        }
        if len(takes) == 1:
            spare = takes.pop()
        return Possible(self.judge, changing, spare, coming, filled)

    def _effects_of(self, action: int) -> list[Effect]:
        """The effects of an action and of the moments that hang on it."""
        schedule, moments = self.table.schedule, self.program.moments
        hooked = [moments[i] for i in (*schedule.before[action], *schedule.after[action])]
        for moment in hooked:
            followers = schedule.after_moment[self.table.moments[moment.name]]
            hooked += [each for i in followers if (each := moments[i]) not in hooked]
        return [
            *self.program.actions[action].effects,
            *(effect for moment in hooked for effect in moment.effects),
        ]

    def _test(self, name: str, test: str) -> None:
        """A function that says whether something may hold, from bounds."""
        with Function(self.writer, f"{name}(s, low, high, up, down)", self.table.sides):
            self.writer.line(f"return {test}")

    def _questions(self, lists: dict[int, list[list[Entry]]]) -> None:
        """Functions that answer them; `look` and `search` are given to the module."""
        for about, name in self.layout.questions.items():
            match about:
                case ("can", "action", action, *without):
                    if without:
                        raise NotLowered("whether an action could be taken without a rule")
                    self._can_action(name, action, lists)
                case ("can", "moment", moment, *without):
                    bit = 1 << self.layout.moments_asked[moment]
                    phase = max(lists, key=lambda p: len(lists[p]))
                    self._test(f"may_{name}", self.possible(phase).moment(moment))
                    with self._function(name):
                        self._leave_aside(without)
                        self.writer.line(f"return search.happens(s, {bit}, may_{name})")
                case ("can", _, _, *without):
                    with self._function(name):
                        self._leave_aside(without)
                        self.writer.line("return search.ends(s)")
                case (_, *actions):
                    self._only(name, set(actions), lists)

    def _leave_aside(self, rules: list[str]) -> None:
        for rule in rules:
            number = 1 + list(self.layout.asides).index(rule)
            self.writer.line("s = s.ahead()")
            self.writer.line(f"s.without = {number}  # {rule}")

    def _check_questions(self, lists: dict[int, list[list[Entry]]]) -> None:
        """Raises NotLowered unless it follows from rules that questions about moments and the end
        of the turn may count as no within look-ahead: a play that hangs on one is legal only where
        all of them hold without it, so it leads no further than others do.
        """
        named = {about: Place(f"{name}(s)", NAMED) for about, name in self.layout.questions.items()}
        asked = {about: place for about, place in named.items() if about[:2] != ("can", "action")}
        asked = {about: place for about, place in asked.items() if about[0] == "can"}
        ending = any(about[1] != "moment" for about in asked)
        for entry in {e.name: e for some in lists.values() for g in some for e in g}.values():
            if not set(asked.values()).isdisjoint(places(entry.late)):
                kept = [_denying(place, entry.late) for place in asked.values()]
                if not ending or any(way is not False for way in kept):
                    raise NotLowered("look-ahead into plays that hang on look-ahead")
        of_moments = [truth for pair in self.layout.due.values() for truth in pair]
        if any(place in named.values() for truth in of_moments for place in places(truth)):
            raise NotLowered("moments that look ahead")
        if self.layout.late.intersection(self.table.schedule.end_rules):
            raise NotLowered("rules about the end of a turn that look ahead")

    def _entries(self, groups: list[list[Entry]], actions: set[str]) -> list[list[Entry]]:
        """The groups of the plays of some actions."""
        names = {m.name for m in self.made if self.program.actions[m.action].name in actions}
        return [group for group in groups if group[0].name in names]

    def _can_action(self, name: str, action: str, lists: dict[int, list[list[Entry]]]) -> None:
        phase = self.judge.phase_of(self.table.actions[action])
        groups = self._entries(lists[phase], {action})
        self._list_of(f"plays_{action}", f"{phase}_{action}", groups)
        with self._function(name):
            with self.writer.block(f"if s.phase != {phase}:"):
                self.writer.line("s = s.ahead()")
                self.writer.line(f"s.phase = {phase}")
            self.writer.line(f"return bool(plays_{action}(s, look))")

    def _only(self, name: str, actions: set[str], lists: dict[int, list[list[Entry]]]) -> None:
        among = [e.name for some in lists.values() for g in self._entries(some, actions) for e in g]
        self.writer.line(f"PLAYS_{name} = frozenset(({', '.join(among)},))")
        with self._function(name):
            for phase, groups in lists.items():
                sure = any_of(
                    *(
                        all_of(entry.legal, entry.sure)
                        for group in groups
                        for entry in group
                        if not entry.tops and entry.late is True and entry.name not in among
                    )
                )
                if self.program.phases[phase].begins_turn and sure is not False:
                    with self.writer.block(f"if s.phase == {phase} and {truth_text(sure, True)}:"):
                        self.writer.line("return False")
            self.writer.line("plays = LISTS[s.phase](s, look)")
            self.writer.line(f"return bool(plays) and PLAYS_{name}.issuperset(plays)")

    # ---- state moments, turns
    def _scan(self) -> None:
        names: Names = {x.Marker.PLAYER: Player(0)}
        with self._function("scan"):
            self.writer.line("done = 0")
            with self.writer.block("while not s.over:"):
                for place, index in enumerate(self.table.schedule.scan):
                    moment = self.program.moments[index]
                    is_due, kept = due(self.reader, moment, names)
                    test = truth_text(all_of(is_due, denied(kept)), tight=True)
                    with self.writer.block(f"if not done & {1 << place} and {test}:"):
                        self.writer.line(f"done |= {1 << place}  # {moment.name}")
                        bit = self.layout.moments_asked.get(moment.name)
                        if bit is not None:
                            self.writer.line(f"s.happened |= {1 << bit}")
                        acting = Acting(self.layout, Code(self.reader, self.writer))
                        own = dict(names)
                        acting.effects(moment.effects, own)
                        for follower in self.table.schedule.after_moment[index]:
                            acting.moment(self.program.moments[follower], own)
                        assert isinstance(acting.ground, Code)
                        self.touched.setdefault(-1, set()).update(acting.ground.touched)
                        if acting.flow.target is not None or acting.flow.ends_turn:
                            raise NotLowered("state moments that lead elsewhere")
                        self.writer.line("continue")
                self.writer.line("break")
            with self.writer.block(
                f"if not s.over and {truth_text(denied(self.judge.settled), tight=True)}:"
            ):
                self.writer.line('raise RuntimeError("a moment is due twice in a step")')

    def _begin_turn(self) -> None:
        names: Names = {x.Marker.PLAYER: Player(0)}
        with self._function("begin_turn"):
            with self.writer.block("if s.blind:"):
                self.writer.line("s.ended = True")
                self.writer.line("return")
            self.writer.line("s.turn = p")
            self.writer.line("s.back = None")
            code = Code(self.reader, self.writer, settled=False)
            acting = Acting(self.layout, code)
            self._reset(acting, names)
            for index in self.table.schedule.start_turn:
                if self.table.schedule.moment_rules[index]:
                    raise NotLowered("rules about moments at the start of a turn")
                acting.moment(self.program.moments[index], dict(names))
                if code.may_end:
                    with self.writer.block("if s.over:"):
                        self.writer.line("return")
            code.scan(acting, names)
            if acting.flow.target is not None or acting.flow.ends_turn:
                raise NotLowered("turns that are over as they begin")

    def _reset(self, acting: Acting, names: Names) -> None:
        for memory in self.program.memories:
            if memory.scope != "turn":
                continue
            if memory.owner != "none":
                raise NotLowered("memory of a turn of each player or side")
            place = self.layout.memory[memory.name]
            initial = x.Const(None, "none") if memory.initial is None else memory.initial
            folded = self.reader.folded(initial)
            acting.ground.become(place, acting.kept(memory.name, place, folded, names))


def _denying(place: Place, truth: Truth) -> Truth:
    """A truth where what is kept in a place does not hold."""

    def turned(other: Place) -> Truth:
        return False if other == place else Holds(other)

    return substituted_truth(truth, at, turned)


def _within(part: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    return all(part.count(kind) <= whole.count(kind) for kind in part)


__all__ = ["Builder", "Made", "place_text"]
