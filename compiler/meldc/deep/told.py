"""What a search found as diagnostics, and how sure one may be of what it did not find."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.inspection import listed
from meldc.check.walk import actions_during
from meldc.deep.findings import Finding, Sort, Tried
from meldc.diagnostics import Diagnostic, Label, Severity, error, warning
from meldc.source import Span, is_shipped_file
from meldc_runtime.program import Program
from meldc_runtime.program.declarations import Action, Moment, Origin, Rule

ENOUGH_DEALS = 100
ENOUGH_LOOKS = 1000
"""With fewer deals, or fewer looks at a rule, that it never decided says nothing."""
SHOWN_MOVES = 8


def diagnose(
    program: Program, tried: Tried, place: Span | None, records: dict[int, str]
) -> list[Diagnostic]:
    """The findings, then what never came to pass of what the user's own files say.

    place: where the game names itself. records: files with the records of findings, by number.
    """
    found = []
    for sort in Sort:
        alike = [n for n, each in enumerate(tried.findings) if each.sort is sort]
        if alike:
            shortest = min(alike, key=lambda n: len(tried.findings[n].moves))
            others = [tried.findings[n].seed for n in alike if n != shortest]
            found.append(
                _of_finding(program, tried.findings[shortest], place, records.get(shortest), others)
            )
    if tried.total >= ENOUGH_DEALS:
        found += _never_decided(program, tried)
        found += _never_counted(program, tried)
        found += _never_came(program, tried)
    return found


def confidence(tried: Tried) -> list[str]:
    """How much was tried, in sentences; the bounds are those of the rule of three (95 %)."""
    if not tried.total:
        return ["nothing was tried: no deal could be begun in the time given"]
    tables = ", ".join(
        f"{number} with {players}" for players, number in sorted(tried.deals.items())
    )
    bots = ", ".join(f"{name} {number}" for name, number in sorted(tried.bots.items()))
    by_whom = f" ({bots})" if bots else ""
    lines = [
        f"tried: {tried.total} deals (players: {tables}), {tried.decisions} decisions{by_whom}, "
        f"{tried.seconds:.1f} s; the longest deal had {tried.longest} decisions",
    ]
    lines.append(
        f"{tried.later} of these deals were later ones of a game, begun with totals from "
        f"{tried.lowest} to {tried.highest}: what rules do at other totals was not seen"
    )
    if not tried.complete:
        lines.append("the time was up before all deals were played")
    sorts = {each.sort for each in tried.findings}
    for sort, what in ((Sort.DEAD_END, "a dead end"), (Sort.NO_END, "no end")):
        if sort not in sorts and Sort.NOBODY not in sorts:
            lines.append(
                f"no deal had {what}: with 95 % confidence fewer than "
                f"{_percent(3 / tried.total)} of deals played so have one"
            )
    silent = [*_silent_rules(tried), *_silent_moments(tried)]
    unplayed = [name for name, number in sorted(tried.actions.items()) if not number]
    if unplayed:
        lines.append(f"never played: {', '.join(unplayed)}")
    if silent:
        lines.append(f"never seen to decide or happen: {', '.join(silent)}")
    return lines


def as_data(tried: Tried) -> dict[str, object]:
    """The same as plain data."""
    return {
        "deals": tried.total,
        "players": {str(players): number for players, number in sorted(tried.deals.items())},
        "decisions": tried.decisions,
        "bots": dict(sorted(tried.bots.items())),
        "seconds": round(tried.seconds, 3),
        "complete": tried.complete,
        "longest_deal": tried.longest,
        "best_score": tried.best,
        "later_deals": tried.later,
        "totals": [tried.lowest, tried.highest],
        "upper_bound": round(min(1.0, 3 / tried.total), 6) if tried.total else 1.0,
        "rules_that_never_decided": _silent_rules(tried),
        "moments_that_never_happened": _silent_moments(tried),
        "actions": dict(sorted(tried.actions.items())),
        "score_lines": dict(sorted(tried.counted.items())),
        "findings": [
            {
                "sort": str(each.sort),
                "seed": each.seed,
                "players": each.players,
                "bots": list(each.bots),
                "detail": each.detail,
                "moves": [[move.deal, move.player, move.action] for move in each.moves],
            }
            for each in tried.findings
        ],
    }


def _silent_rules(tried: Tried) -> list[str]:
    return sorted(n for n in tried.judged if n not in tried.broken and n not in tried.off)


def _silent_moments(tried: Tried) -> list[str]:
    return sorted(name for name, number in tried.happened.items() if not number)


def _percent(share: float) -> str:
    return f"{min(1.0, share) * 100:.3g} %"


# ---- findings ----------------------------------------------------------------------------------

_CODES = {
    Sort.DEAD_END: ("MC0901", Severity.ERROR),
    Sort.NO_END: ("MC0902", Severity.WARNING),
    Sort.CUT_OFF: ("MC0905", Severity.WARNING),
    Sort.FAULT: ("MC0906", Severity.ERROR),
    Sort.NOBODY: ("MC0907", Severity.ERROR),
}


def _of_finding(
    program: Program,
    finding: Finding,
    place: Span | None,
    record: str | None,
    others: list[int],
) -> Diagnostic:
    code, severity = _CODES[finding.sort]
    report = error if severity is Severity.ERROR else warning
    deal = finding.moves[-1].deal if finding.moves else 1
    told = {
        Sort.DEAD_END: f"a player has no legal action, {finding.detail}",
        Sort.NO_END: f"a deal need never end: {finding.detail}",
        Sort.CUT_OFF: "the look-ahead gave up in a position, and counted it as no",
        Sort.FAULT: f"the game cannot go on: {finding.detail}",
        Sort.NOBODY: "nobody ever decides anything: every deal ends by itself",
    }[finding.sort]
    rules = {rule.name: rule.origin for rule in program.rules}
    own = _refusing(program, finding)
    help_ = _HELP[finding.sort]
    if own:
        told += f": {listed(f'`{name}`' for name in own)} {'refuse' if own[1:] else 'refuses'}"
        which = "one of them" if own[1:] else f"`{own[0]}`"
        help_ = f"let {which} bind only `while another will do`, or say in `unless` when not"
    elif finding.sort is Sort.DEAD_END and len(stuck := _own_during(program, finding.phase)) == 1:
        help_ = (
            f"`{stuck[0]}` needs a choice that is always there; or add an action to pass with, or "
            "a moment that ends the deal"
        )
    suspects = list(_suspects(program, finding))
    blamed = _span(rules[own[0]]) if own else _only_own(program)
    blamed = blamed or next((span for span, _ in suspects), None) or place
    return report(
        code,
        told,
        blamed,
        f"seed {finding.seed}, deal {deal}, {finding.players} players",
        secondary=[Label(span, text) for span, text in suspects if span != blamed]
        + [Label(_span(rules[name]), "it refuses, too") for name in own[1:]],
        help=[help_],
        notes=list(_shown(finding, record, others)),
    )


def _refusing(program: Program, finding: Finding) -> list[str]:
    """The user's own rules that refuse where nothing can be done, the likeliest to be at fault
    first: one that stands against an action without choices, as such an action is the way out.
    """
    plain = {each.name for each in program.actions if not each.params}
    own = [
        rule for rule in program.rules if rule.name in finding.refusing and _is_users(rule.origin)
    ]
    own.sort(key=lambda rule: not any(name in plain for name in rule.actions))
    return [rule.name for rule in own]


def _only_own(program: Program) -> Span | None:
    """The one declaration about play that is the user's own; None where there are several."""
    parts: tuple[Rule | Moment | Action, ...] = (
        *program.rules,
        *program.moments,
        *program.actions,
    )
    own = [part.origin for part in parts if _is_users(part.origin)]
    return _span(own[0]) if len(own) == 1 else None


