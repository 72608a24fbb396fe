"""Runs the tests of a scenario file.

A step that fails says what was expected and what was found. A test whose position or expression
is wrong in itself fails too, with the diagnostic of the mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from meldc.diagnostics import CompileError, Diagnostic, error
from meldc.scenario.elsewhere import is_action_elsewhere
from meldc.scenario.expressions import ExpressionChecker
from meldc.scenario.model import Case, Outcome, Plain, Step, Suite, Text
from meldc.source import Span
from meldc.typed import AmbiguityError, read
from meldc_runtime.cards import card_text
from meldc_runtime.game import ActionError, Game, IllegalActionError, Position
from meldc_runtime.light import dataclass
from meldc_runtime.names import parse_player, parse_seat, parse_side, player_name, side_name
from meldc_runtime.positions import SEATING_KEYS, PositionError, is_settled_by_a_deal
from meldc_runtime.state import Reason
from meldc_runtime.table import SeatingError

_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


class StepError(Exception):
    """What a step claims does not hold; the text says what was expected and what was found."""


def run_suite(suite: Suite, game: Game, checker: ExpressionChecker) -> tuple[Outcome, ...]:
    """The outcomes of the tests, in their order."""
    return tuple(_run_case(suite, case, game, checker) for case in suite.cases)


def _run_case(suite: Suite, case: Case, game: Game, checker: ExpressionChecker) -> Outcome:
    reason = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    try:
        position = _start(case, game)
        if case.steps is None:
            position.score()
            _compare_points("scores", case.scores, position.scores, position.game)
        else:
            _Run(position, checker).walk(case.steps)
    except StepError as failure:
        reason = str(failure)
    except CompileError as failure:
        diagnostics = failure.diagnostics
        reason = "\n".join(f"{d.primary.span}: {d.code}: {d.message}" for d in diagnostics)
    return Outcome(suite.file, case.name, case.clause, not reason, reason, diagnostics)


def _start(case: Case, game: Game) -> Position:
    """The position a test begins with. Raises CompileError with what is wrong in it."""
    try:
        if case.seed is not None:
            return _dealt(case, game, case.seed)
        return game.position(case.given, finished=case.steps is None)
    except SeatingError as failure:
        places = [case.places[(key,)] for key in SEATING_KEYS if (key,) in case.places]
        span = places[-1] if places else case.span.start
        raise CompileError([error("MC0801", str(failure), span)]) from None
    except PositionError as failure:
        raise CompileError(
            [
                error(
                    "MC0802",
                    f"the position cannot be laid out: {problem.text}",
                    _place(case, problem.path),
                    ".".join(problem.path),
                    help=[problem.help] if problem.help else (),
                )
                for problem in failure.problems
            ]
        ) from None


def _dealt(case: Case, game: Game, seed: int) -> Position:
    """A game dealt with a seed, for tests of the deal itself."""
    settled = [key for key in case.given if is_settled_by_a_deal(game.table, key)]
    if settled:
        message = "with a `seed` the cards are dealt; `{}` cannot be given beside it"
        raise CompileError(
            error("MC0803", message.format(key), _place(case, (key,))) for key in settled
        )
    return game.dealt(case.given, seed)


def _place(case: Case, path: tuple[str, ...]) -> Span:
    """Where something of the position stands, or what it is in."""
    while path and path not in case.places:
        path = path[:-1]
    return case.places.get(path, case.span.start)


@dataclass(frozen=True, slots=True)
class _Run:
    position: Position
    checker: ExpressionChecker

    def walk(self, steps: Iterable[Step]) -> None:
        for number, step in enumerate(steps, 1):
            try:
                HANDLERS[step.keyword](self, step)
            except StepError as failure:
                raise StepError(f"line {step.span.line}, step {number}: {failure}") from None

    # -- what is tried

    def do(self, step: Step) -> None:
        (text,) = step.texts
        try:
            self.position.apply(self._read(text))
        except ActionError as failure:
            raise StepError(str(failure)) from None
        except IllegalActionError as failure:
            raise StepError(f"`{text.value}` is not legal: {_told(failure.reasons)}") from None

    def legal(self, step: Step) -> None:
        (text,) = step.texts
        reasons = self._reasons(text)
        if reasons:
            raise StepError(f"expected `{text.value}` to be legal, but: {_told(reasons)}")

    def illegal(self, step: Step) -> None:
        (text,) = step.texts
        if step.because is None and self._names_nothing(text):
            return
        reasons = self._reasons(text)
        if not reasons:
            raise StepError(f"expected `{text.value}` to be illegal, but it is legal")
        names = [reason.rule for reason in reasons]
        if step.because is not None and step.because.replace("-", "_") not in names:
            named = step.because.replace("-", "_")
            program = self.position.game.program
            known = {rule.name for rule in program.rules} | {a.name for a in program.allowances}
            hint = "" if named in known else "; the game has no rule of this name"
            raise StepError(
                f"expected `{text.value}` to be illegal because of {step.because}, "
                f"found {_told(reasons)}{hint}"
            )

    def _names_nothing(self, text: Text) -> bool:
        """Whether it would be an action if the game had such a kind, meld or player, or is one of
        another game.
        """
        game = self.position.game
        try:
            game.parse(text.value)
        except ActionError:
            return game.is_formed(text.value) or (
                self._read(text) == text.value and is_action_elsewhere(text.value, game.program)
            )
        return False

    def _reasons(self, text: Text) -> tuple[Reason, ...]:
        try:
            return self.position.why_illegal(self._read(text))
        except ActionError as failure:
            raise StepError(str(failure)) from None

    def _read(self, text: Text) -> str:
        """The action in its usual form, if it can be read; cards without suits are those of the
        hand. Raises StepError where they could be several.
        """
        state = self.position.state
        table = state.table
        slots = [
            table.zone_slot(zone.name, state.player if zone.owner == "player" else None)
            for zone in table.program.zones
            if zone.visibility == "owner" and zone.owner in ("player", "none")
        ]
        hand = [card_text(card) for slot in slots for card in state.zones[slot]]
        try:
            return read(self.position.game, text.value, hand)
        except AmbiguityError as failure:
            raise StepError(f"`{text.value}` is not clear: {failure}") from None
        except ActionError:
            return text.value

    # -- what is claimed

    def expect(self, step: Step) -> None:
        for text in step.texts:
            expression = self.checker.check(text, self.position.game.table)
            value = expression.value(self.position.state)
            if value is not True:
                raise StepError(
                    f"expected {text.value}, found {expression.explain(self.position.state)}"
                )

    def turn(self, step: Step) -> None:
        self._same("turn", self._player(step), self.position.turn)

    def to_act(self, step: Step) -> None:
        self._same("to act", self._player(step), self.position.to_act)

    def over(self, step: Step) -> None:
        wanted = _TRUTHS[str(step.value).lower()]
        self._same("over", _yes(wanted), _yes(self.position.is_over))

    def next(self, step: Step) -> None:
        try:
            self.position.next_deal()
        except ValueError as failure:
            raise StepError(f"there is no next deal: {failure}") from None

    def game(self, step: Step) -> None:
        self._same("game", step.value, "over" if self.position.game_over else "on")

    def winner(self, step: Step) -> None:
        wanted = step.value if isinstance(step.value, list) else [step.value]
        game = self.position.game
        sides = sorted({_side(game, str(name)) for name in wanted if name != "none"})
        self._same("winner", ", ".join(sides) or "none", ", ".join(self.position.winners) or "none")

    def scores(self, step: Step) -> None:
        if not self.position.is_over:
            raise StepError("expected scores, but the deal is not over")
        _compare_points("scores", step.value, self.position.scores, self.position.game)

    def totals(self, step: Step) -> None:
        _compare_points("totals", step.value, self.position.totals, self.position.game)

    def options(self, step: Step) -> None:
        try:
            missing, surplus = self.position.compare_options(list(map(self._read, step.texts)))
        except ActionError as failure:
            raise StepError(str(failure)) from None
        problems = []
        if missing:
            problems.append(f"not listed as legal: {_quoted(missing)}")
        if surplus:
            problems.append(f"legal but not expected: {_quoted(surplus)}")
        if problems:
            raise StepError("options differ; " + "; ".join(problems))

    def _player(self, step: Step) -> str:
        table = self.position.game.table
        player = parse_seat(str(step.value), table.sides, table.players)
        if player is None:
            last = player_name(table.players - 1)
            raise StepError(f"there is no player `{step.value}`; players are P1 to {last}")
        return player_name(player)

    def _same(self, what: str, wanted: Plain, found: Plain) -> None:
        if wanted != found:
            raise StepError(f"expected {what}: {wanted}, found {found}")


HANDLERS: dict[str, Callable[[_Run, Step], None]] = {
    "do": _Run.do,
    "next": _Run.next,
    "legal": _Run.legal,
    "illegal": _Run.illegal,
    "expect": _Run.expect,
    "turn": _Run.turn,
    "to_act": _Run.to_act,
    "over": _Run.over,
    "game": _Run.game,
    "winner": _Run.winner,
    "scores": _Run.scores,
    "totals": _Run.totals,
    "options": _Run.options,
}


def _compare_points(what: str, wanted: dict[str, int], found: dict[str, int], game: Game) -> None:
    """Compares points by side; sides that are not named are not looked at."""
    for name, points in wanted.items():
        if found[_side(game, name)] != points:
            have = ", ".join(f"{side}: {number}" for side, number in found.items())
            raise StepError(f"expected {what} of {name}: {points}, found {have}")


def _side(game: Game, name: str) -> str:
    """The side that is meant: by its letter, or by one of its players."""
    table = game.table
    player = parse_player(name, table.players)
    side = parse_side(name, table.sides, table.players) if player is None else None
    if player is None and side is None:
        last = side_name(table.sides - 1)
        raise StepError(f"there is no side `{name}`; sides are A to {last}")
    return side_name(table.side_of(player) if player is not None else side or 0)


def _told(reasons: Iterable[Reason]) -> str:
    return "; ".join(f"{reason.rule} ({reason.text})" for reason in reasons)


def _quoted(texts: Iterable[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts)


def _yes(value: bool) -> str:
    return "true" if value else "false"
