import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import {
  compileRule,
  compileValue,
  type RuleProgram,
  type ValueProgram,
} from '#shared/checks/compile-rule.ts';
import type { RuleContext } from '#shared/checks/compiled-nodes.ts';
import { clockUse } from '#shared/checks/rule-names.ts';
import type { RuleKind, RuleNode } from '#shared/checks/rule-tree.ts';
import '#shared/values/pattern-engine.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { sortKey } from '../records/sort-key.ts';

/* SQLite has neither exact decimals nor patterns, so rules are evaluated by functions: one call per row, which
   takes about a microsecond. A statement refers to a compiled rule by its number in this thread, in which it is
   compiled and run. */

type Clock = Pick<RuleContext, 'today' | 'now'>;

interface Registered<Program> {
  readonly id: number;
  readonly program: Program;
}

/** Compiled rules by their source. The oldest are evicted, and registered again when they are needed. */
class ProgramCache<Program> {
  readonly #capacity: number;
  readonly #byKey = new Map<string, Registered<Program>>();
  readonly #byId = new Map<number, Registered<Program> & { readonly key: string }>();
  #last = 0;
  /** how many were evicted */
  evicted = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  register(key: string, compile: () => Program): Registered<Program> {
    const known = this.#byKey.get(key);
    if (known) return known;
    const registered = { id: ++this.#last, program: compile(), key };
    this.#byKey.set(key, registered);
    this.#byId.set(registered.id, registered);
    const oldest = this.#byId.get(this.#last - this.#capacity);
    if (oldest) {
      this.#byId.delete(oldest.id);
      this.#byKey.delete(oldest.key);
      this.evicted += 1;
    }
    return registered;
  }

  get(id: SQLOutputValue | undefined): Program {
    const registered = this.#byId.get(Number(id));
    if (!registered) throw new Error(`No rule ${String(id)} in this thread`);
    return registered.program;
  }
}

const MAX_PROGRAMS = 10_000;

const rules = new ProgramCache<{ readonly rule: RuleProgram; readonly clock: Clock }>(MAX_PROGRAMS);

const values = new ProgramCache<{
  readonly value: ValueProgram;
  readonly clock: Clock;
  readonly kind: RuleKind;
}>(MAX_PROGRAMS);

/** How many programs were evicted, so that their numbers are no longer valid. */
export function countEvictedPrograms(): number {
  return rules.evicted + values.evicted;
}

function keyOf(node: RuleNode, { today, now }: Clock, kind: RuleKind | ''): string {
  return JSON.stringify([kind, clockUse(node) ? [today, now] : null, node]);
}

/** @returns the number for `check_rule`, whose further arguments are the inputs, then the results of the look-ups */
export function registerRule(node: RuleNode, clock: Clock): Registered<{ rule: RuleProgram }> {
  return rules.register(keyOf(node, clock, ''), () => ({ rule: compileRule(node), clock }));
}

/** @returns the number for `check_value`, whose further arguments are the inputs */
export function registerValue(
  node: RuleNode,
  kind: RuleKind,
  clock: Clock,
): Registered<{ value: ValueProgram }> {
  return values.register(keyOf(node, clock, kind), () => ({
    value: compileValue(node, kind),
    clock,
    kind,
  }));
}

/** Adds the functions to a connection. */
export function addRuleFunctions(database: DatabaseSync): void {
  const options = { deterministic: true, varargs: true };
  database.function('check_rule', options, (id, ...args) => {
    const { rule, clock } = rules.get(id);
    const given = args.map(scalarOf);
    const context = {
      ...clock,
      isListed: (_: unknown, _value: Scalar, index: number) =>
        given[rule.inputs.length + index] === 1,
    };
    const truth = rule.truth(given, context);
    return truth === null ? null : Number(truth);
  });
  database.function('check_value', options, (id, ...args): SQLInputValue => {
    const { value, clock, kind } = values.get(id);
    const result = value.value(args.map(scalarOf), { ...clock, isListed: () => null });
    const compared = kind === 'datetime' || kind === 'time' ? equalityKey(kind, result) : result;
    return typeof compared === 'boolean' ? Number(compared) : compared;
  });
  database.function('check_key', { deterministic: true }, (text) =>
    typeof text === 'string' ? sortKey(text) : null,
  );
}

function scalarOf(value: SQLOutputValue): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw new Error(`A rule was given a ${typeof value}`);
}
