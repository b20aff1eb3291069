import * as texts from '#messages/lists.ts';
import type { Finding } from '#shared/contract/answers.ts';
import { checkFilterOf } from '#web/api/checks.queries.ts';
import { type ListField, NO_RULES } from './list-field.ts';

/** The findings of checks as a column of a list, hidden by default. */
export function checkColumn(fields: readonly { readonly name: string }[]) {
  return {
    ...NO_RULES,
    type: 'text',
    kind: 'check',
    name: checkFilterOf(fields),
    label: texts.findingsColumn,
    hidden: true,
  } as const satisfies ListField;
}

/** Findings as text; '' for none. */
export function findingText(
  findings: readonly Pick<Finding, 'label' | 'severity'>[],
  separator: string,
): string {
  return findings
    .map((finding) => texts.findingWords[finding.severity](finding.label))
    .join(separator);
}

/** The highest severity of findings; undefined: there are none. */
export function severityOf(
  findings: readonly Pick<Finding, 'severity'>[] = [],
): Finding['severity'] | undefined {
  return findings.find(({ severity }) => severity === 'block')?.severity ?? findings[0]?.severity;
}
