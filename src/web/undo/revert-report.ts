import * as texts from '#messages/undo-problems.ts';
import type { ReasonItem, Reasons } from '#web/ui/reason-list.tsx';

/** A value or record that a revert has left unchanged; the reason without a full stop. */
export type Unreverted = ReasonItem;

/** The message to the user about a revert. */
export interface RevertReport {
  /** the outcome in complete sentences, with the reason if a single value or record was left unchanged */
  readonly message: string;
  /** what was left unchanged; null: nothing */
  readonly reasons: Reasons | null;
}

/** @param outcome in complete sentences, without what was left unchanged */
export function revertReport(outcome: string, items: readonly Unreverted[]): RevertReport {
  const [only, another] = items;
  if (!only) return { message: outcome, reasons: null };
  return {
    message: another ? outcome : `${outcome} ${texts.stays(only)}`,
    reasons: { label: texts.unrevertedList, message: texts.unreverted(items.length), items },
  };
}

/** Who has edited something since, for `Unreverted`. @param by the display name; null: not known */
export function reasonOfEdit(by: string | null, at: string | null, isDeleted = false): string {
  if (by === null) return texts.editedSince;
  return isDeleted ? texts.deletedBy({ by, at }) : texts.editedBy({ by, at });
}
