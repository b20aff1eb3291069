import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { Column } from '#shared/rules/definitions.ts';
import type { NameOf } from '#web/api/display-names.queries.ts';
import { localInstant } from '#web/fields/value-text.ts';
import {
  reasonOfEdit,
  type RevertReport,
  revertReport,
  type Unreverted,
} from '#web/undo/revert-report.ts';
import type { UndoDirection } from '#web/undo/undo-steps.ts';
import { isDeletion } from './deletions.ts';
import type { StepOutcome } from './revert-step.ts';
import * as texts from '#messages/table-undo-outcomes.ts';

/** The message to the user about a step that was undone or redone. */
export function reportOf(
  direction: UndoDirection,
  outcome: StepOutcome,
  columns: readonly Column[],
  nameOf: NameOf,
): RevertReport {
  return revertReport(
    outcomeText(direction, outcome, nameOf),
    unrevertedIn(outcome, columns, nameOf),
  );
}

/** What a step has left unchanged. */
function unrevertedIn(
  { skipped }: StepOutcome,
  columns: readonly Column[],
  nameOf: NameOf,
): Unreverted[] {
  return skipped.map(({ jrid, column, change }) => {
    const label = columns.find(({ name }) => name === column)?.label ?? column;
    const subject = label === null ? texts.record(jrid) : texts.cell({ jrid, column: label });
    const reason = change
      ? reasonOfEdit(nameOf(change.user), localInstant(change.at), isDeletion(change))
      : reasonOfEdit(null, null);
    return { id: `${jrid} ${column}`, subject, reason };
  });
}

/** The outcome of a step in sentences, without what it has left unchanged. */
function outcomeText(
  direction: UndoDirection,
  { of: { label }, done, message }: StepOutcome,
  nameOf: NameOf,
): string {
  const { some, none } = OUTCOMES[direction];
  const outcome = (done > 0 ? some : none)(label);
  if (message === null) return outcome;
  return `${outcome} ${typeof message === 'string' ? message : changedBy(message, nameOf)}`;
}

/** A sentence with author and time: `Ben Carter has deleted the record, 31/01/2026 14:05.` */
function changedBy(entry: HistoryEntry, nameOf: NameOf): string {
  const of = { person: nameOf(entry.user), at: localInstant(entry.at) };
  return isDeletion(entry) ? texts.recordDeletedBy(of) : texts.recordChangedBy(of);
}

const OUTCOMES = {
  undo: { some: texts.undone, none: texts.notUndone },
  redo: { some: texts.redone, none: texts.notRedone },
} satisfies Record<UndoDirection, unknown>;
