"""Effects of a Program in words: what an action or a moment does."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.comparing.words import plain
from meldc.rulebook.phrases import Phrases
from meldc_runtime.program import effects as fx
from meldc_runtime.program import expressions as x


def sentences(phrases: Phrases, effects: tuple[fx.Effect, ...]) -> Iterator[str]:
    """One clause an effect, in order."""
    for effect in effects:
        yield from _one(phrases, effect)


def _one(phrases: Phrases, effect: fx.Effect) -> Iterator[str]:
    match effect:
        case fx.MoveCount(count, source, to, under, exceptions):
            number = phrases.of(count)
            if number.isdecimal():
                cards = "1 card goes" if number == "1" else f"{number} cards go"
            elif isinstance(count, x.Var):
                cards = f"as many cards as {number} go"
            else:
                cards = f"cards go, as many as {number},"
            yield _moved(phrases, cards, source, to, under, exceptions)
        case fx.MoveCards(cards, source, to, under, exceptions):
            yield _moved(phrases, _cards(phrases, cards, source), source, to, under, exceptions)
        case fx.MoveUntil(source, to, until):
            yield (
                f"cards go one by one from {_zone(phrases, source)} to {_zone(phrases, to)} "
                f"until {phrases.condition(until)}"
            )
        case fx.LayMeld(parts, _, onto):
            cards = " and ".join(phrases.of(part.cards) for part in parts)
            where = f"laid onto {phrases.of(onto)}" if onto is not None else "melded"
            verb = "is" if len(parts) == 1 and _is_one(parts[0].cards) else "are"
            yield f"{cards} {verb} {where}"
        case fx.Exchange(card, _, meld, to):
            yield (
                f"{phrases.of(card)} takes the place of a wild card of {phrases.of(meld)}, which "
                f"goes to {_zone(phrases, to)}"
            )
        case fx.Branch(condition, then, otherwise):
            yield f"if {phrases.condition(condition)}: {'; '.join(sentences(phrases, then))}"
            if otherwise:
                yield f"else: {'; '.join(sentences(phrases, otherwise))}"
        case fx.ForEach(_, source, body):
            yield f"for each of {phrases.of(source)}: {'; '.join(sentences(phrases, body))}"
        case _:
            said = _course(phrases, effect)
            if said:
                yield said


def _course(phrases: Phrases, effect: fx.Effect) -> str:
    """Effects on the course of the game; empty for what only keeps the books."""
    match effect:
        case fx.GoTo(phase, player):
            whose = "" if player is None else f"{phrases.of(player)}: "
            return f"then {whose}{_phase(phrases, phase)}"
        case fx.GoBack():
            return "the turn goes on where it was"
        case fx.EndTurn():
            return "the turn ends"
        case fx.EndDeal():
            return "the deal ends"
        case fx.EndGame(winners):
            who = f", and {phrases.of(winners)} wins" if winners is not None else ""
            return f"the game ends{who}"
        case fx.Let(name, value):
            return f"`{plain(name)}` is {phrases.of(value)}"
        case fx.Shuffle(zone):
            return f"{_zone(phrases, zone)} is shuffled"
        case fx.Redeal():
            return "the cards are gathered and dealt anew"
        case fx.Become(memory, _, x.Const(bool(value))):
            return f"from now on {'' if value else 'not '}{plain(memory)}"
        case fx.Become(memory, _, value):
            return f"from now on, {plain(memory)}: {phrases.of(value)}"
        case fx.Gain(memory, _, value):
            return f"{phrases.of(value)} more is counted as {plain(memory)}"
        case fx.Chance(memory, _, numerator, denominator):
            chance = f"{phrases.of(numerator)} in {phrases.of(denominator)}"
            return f"by chance ({chance}): {plain(memory)}"
    return ""


def _phase(phrases: Phrases, name: str) -> str:
    text = next((each.text for each in phrases.program.phases if each.name == name), "")
    return text or plain(name)


def _cards(phrases: Phrases, cards: x.Expr, source: fx.ZoneRef) -> str:
    if cards == x.ZoneCards(source.zone, source.owner):
        return "all cards go"
    if isinstance(cards, x.Filter):
        return f"those where {phrases.about(cards.where, cards.var)} go"
    return f"{phrases.of(cards)} {'goes' if _is_one(cards) else 'go'}"


def _moved(
    phrases: Phrases,
    cards: str,
    source: fx.ZoneRef,
    to: fx.ZoneRef,
    under: bool,
    exceptions: tuple[fx.Exception_, ...],
) -> str:
    where = "under" if under else "to"
    text = f"{cards} from {_zone(phrases, source)} {where} {_zone(phrases, to)}"
    for each in exceptions:
        text += f" (but {_which(phrases, each)} to {_zone(phrases, each.to)})"
    return text


def _which(phrases: Phrases, exception: fx.Exception_) -> str:
    match exception.cards:
        case x.Apply(name, _):
            return f"each {plain(name)}"
    return f"those where {phrases.condition(exception.cards)}"


def _zone(phrases: Phrases, zone: fx.ZoneRef) -> str:
    return phrases.of(x.ZoneCards(zone.zone, zone.owner))


def _is_one(cards: x.Expr) -> bool:
    match cards:
        case x.Top() | x.Bottom() | x.Nth() | x.First():
            return True
        case x.Var(name):
            return not name.endswith("s")
    return False