def _suspects(program: Program, finding: Finding) -> Iterator[tuple[Span, str]]:
    """The user's own declarations that lead to where a finding is, the nearest first.

    Where nothing can be done that is the only action of the phase, as one whose choices can be
    used up; then the last one that was played, and the phase.
    """
    actions = {each.name: each.origin for each in program.actions if _is_users(each.origin)}
    stuck = _own_during(program, finding.phase)
    played = [each.declared for each in finding.moves[-SHOWN_MOVES:] if each.declared in actions]
    named: list[tuple[Origin | None, str]] = []
    if len(stuck) == 1:
        named.append((actions[stuck[0]], "it cannot be played there"))
    if played and played[-1] not in stuck[:1]:
        named.append((actions[played[-1]], "played last"))
    named += [
        (phase.origin, "the phase in which nothing can be done")
        for phase in program.phases
        if phase.name == finding.phase and _is_users(phase.origin)
    ]
    for origin, text in named:
        span = _span(origin)
        if span is not None:
            yield span, text


def _own_during(program: Program, phase: str) -> list[str]:
    """The user's own actions that can be played in a phase."""
    return [each.name for each in actions_during(program, phase) if _is_users(each.origin)]


_HELP = {
    Sort.DEAD_END: "look at the rules that refuse there, or let a moment end the deal",
    Sort.NO_END: "let something that can happen only so often stand in the way",
    Sort.CUT_OFF: "what is given up counts as illegal; a rule that asks for less is decided faster",
    Sort.FAULT: "this is a mistake in meldc, please report it with the record",
    Sort.NOBODY: "look at what a moment does at the start of a deal or a turn: it may go on and on",
}


