"""When rules are broken and state moments are due, as truths over places."""

from __future__ import annotations

from meldc_runtime.kernel.reading import Reader
from meldc_runtime.kernel.terms import Truth, all_of, denied, substituted_truth
from meldc_runtime.kernel.values import Value
from meldc_runtime.program.declarations import Moment, Rule

Names = dict[str, Value]


def broken(reader: Reader, rule: Rule, names: Names) -> Truth:
    """When a rule is broken."""
    fold = reader.folded
    parts: list[Truth] = [denied(reader.layout.left_aside(rule.name))]
    for part, is_denied in ((rule.when, False), (rule.unless, True), (rule.requires, True)):
        if part is not None:
            truth = reader.truth(fold(part), names)
            truth = denied(truth) if is_denied else truth
            if truth is False:
                return False
            parts.append(truth)
    return all_of(*parts)


def due(reader: Reader, moment: Moment, names: Names) -> tuple[Truth, Truth]:
    """Whether a state moment is due, and whether rules keep it from happening."""
    layout = reader.layout
    if moment.name not in layout.due:
        plain = Reader(layout, reader.folding)
        layout.due[moment.name] = _due(plain, moment, names)
    when, kept = layout.due[moment.name]
    if reader.look is None:
        return when, kept
    return (
        substituted_truth(when, reader.number_at, reader.truth_at),
        substituted_truth(kept, reader.number_at, reader.truth_at),
    )


def _due(reader: Reader, moment: Moment, names: Names) -> tuple[Truth, Truth]:
    table = reader.layout.table
    rules = {rule.name: rule for rule in table.program.rules}
    when = True if moment.when is None else reader.truth(reader.folded(moment.when), names)
    names_of_rules = table.schedule.moment_rules[table.moments[moment.name]]
    kept = [denied(broken(reader, rules[name], names)) for name in names_of_rules]
    return when, denied(all_of(*kept))
