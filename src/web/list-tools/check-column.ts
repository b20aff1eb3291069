import * as texts from '#messages/lists.ts';
import type { Finding } from '#shared/contract/answers.ts';
import { UNBOUND } from '#shared/values/values.ts';
import { checkFilterOf } from '#web/api/checks.queries.ts';
import type { ListField } from './list-field.ts';

/** What checks find, as a column of a list that is not shown unless it is chosen. */
export function checkColumn(fields: readonly { readonly name: string }[]) {
  return {
    ...UNBOUND,
    maxLength: 200,
    scale: null,
    type: 'text',
    kind: 'check',
    name: checkFilterOf(fields),
    label: texts.findingsColumn,
    hidden: true,
  } as const satisfies ListField;
}

/** Findings as people read them; '' for none. */
export function findingWords(
  findings: readonly Pick<Finding, 'label' | 'severity'>[],
  separator: string,
): string {
  return findings.map((one) => texts.findingWords[one.severity](one.label)).join(separator);
}

/** The gravest severity of what checks find; undefined: they find nothing. */
export function severityOf(
  findings: readonly Pick<Finding, 'severity'>[] = [],
): Finding['severity'] | undefined {
  return findings.find(({ severity }) => severity === 'block')?.severity ?? findings[0]?.severity;
}