def _shown(finding: Finding, record: str | None, others: list[int]) -> Iterator[str]:
    last = finding.moves[-SHOWN_MOVES:]
    played = len(finding.moves)
    moves = "; ".join(f"{move.player} {move.action}" for move in last)
    if moves:
        which = f"the last {len(last)} of {played} actions" if len(last) < played else "the actions"
        yield f"{which}: {moves}"
    if record:
        yield f"`meldc replay {record}` plays it again"
    else:
        yield "with `--deep --records FOLDER` the record is kept"
    if others:
        yield f"the same with the seeds {', '.join(map(str, others))}"


# ---- what never came to pass -------------------------------------------------------------------


def _never_decided(program: Program, tried: Tried) -> Iterator[Diagnostic]:
    silent = set(_silent_rules(tried))
    for rule in program.rules:
        looks = tried.judged[rule.name]
        if rule.name in silent and looks >= ENOUGH_LOOKS and _is_users(rule.origin):
            yield warning(
                "MC0903",
                f"`{rule.name}` never refused anything in {tried.total} deals",
                _span(rule.origin),
                f"looked at {looks} times",
                help=["a scenario that it decides would show that it is needed"],
            )


def _never_counted(program: Program, tried: Tried) -> Iterator[Diagnostic]:
    for line in program.scores:
        if not tried.counted[line.name] and _is_users(line.origin):
            yield warning(
                "MC0904",
                f"the score line `{line.name}` never counted in {tried.total} deals",
                _span(line.origin),
                "never counted",
                help=["a scenario in which it counts would show that it can"],
            )


def _never_came(program: Program, tried: Tried) -> Iterator[Diagnostic]:
    """Actions never played and moments that never happened: of the user's own, or refused by own
    rules.
    """
    idle = {name for name in _silent_moments(tried) if name not in tried.off}
    idle |= {n for n, number in tried.actions.items() if not number and n not in tried.off}
    parts: list[Action | Moment] = [*program.actions, *program.moments]
    for part in parts:
        if part.name not in idle:
            continue
        rules = [
            rule
            for rule in program.rules
            if part.name in (rule.actions if isinstance(part, Action) else rule.moments)
            and tried.broken[rule.name]
            and _is_users(rule.origin)
        ]
        if not rules and not _is_users(part.origin):
            continue
        what = "was never played" if isinstance(part, Action) else "never happened"
        because = f": `{rules[0].name}` refuses" if rules else ""
        yield warning(
            "MC0908",
            f"`{part.name}` {what} in {tried.total} deals{because}",
            _span(rules[0].origin if rules else part.origin),
            "bots at random, and such as look for trouble, never came to it",
            help=["a scenario in which it comes would show that it can"],
        )


def _is_users(origin: Origin | None) -> bool:
    return origin is not None and not is_shipped_file(origin.file)


def _span(origin: Origin | None) -> Span | None:
    if origin is None:
        return None
    return Span(origin.file, origin.line, origin.column, origin.end_line, origin.end_column)
