"""Runs written code: the functions of a Table from its text, written where none is kept."""

from __future__ import annotations

import linecache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from meldc_runtime.program.codec import ProgramError, content_hash
from meldc_runtime.program.declarations import Action, Moment, Program
from meldc_runtime.writing.code import Code
from meldc_runtime.writing.support import SUPPORT, printable

if TYPE_CHECKING:
    from meldc_runtime.table import Table


def code_of(table: Table) -> Code:
    """The functions of a Table; their source shows in tracebacks."""
    written = table.kept.get("module", lambda: _write_module(table))
    namespace: dict[str, Any] = dict(SUPPORT)
    title = f"{table.program.name}, {table.players} players, {content_hash(table.program)[:12]}"
    _run(written["source"], title, namespace)
    return _collected(table.program, written, namespace)


def run_further(table: Table, title: str, source: str) -> dict[str, Any]:
    """The names of a module that was written beside that of the Table."""
    namespace = dict(table.code.namespace)
    _run(source, f"{table.program.name}, {title}", namespace)
    return namespace


def _write_module(table: Table) -> dict[str, Any]:
    from meldc_runtime.writing.module import write_module

    return write_module(table)


def _run(source: str, title: str, namespace: dict[str, Any]) -> None:
    # Tables of one Program may have different code: a traceback must find its own.
    name = f"<meldc {printable(title)}, {sha256(source.encode()).hexdigest()[:8]}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    try:
        exec(compile(source, name, "exec"), namespace)
    except (SyntaxError, MemoryError) as error:  # CPython's bounds on nesting
        raise ProgramError(f"nested too deeply: {error}") from None


def _collected(program: Program, written: dict[str, Any], namespace: dict[str, Any]) -> Code:
    """The functions by their names."""
    effects: tuple[Action | Moment, ...] = (*program.actions, *program.moments)
    get = namespace.__getitem__

    def fixed(name: str) -> Any:
        return namespace[written["fixed"][name]] if name in written["fixed"] else None

    return Code(
        source=written["source"],
        namespace=namespace,
        rules={r.name: get(f"rule_{r.name}") for r in program.rules},
        allowances={a.name: get(f"allow_{a.name}") for a in program.allowances},
        definitions={d.name: get(f"d_{d.name}") for d in program.definitions},
        moment_when={m.name: get(f"when_{m.name}") for m in program.moments},
        effects={e.name: get(f"do_{e.name}") for e in effects},
        scores={line.name: get(f"score_{line.name}") for line in program.scores},
        sort={t.name: get(f"sort_{t.name}") for t in program.tables if t.form == "sorts"},
        kind_cards={k.name: get(f"cards_{k.name}") for k in program.kinds},
        kind_contains={
            k.name: tuple(get(f"contains_{k.name}_{i}") for i in range(len(k.contains)))
            for k in program.kinds
        },
        kind_condition={k.name: get(f"condition_{k.name}") for k in program.kinds},
        param_domain={
            (a.name, p.name): get(f"domain_{a.name}_{i}")
            for a in program.actions
            for i, p in enumerate(a.params)
        },
        lookups={
            t.name: get(f"t_{t.name}")
            for t in program.tables
            if t.form in ("number", "band", "card")
        },
        naturals=tuple(get(f"naturals_{k.name}") for k in program.kinds),
        wilds=get("wilds"),
        free={a.name: get(f"free_{a.name}") for a in program.actions},
        next_moment=get("next_moment"),
        memory_resets={scope: get(f"reset_{scope}") for scope in ("game", "deal", "turn")},
        never_broken=frozenset(written["never_broken"]),
        always_due=frozenset(written["always_due"]),
        never_allowed=frozenset(written["never_allowed"]),
        fixed_naturals=tuple(fixed(f"naturals_{k.name}") for k in program.kinds),
        fixed_wilds=fixed("wilds"),
    )
