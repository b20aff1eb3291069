import type { Severity } from '../rules/check-words.ts';
import { findByName } from '../rules/names.ts';
import type { Scalar } from '../values/value-type.ts';
import { compileRule, evaluateRule } from './compile-rule.ts';
import type { RuleContext } from './compiled-nodes.ts';
import { fieldsOf } from './rule-names.ts';
import { lookupsOf, nodesOf, type RuleNode } from './rule-tree.ts';
import { parseRule, type RuleScope } from './type-rule.ts';

/** A check as the call of checks answers it; the part that is needed to evaluate it for one record. */
export interface CheckText {
  readonly name: string;
  readonly label: string;
  readonly severity: Severity;
  readonly rule?: string | null | undefined;
  readonly when?: string | undefined;
  /** the fields that a finding marks */
  readonly fields: readonly string[];
}

/** A check on one record, ready to be evaluated many times. */
export interface RecordCheck extends Pick<CheckText, 'name' | 'label' | 'severity' | 'fields'> {
  /** what must hold, without its condition */
  readonly rule: RuleNode;
  /** the fields that it depends on */
  readonly uses: readonly string[];
  /** the regular expressions of `matches`; they need an engine (`values/pattern-engine.ts`) */
  readonly patterns: readonly string[];
  /** Whether a record meets the check: false is a finding, null: it does not apply. */
  isMet(valueOf: (field: string) => Scalar, clock: Clock): boolean | null;
}

type Clock = Pick<RuleContext, 'today' | 'now'>;

/**
 * The checks that can be evaluated with the values of a record alone. Duplicates, built-in checks and rules with
 * look-ups are left out: only the service can evaluate them.
 */
export function compileChecks(
  checks: readonly CheckText[],
  fields: RuleScope['fields'],
): RecordCheck[] {
  const scope: RuleScope = { fields, column: () => 'no table' };
  return checks.flatMap((check): RecordCheck[] => {
    const { name, label, severity, rule, when } = check;
    const must = typeof rule === 'string' ? parseRule(rule, scope) : null;
    const condition = when === undefined ? null : parseRule(when, scope);
    if (!must?.ok || condition?.ok === false) return [];
    const whole = conditional(must.value, condition?.value ?? null);
    if (lookupsOf(whole).length > 0) return [];
    const program = compileRule(whole);
    return [
      {
        name,
        label,
        severity,
        fields: check.fields.map((one) => findByName(fields, one)?.name ?? one),
        rule: must.value,
        uses: fieldsOf(whole),
        patterns: nodesOf(whole).flatMap((node) => (node.op === 'matches' ? node.pattern : [])),
        isMet: (valueOf, clock) => evaluateRule(program, valueOf, { ...clock, isListed: unknown }),
      },
    ];
  });
}

const unknown = () => null;

/** A rule with its condition: there is no finding unless the condition is true. */
export function conditional(rule: RuleNode, condition: RuleNode | null): RuleNode {
  return condition ? { op: 'or', operands: [{ op: 'not', operand: condition }, rule] } : rule;
}
