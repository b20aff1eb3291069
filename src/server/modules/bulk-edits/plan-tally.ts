import * as texts from '#messages/service/bulk-edits.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Outcome } from '#shared/contract/bulk-edit-answers.ts';
import { NO_COUNTS, type StoredCounts } from './bulk-edits.store.ts';
import type { PlannedRow, ReplacingRow } from './planned-rows.store.ts';
import { characterCount } from './character-count.ts';
import { isWritten } from './checked-rows.ts';

/** The maximum of a plan. */
const MAX_PLAN_CHARACTERS = 500_000_000;

/** What is counted of a planned row: all that another one replaces. */
type Counted = Omit<ReplacingRow['replaces'], 'position'>;

/** Counts the rows of a plan. */
export class PlanTally {
  readonly #outcomes = new Map<Outcome, number>();
  /** by check */
  readonly #findings = new Map<string, { brings: number; removes: number }>();
  #characters = 0;

  /**
   * Counts a row, in the place of the one that it replaces.
   * @throws {ApiError} 422 if the texts of all rows are too long
   */
  add(row: PlannedRow | ReplacingRow): void {
    if ('replaces' in row) this.#count(row.replaces, -1);
    const { outcome, findings } = row;
    this.#count({ outcome, findings, characters: characterCount(row) }, 1);
    if (this.#characters > MAX_PLAN_CHARACTERS) {
      const max = MAX_PLAN_CHARACTERS;
      throw new ApiError('validation_failed', texts.textsTooLong({ max }));
    }
  }

  counts(collection: Collection): StoredCounts {
    const count = (outcome: Outcome) => this.#outcomes.get(outcome) ?? 0;
    const created = count('new');
    const findings = [...this.#findings].filter(([, { brings, removes }]) => brings + removes > 0);
    return {
      ...NO_COUNTS,
      total: [...this.#outcomes.values()].reduce((sum, rows) => sum + rows, 0),
      changed: count('changed'),
      unchanged: count('unchanged'),
      invalid: count('invalid'),
      locked: count('locked'),
      missing: count('missing'),
      conflicts: count('conflict'),
      pending: count('changed') + created,
      ...(collection.kind === 'table' || this.#outcomes.has('new') ? { created } : {}),
      findings: Object.fromEntries(findings),
    };
  }

  #count({ outcome, findings, characters }: Counted, by: 1 | -1): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + by);
    this.#characters += by * characters;
    if (!findings || !isWritten({ outcome })) return;
    for (const what of ['brings', 'removes'] as const) {
      for (const check of findings[what]) {
        const known = this.#findings.get(check) ?? { brings: 0, removes: 0 };
        known[what] += by;
        this.#findings.set(check, known);
      }
    }
  }
}
