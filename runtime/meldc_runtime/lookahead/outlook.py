"""Whether a turn can still be completed, and what can be reached in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from meldc_runtime import machine, melds
from meldc_runtime.candidates import Candidates
from meldc_runtime.forms import Form
from meldc_runtime.kinds import kinds_of
from meldc_runtime.lookahead.aims import Aim, NotKnown, Path
from meldc_runtime.lookahead.circles import Circles, Counts
from meldc_runtime.lookahead.footprints import Moments, footprint
from meldc_runtime.lookahead.probes import functions_of, write
from meldc_runtime.lookahead.relaxed import Relaxed
from meldc_runtime.lookahead.search import NODES, CutOff, Goal, Search, blinded, completed, key_of
from meldc_runtime.state import Play, State
from meldc_runtime.table import Table

if TYPE_CHECKING:
    from meldc_runtime.lookahead.owing import Owing
    from meldc_runtime.lookahead.plan import Planner

WITNESSES = 1_000
"""Plans kept; the oldest go first, so that those of a turn last as long as it."""

SOON = 40
"""Positions searched before a quick no is looked for."""

STAGES = 4
"""How often new cards or a new phase may come within one plan."""


class Outlook:
    """The look-ahead of a Table; answers `can(…)` and `only(…)`, and what legality asks."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.kinds = kinds_of(table)
        self.candidates = Candidates(table, self.kinds)
        self.counts = Counts()
        self.circles = Circles(self.candidates, self.counts)
        self.has_marks = any(rule.soft == "otherwise" for rule in table.program.rules)
        self.ends_plainly = not any(
            moment.trigger.kind == "end"
            and moment.trigger.period == "turn"
            and footprint(moment.effects).flow_to_end
            for moment in table.program.moments
        )
        self.search = Search(self.candidates)
        self.relaxed = Relaxed(self.candidates)
        self.search.matters = self.relaxed.matters
        self._planner: Planner | None = None
        self._owing: Owing | None = None
        self._write_sure()
        table.kept.save()
        self.witnesses: dict[Any, tuple[Play, ...]] = {}

    @property
    def planner(self) -> Planner:
        """What makes plans; itself made when the first question needs a plan."""
        if self._planner is None:
            from meldc_runtime.lookahead.plan import Planner

            table = self.table
            self._planner = Planner(self, table.folding, Moments(table.program))
            self._planner.take(functions_of(table, "plans", write(table, self._planner.probes())))
        return self._planner

    @property
    def owing(self) -> Owing:
        """What makes chains of melds; itself made when the first question needs one."""
        if self._owing is None:
            from meldc_runtime.lookahead.owing import Owing

            self._owing = Owing(self)
        return self._owing

    def _write_sure(self) -> None:
        written = self.table.kept.get("sure ends", self._find_sure)
        functions = functions_of(self.table, "sure ends", written)
        actions = self.table.program.actions
        self.sure_now = functions["goes on"]
        self.sure_end = [
            functions.get(f"ends {action.name}")
            or functions.get(f"goes on after drawing by {action.name}")
            for action in actions
        ]
        self.sure_after = [functions.get(f"goes on after {action.name}") for action in actions]

    def _find_sure(self) -> dict[str, Any]:
        from meldc_runtime.lookahead.sure import Sure

        table = self.table
        return write(table, Sure(table, table.folding, Moments(table.program)).probes())

    def is_sure(self, state: State) -> bool:
        """Whether the turn can surely be ended at once."""
        return bool(self.sure_now(state, state.player, 0, 0, state.phase))

    def begin_anew(self) -> None:
        """Forgets what was found out about positions: no answer depends on those given before."""
        self.witnesses.clear()
        self.search.dead.clear()

    def shrink(self) -> None:
        """Drops what is kept to save time; the answers stay the same."""
        self.candidates.starts.kept.clear()
        closures = getattr(self.planner, "closures", None)
        if closures is not None:  # a game without melds has none
            closures.forget()
            self.planner.looks.forget()

    # ---- questions of legality
    def legal(self, state: State, form: Form, last_resort: bool) -> list[Play]:
        """The candidates of an action after which the turn can be completed."""
        plays = list(self.candidates.of(state, form))
        if not plays or self.planner.holds_up(state, form):
            return []
        sure = self._sure(state, form)
        if self.planner.lays(form) and sum(not sure(play) for play in plays) > 2:
            plays, settled = self._settled(state, plays, last_resort, sure)
            return [
                play
                for play in plays
                if play in settled or self._allows(state, form, play, last_resort, sure)
            ]
        return [play for play in plays if self._allows(state, form, play, last_resort, sure)]

    def _settled(
        self, state: State, plays: list[Play], last_resort: bool, sure: Callable[[Play], bool]
    ) -> tuple[list[Play], set[Play]]:
        """The plays of those that lay melds for which there is hope, and those of them that one
        plan for all shows to be legal.
        """
        aim = Aim("complete", last_resort=last_resort)
        player, turn = state.player, state.turn
        try:
            choice = self.planner.first_choice(state, aim)
            if choice is None:
                return [play for play in plays if sure(play)], set()
            unsure = [play for play in plays if not sure(play)]
            settled = {
                play
                for play in unsure
                if self.planner.goes_with(
                    state, play, choice, aim, lambda s: completed(s, player, turn)
                )
            }
            hopeless = {
                play
                for play in unsure
                if play not in settled and not self.planner.might_begin(state, play, aim)
            }
            return [play for play in plays if play not in hopeless], settled
        except (NotKnown, CutOff):
            return plays, set()

    def _is_hopeless(self, state: State, aim: Aim) -> bool:
        """Whether nothing that is laid or not leads from a state to an aim."""
        try:
            return self.planner.is_out_of_reach(state, aim)
        except (NotKnown, CutOff):
            return False

    def _sure(self, state: State, form: Form) -> Callable[[Play], bool]:
        """A quick test of plays of an action: where it holds, look-ahead does not refuse them."""
        end = self.sure_end[form.index]
        if end is not None:
            holds = bool(end(state, state.player, 0, 0, state.phase))
            return lambda play: holds
        after = self.sure_after[form.index]
        if after is None or form.cards is None:
            return _never
        known: dict[tuple[int, int], bool] = {}
        place = form.names.index(form.cards)

        def sure(play: Play) -> bool:
            key = (len(play.args[place]), self._kind_laid(state, form, play))
            if key not in known:
                known[key] = bool(after(state, state.player, *key, state.phase))
            return known[key]

        return sure

    def _kind_laid(self, state: State, form: Form, play: Play) -> int:
        if form.kind is not None:
            return int(play.args[form.names.index(form.kind)])
        home = (
            None if form.onto is None else melds.find(state, play.args[form.names.index(form.onto)])
        )
        return -1 if home is None else home.kind

    def _allows(
        self, state: State, form: Form, play: Play, last_resort: bool, sure: Callable[[Play], bool]
    ) -> bool:
        if sure(play) and (last_resort or not form.marked):
            self.counts.sure += 1
            return not self.candidates.late_broken(state, play)
        after = self.search.after(state, play, last_resort)
        return after is not None and self.completable(after, state.player, state.turn, last_resort)

    def allows(self, state: State, play: Play, last_resort: bool) -> bool:
        """The same of one play that has passed the rules about its action; any faces."""
        form = self.candidates.forms[play.action]
        return self._allows(state, form, play, last_resort, _never)

    def completable(self, state: State, player: int, turn: int, last_resort: bool) -> bool:
        """Whether the player can complete the turn from a blind state. A question that is cut off
        counts as no.
        """
        if completed(state, player, turn):
            return True
        self.counts.questions += 1
        if self.is_sure(state):
            self.counts.sure += 1
            return True
        path = self.asked_path(
            state, Aim("complete", last_resort=last_resort), lambda s: completed(s, player, turn)
        )
        if path is None:
            return False
        self.remember(state, path)
        return True

    def asked_path(self, state: State, aim: Aim, goal: Goal) -> Path | None:
        """Plays from a blind state to a goal; None where there are none, or the question was cut
        off.
        """
        try:
            path = self.planner.path(state, aim, goal)
            self.counts.planned += 1
            return path
        except NotKnown:
            pass
        except CutOff:
            self.counts.cut_offs += 1
            return None
        if aim.subject == "complete":
            try:
                path = self.owing.path(state, aim.last_resort)
                self.counts.planned += 1
                return path
            except NotKnown:
                pass
        self.counts.searched += 1
        reached = None if aim.subject == "complete" else goal
        for limit in (SOON, NODES):
            try:
                return self.search.path(
                    state, aim.last_resort, reached, lambda s: self._is_hopeless(s, aim), limit
                )
            except CutOff:
                if aim.subject == "complete" and limit == SOON and self.relaxed.is_hopeless(state):
                    return None
        try:
            return self.search.nearest(state, aim.last_resort, reached)
        except CutOff:
            self.counts.cut_offs += 1
            return None

    def further(self, state: State, aim: Aim, goal: Goal, depth: int) -> Path | None:
        """Plays to a goal from a state in the middle of a plan, where new cards or a new phase have
        come. Raises NotKnown, CutOff.
        """
        if aim.subject == "complete" and self.is_sure(state):
            return ()
        if depth > STAGES:
            raise NotKnown
        return self.planner.path(state, aim, goal, depth)

    def needs_last_resort(self, state: State) -> bool:
        """Whether marked endings count: the turn can end in no other way (or no ending is marked at
        all).
        """
        if not self.has_marks:
            return True
        return not self.completable(blinded(state), state.player, state.turn, last_resort=False)

    # ---- witnesses
    def remember(self, state: State, path: tuple[Play, ...]) -> None:
        """Keeps the plan that proves a state completable."""
        if len(self.witnesses) >= WITNESSES:
            del self.witnesses[next(iter(self.witnesses))]
        self.witnesses[key_of(state, self.candidates)] = path

    def witness(self, state: State) -> Play | None:
        """The next play of the plan that proved this state completable, if one is kept."""
        path = self.witnesses.get(key_of(state, self.candidates))
        if not path:
            return None
        if len(path) > 1:
            after = self.search.after(state, path[0], last_resort=True)
            if after is not None:
                self.remember(after, path[1:])
        return path[0]

    # ---- Foresight
    def can_action(self, state: State, action: str, player: int, without: str | None) -> bool:
        return self.circles.asked(
            ("action", action, player, without),
            state,
            lambda: self._can_action(state, action, player, without),
        )

    def _can_action(self, state: State, action: str, player: int, without: str | None) -> bool:
        form = self.candidates.forms[self.table.actions[action]]
        asked = self.asked(state.copy(), player, self._if_ever_broken(without))
        if state.player != player or not machine.in_phase(asked, form.index):
            asked.phase = self.table.phases[form.action.phases[0]]
        last_resort = self.needs_last_resort(asked)
        return self.has_legal(asked, form, last_resort)

    def can_moment(self, state: State, moment: str, player: int, without: str | None) -> bool:
        return self.circles.asked(
            ("moment", moment, player, without),
            state,
            lambda: self._can_moment(state, moment, player, without),
        )

    def _can_moment(self, state: State, moment: str, player: int, without: str | None) -> bool:
        number = self.table.moments[moment]
        without = self._if_ever_broken(without)
        asked = self.asked(state, player, without)
        self.counts.questions += 1
        if self._is_at_hand(asked, number):
            return True
        return (
            self.asked_path(
                asked, Aim("moment", moment, True, without), lambda s: number in s.happened
            )
            is not None
        )

    def _is_at_hand(self, state: State, moment: int) -> bool:
        """Whether a state moment is due and nothing but the rule left aside keeps it back: then any
        step would bring it, and no play need be asked whether it does.
        """
        env = {"player": state.player}
        return any(
            happening.index == moment
            and (happening.when is None or happening.when(state, env))
            and not any(
                broken(state, env) for name, broken in happening.rules if name != state.without
            )
            for happening in self.table.course.scan
        )

    def can_end_turn(self, state: State, player: int, without: str | None) -> bool:
        return self.circles.asked(
            ("end of turn", "", player, without),
            state,
            lambda: self._can_end_turn(state, player, without),
        )

    def _can_end_turn(self, state: State, player: int, without: str | None) -> bool:
        without = self._if_ever_broken(without)
        asked = self.asked(state, player, without)
        self.counts.questions += 1
        if self.ends_plainly and self.is_sure(asked):
            self.counts.sure += 1
            return True
        return self.asked_path(asked, Aim("end_of_turn", "", True, without), _has_ended) is not None

    def _if_ever_broken(self, without: str | None) -> str | None:
        """The rule that is left aside, unless the settings switch it off anyway."""
        return None if without in self.table.code.never_broken else without

    def only(self, state: State, actions: tuple[str, ...]) -> bool:
        return self.circles.asked(("only", actions), state, lambda: self._only(state, actions))

    def _only(self, state: State, actions: tuple[str, ...]) -> bool:
        numbers = {self.table.actions[name] for name in actions}
        forms = [form for form in self.candidates.forms if machine.in_phase(state, form.index)]
        if any(self.is_surely_legal(state, form) for form in forms if form.index not in numbers):
            return False
        last_resort = self.needs_last_resort(state)
        if any(
            self.has_legal(state, form, last_resort) for form in forms if form.index not in numbers
        ):
            return False
        return any(
            self.has_legal(state, form, last_resort) for form in forms if form.index in numbers
        )

    def is_surely_legal(self, state: State, form: Form) -> bool:
        """Whether an action without parameters is legal at first sight."""
        end = self.sure_end[form.index]
        if end is None or form.names or form.late or form.marked:
            return False
        return next(self.candidates.of(state, form), None) is not None and bool(
            end(state, state.player, 0, 0, state.phase)
        )

    def has_legal(self, state: State, form: Form, last_resort: bool) -> bool:
        return bool(self.legal(state, form, last_resort))

    def asked(self, state: State, player: int, without: str | None) -> State:
        """The state as it is asked about; itself where nothing is to be changed."""
        if without is None and player == state.player and state.without is None:
            return state
        asked = blinded(state)
        asked.without = without
        asked.player = player
        return asked


def _never(play: Play) -> bool:
    return False


def _has_ended(state: State) -> bool:
    return state.ended and not state.over
