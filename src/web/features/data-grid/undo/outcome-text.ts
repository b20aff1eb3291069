import type { Column } from '#shared/rules/definitions.ts';
import type { NameOf } from '#web/api/display-names.queries.ts';
import { localInstant } from '#web/fields/value-text.ts';
import type { UndoDirection, Unreverted } from '#web/undo/undo-steps.ts';
import { changedBy } from './find-author.ts';
import type { StepOutcome } from './revert-step.ts';
import * as texts from '#messages/table-undo-outcomes.ts';

/** What a step has left unchanged, for its dialog. */
export function unrevertedIn({ skipped }: StepOutcome, columns: readonly Column[]): Unreverted[] {
  return skipped.map(({ jrid, column, by, at, deleted = false }) => {
    const label = columns.find(({ name }) => name === column)?.label ?? column;
    const subject = label === null ? texts.record(jrid) : texts.cell({ jrid, column: label });
    return { key: `${jrid} ${column}`, subject, by, at, isDeleted: deleted };
  });
}

/** The outcome of a step in sentences. */
export function outcomeText(
  direction: UndoDirection,
  { of: { label }, done, skipped, message }: StepOutcome,
  columns: readonly Column[],
  nameOf: NameOf,
): string {
  const isUndo = direction === 'undo';
  const outcome = done > 0 ? [texts.undone, texts.redone] : [texts.notUndone, texts.notRedone];
  const parts = [(isUndo ? outcome[0] : outcome[1])?.(label)];
  if (skipped.length > 0) {
    parts.push(texts.cellsLeft(skipped.length));
    for (const { column, by, at, deleted } of skipped) {
      if (by === null || at === null) continue;
      const name = columns.find((one) => one.name === column)?.label ?? column ?? '';
      const change = { column: name, person: nameOf(by), at: localInstant(at) };
      parts.push(deleted ? texts.leftDeletedBy(change) : texts.leftBy(change));
    }
  }
  if (message !== null) {
    parts.push(typeof message === 'string' ? message : changedBy(message, nameOf));
  }
  return parts.join(' ');
}
