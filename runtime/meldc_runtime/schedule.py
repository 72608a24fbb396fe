"""The order of things: which moments are looked at where, which rules and allowances are about
what.
"""

from __future__ import annotations

from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Moment, Program
from meldc_runtime.program.effects import GoBack, GoTo
from meldc_runtime.writing.nodes import walk


class Schedule:
    """Indices into `Program.moments` in the order in which they are looked at, and names of rules
    by their subjects.

    A moment `before` another one stands just before it wherever that one stands.

    scan: state moments. before, after: by action. after_moment: by moment. start_turn, end_turn,
    start_deal, end_deal. phases: by action. allowances: by action, `(name, phases)`. action_rules,
    moment_rules, kind_rules: names of firm rules by index; end_rules: about the end of the turn.
    soft_rules: `another` / `otherwise` -> action -> names; soft_moment_rules: moment -> names of
    `otherwise` rules; soft_end_rules. kind_conditions: by kind, its name where it has an `if`.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.actions = {a.name: i for i, a in enumerate(program.actions)}
        self.moments = {m.name: i for i, m in enumerate(program.moments)}
        self._before_moment: dict[int, list[int]] = {}
        for i, moment in enumerate(program.moments):
            for target in moment.trigger.targets if moment.trigger.kind == "before" else ():
                if target in self.moments:
                    self._before_moment.setdefault(self.moments[target], []).append(i)
        self.scan = self._chosen("state")
        self.start_turn = self._chosen("start", "turn")
        self.end_turn = self._chosen("end", "turn")
        self.start_deal = self._chosen("start", "deal")
        self.end_deal = self._chosen("end", "deal")
        self.before = tuple(self._hooked("before", a.name) for a in program.actions)
        self.after = tuple(self._hooked("after", a.name) for a in program.actions)
        self.after_moment = tuple(self._hooked("after", m.name) for m in program.moments)
        self.hands_over = self._hands_over(program)
        self._collect_phases(program)
        self._collect_rules(program)

    def _chosen(self, kind: str, period: str = "") -> tuple[int, ...]:
        return self._expanded(
            i
            for i, m in enumerate(self.program.moments)
            if m.trigger.kind == kind and m.trigger.period in (period, "")
        )

    def _hooked(self, kind: str, target: str) -> tuple[int, ...]:
        def about(moment: Moment) -> bool:
            return moment.trigger.kind == kind and target in moment.trigger.targets

        return self._expanded(i for i, m in enumerate(self.program.moments) if about(m))

    def _hands_over(self, program: Program) -> bool:
        """Whether another player surely acts after the end of a turn: something at its end always
        goes to a neighbour, and nothing goes to a player who might be the same.
        """
        goes = False
        waiting = list(self.end_turn)
        for index in waiting:
            moment = program.moments[index]
            waiting += [other for other in self.after_moment[index] if other not in waiting]
            for part in (part for effect in moment.effects for part in walk(effect)):
                if isinstance(part, GoBack) or (isinstance(part, GoTo) and not _is_anothers(part)):
                    return False
            goes |= moment.when is None and any(isinstance(e, GoTo) for e in moment.effects)
        return goes

    def _expanded(self, indices: object) -> tuple[int, ...]:
        found: list[int] = []

        def add(index: int, path: tuple[int, ...]) -> None:
            if index in path or index in found:
                return
            for before in self._before_moment.get(index, ()):
                add(before, (*path, index))
            found.append(index)

        for index in indices:  # type: ignore[attr-defined]
            add(index, ())
        return tuple(found)

    def _collect_phases(self, program: Program) -> None:
        phases = {p.name: i for i, p in enumerate(program.phases)}
        self.phases = tuple(frozenset(phases[name] for name in a.phases) for a in program.actions)
        self.allowances: tuple[tuple[tuple[str, frozenset[int]], ...], ...] = tuple(
            tuple(
                (one.name, frozenset(phases[name] for name in one.phases))
                for one in program.allowances
                if action.name in one.actions
            )
            for action in program.actions
        )
        self.has_turns = any(phase.begins_turn for phase in program.phases)

    def _collect_rules(self, program: Program) -> None:
        firm = [rule for rule in program.rules if not rule.soft]
        self.action_rules = [
            tuple(r.name for r in firm if a.name in r.actions) for a in program.actions
        ]
        self.moment_rules = [
            tuple(r.name for r in firm if m.name in r.moments) for m in program.moments
        ]
        self.kind_rules = [tuple(r.name for r in firm if k.name in r.kinds) for k in program.kinds]
        self.end_rules = tuple(r.name for r in firm if r.end_of_turn)
        self.kind_conditions = [None if k.condition is None else k.name for k in program.kinds]
        self.soft_rules: dict[str, dict[int, tuple[str, ...]]] = {"another": {}, "otherwise": {}}
        for soft, found in self.soft_rules.items():
            for index, action in enumerate(program.actions):
                names = tuple(
                    r.name for r in program.rules if r.soft == soft and action.name in r.actions
                )
                if names:
                    found[index] = names
        last = [rule for rule in program.rules if rule.soft == "otherwise"]
        self.soft_moment_rules = [
            tuple(r.name for r in last if m.name in r.moments) for m in program.moments
        ]
        self.soft_end_rules = tuple(r.name for r in last if r.end_of_turn)

    def leave_out(self, never_broken: frozenset[str]) -> None:
        """Drops the rules that the settings of a table switch off."""
        for rules in (self.action_rules, self.moment_rules, self.kind_rules):
            rules[:] = [
                tuple(name for name in names if name not in never_broken) for names in rules
            ]
        self.end_rules = tuple(name for name in self.end_rules if name not in never_broken)


def _is_anothers(target: GoTo) -> bool:
    """Whether a phase is entered for a player who is another one, if there is another."""
    match target.player:
        case x.Neighbour(player) | x.NextOf(_, player):
            return player in (x.Var(x.Marker.PLAYER), x.Acting())
    return False
