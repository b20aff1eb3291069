import * as texts from '#messages/bulk-correction.ts';
import * as undoTexts from '#messages/undo-problems.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { type NameOf, nameOfIn } from '#web/api/display-names.queries.ts';
import { isSameValue } from '#web/fields/field-model.ts';
import { storedIn } from '#web/fields/index-data.ts';
import { reasonOfEdit, revertReport } from '#web/undo/revert-report.ts';
import type { RevertResult, RevertibleStep } from '#web/undo/undo-history.ts';
import type { UndoDirection } from '#web/undo/undo-steps.ts';
import { sendCorrection } from './correction.calls.ts';
import { bulkEntryOf } from './bulk-request.ts';
import type { Edit, PlannedRevision } from './plan.ts';
import { type LoadedRevision, readRevisions } from './read-revisions.ts';
import { parseRejection } from './rejection.ts';

/** How often it is retried when others save at the same time. */
const MAX_ATTEMPTS = 5;

/** The outcome of reverting a correction of several revisions. */
export interface RevertedCorrection extends RevertResult {
  /** the number of revisions with restored values */
  readonly count: number;
}

/** A correction of several revisions in one call. */
export interface CorrectionStep extends RevertibleStep {
  readonly revert: () => Promise<RevertedCorrection>;
}

/**
 * A correction as a revertible step, while the tab is open; null: it changed nothing.
 * @param bulkEditId under which the service stores it; null: it reverts another one, which is stored
 */
export function stepOfCorrection(
  client: QueryClient,
  archive: ArchiveDetail,
  sent: readonly PlannedRevision[],
  bulkEditId: string | null,
): CorrectionStep | null {
  const corrected = sent.filter(({ edits }) => edits.length > 0);
  if (corrected.length === 0) return null;
  const count = corrected.length;
  return {
    label: texts.revisions(count),
    recordId: null,
    failure: (direction, failure) => {
      const of = { count, reason: summary(failure) };
      return direction === 'undo'
        ? undoTexts.correctionNotUndone(of)
        : undoTexts.correctionNotRedone(of);
    },
    revert: () => revertCorrection(client, archive, corrected, bulkEditId),
  };
}

/**
 * Restores the old values in the revisions of a correction, in one call, based on their newest versions. A revision in
 * which one of the corrected fields has changed since is left out and reported; changes of other fields stay.
 */
async function revertCorrection(
  client: QueryClient,
  archive: ArchiveDetail,
  corrected: readonly PlannedRevision[],
  reverts: string | null,
): Promise<RevertedCorrection> {
  // Rejected revisions, with the version that was sent.
  let rejected = new Map<string, { readonly etag: string; readonly message: string }>();
  const finallyRejected = new Map<string, string>();
  try {
    for (let tries = 1; ; tries++) {
      const pending = corrected.filter(({ revision }) => !finallyRejected.has(revision.revisionId));
      const ids = pending.map(({ revision }) => revision.revisionId);
      const now = await readRevisions(archive, ids);
      for (const [revisionId, { etag, message }] of rejected) {
        // A newer version may contain a change of another field only: it is retried once.
        if (now.get(revisionId)?.etag === etag) finallyRejected.set(revisionId, message);
      }
      const retried = pending.filter(({ revision }) => !finallyRejected.has(revision.revisionId));
      const { revertible, left } = splitRevertible(retried, now, nameOfIn(client));
      try {
        const bulkEditId =
          revertible.length > 0 ? await sendOldValues(archive, revertible, reverts) : null;
        const count = revertible.length;
        const labels = labelsOf(corrected.flatMap(({ edits }) => edits));
        const unreverted = [...finallyRejected, ...left].map(([id, reason]) => ({
          id,
          subject: texts.revision(id),
          reason,
        }));
        return {
          count,
          report: (direction) => revertReport(outcomeText(count, labels, direction), unreverted),
          inverse: stepOfCorrection(client, archive, revertible, bulkEditId),
        };
      } catch (error) {
        const { byRevision } = parseRejection(toFailure(error));
        if (byRevision.size === 0 || tries === MAX_ATTEMPTS) throw error;
        rejected = new Map(
          revertible.flatMap(({ revision: { revisionId, etag } }) => {
            const problems = byRevision.get(revisionId);
            const message = problems?.map((problem) => problem.message).join(' ');
            return message === undefined ? [] : [[revisionId, { etag, message }]];
          }),
        );
      }
    }
  } finally {
    void client.invalidateQueries({ queryKey: archiveKeys.all });
  }
}

/** The revisions whose old values can be restored, and why the others stay, by revisionId. */
function splitRevertible(
  corrected: readonly PlannedRevision[],
  now: ReadonlyMap<string, LoadedRevision>,
  nameOf: NameOf,
) {
  const revertible: PlannedRevision[] = [];
  const left = new Map<string, string>();
  for (const { revision, edits, ...rest } of corrected) {
    const { revisionId } = revision;
    const read = now.get(revisionId);
    const changedEdits = read ? edits.filter((edit) => !isStillStored(read, edit)) : [];
    if (!read) left.set(revisionId, texts.revisionNotFound);
    else if (changedEdits.length > 0)
      left.set(revisionId, changedSince(read, changedEdits, nameOf));
    else {
      const inverse = edits.map((edit) => ({ ...edit, before: edit.after, after: edit.before }));
      revertible.push({ ...rest, revision: read, edits: inverse });
    }
  }
  return { revertible, left };
}

/** @returns the id under which the service stores it */
async function sendOldValues(
  archive: ArchiveDetail,
  revertible: readonly PlannedRevision[],
  reverts: string | null,
): Promise<string | null> {
  const revisions = revertible.map(({ revision, edits }) =>
    bulkEntryOf(
      revision,
      edits.map(({ field, after }) => ({ name: field.name, value: after })),
    ),
  );
  const sent = await sendCorrection(archive, { method: 'PATCH', body: { revisions }, reverts });
  return sent.bulkEditId;
}

function outcomeText(count: number, labels: readonly string[], direction: UndoDirection): string {
  const { some, none } = OUTCOMES[direction];
  return count > 0 ? some({ count, labels }) : none;
}

const OUTCOMES = {
  undo: { some: texts.undone, none: texts.nothingWasUndone },
  redo: { some: texts.redone, none: texts.nothingWasRedone },
} satisfies Record<UndoDirection, unknown>;

/** Whether a field still has the value that the correction stored. */
function isStillStored(revision: LoadedRevision, { field, after }: Edit): boolean {
  return isSameValue(storedIn(revision, field), after);
}

function changedSince(
  { changedBy }: LoadedRevision,
  changedEdits: readonly Edit[],
  nameOf: NameOf,
): string {
  const reason = reasonOfEdit(nameOf(changedBy), null);
  return texts.fieldsEdited({ labels: labelsOf(changedEdits), reason });
}

function labelsOf(edits: readonly Edit[]): string[] {
  return [...new Set(edits.map(({ field }) => field.label))];
}
