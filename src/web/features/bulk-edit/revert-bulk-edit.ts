import * as undoTexts from '#messages/undo.ts';
import { formatCount } from '#shared/messages/format.ts';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { toFailure } from '#web/api/failure.ts';
import { type NameOf, nameOfIn } from '#web/api/people.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import {
  type RevertResult,
  type UnrevertedReason,
  undoHistoryOf,
  type RevertibleStep,
  type Verb,
} from '#web/undo/undo-history.ts';
import { sendCorrection } from './bulk-edit.queries.ts';
import type { BulkEntry, KeywordEntry } from './bulk-request.ts';
import { countedRevisions } from './counted.ts';
import type { Edit, PlannedRevision } from './plan.ts';
import { readRevisions } from './read-revisions.ts';
import { readRefusal } from './refusal.ts';
import { keywordsOf, type RevisionRead } from './revision-read.ts';

/** How often it is tried anew over what others save a moment before. */
const TRIES = 5;

/** The outcome of reverting a correction of several revisions. */
export interface RevertedCorrection extends RevertResult {
  /** how many revisions hold their old values again */
  readonly count: number;
}

/** A correction of several revisions by one call. */
export interface CorrectionStep extends RevertibleStep {
  readonly revert: () => Promise<RevertedCorrection>;
}

/**
 * A correction as a step that can be reverted, as long as the tab is open; null: it has changed nothing.
 * @param bulkEditId under which the service stores it; null: it reverts another one, which is stored so
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
    label: countedRevisions(count),
    recordId: null,
    failure: (verb, reason) =>
      verb === 'undone'
        ? undoTexts.correctionNotUndone({ count, reason })
        : undoTexts.correctionNotRedone({ count, reason }),
    revert: () => revertCorrection(client, archive, corrected, bulkEditId),
  };
}

/** Reverts a correction that has just been made. */
export function useRevertBulkEdit(archive: ArchiveDetail) {
  const client = useQueryClient();
  const { username } = useSession();
  return useMutation({
    mutationFn: async (step: CorrectionStep): Promise<RevertedCorrection> => {
      const reverted = await step.revert();
      undoHistoryOf(client, username, archive.table).replace(step, reverted.inverse);
      return reverted;
    },
  });
}

/**
 * Restores the old values in the revisions of a correction, in one call, over their newest versions.
 * A revision in which one of the corrected fields was changed since is left out and reported; changes of
 * other fields stay.
 */
async function revertCorrection(
  client: QueryClient,
  archive: ArchiveDetail,
  corrected: readonly PlannedRevision[],
  takesBack: string | null,
): Promise<RevertedCorrection> {
  // What was refused, with the version that it was sent for.
  let refused = new Map<string, { readonly etag: string; readonly message: string }>();
  const lasting = new Map<string, string>();
  try {
    for (let tries = 1; ; tries++) {
      const going = corrected.filter(({ revision }) => !lasting.has(revision.revisionId));
      const ids = going.map(({ revision }) => revision.revisionId);
      const now = await readRevisions(archive, ids, { signal: new AbortController().signal });
      for (const [revisionId, { etag, message }] of refused) {
        // In a newer version another field may have been changed: it is tried once more.
        if (now.get(revisionId)?.etag === etag) lasting.set(revisionId, message);
      }
      const left = new Map(lasting);
      const taken: PlannedRevision[] = [];
      for (const { revision, edits, ...rest } of going) {
        const { revisionId } = revision;
        if (lasting.has(revisionId)) continue;
        const read = now.get(revisionId);
        const lost = read ? edits.filter((edit) => !holds(read, edit)) : [];
        if (!read) left.set(revisionId, 'It was not found.');
        else if (lost.length > 0)
          left.set(revisionId, changedSince(archive, read, lost, nameOfIn(client)));
        else taken.push({ ...rest, revision: read, edits: edits.map(inverseOf) });
      }
      try {
        let kept: string | null = null;
        if (taken.length > 0) {
          const body = { revisions: taken.map(entryOf) };
          const sent = await sendCorrection(archive, { method: 'PATCH', body, takesBack });
          kept = sent.bulkEditId;
        }
        const count = taken.length;
        const allEdits = corrected.flatMap(({ edits }) => edits);
        const unreverted = [...left].map(([id, message]) => ({ id, message }));
        return {
          count,
          message: (verb) => outcomeText(count, labelsOf(archive, allEdits), unreverted, verb),
          unreverted,
          inverse: stepOfCorrection(client, archive, taken, kept),
        };
      } catch (error) {
        const { byRevision } = readRefusal(toFailure(error));
        if (byRevision.size === 0 || tries === TRIES) throw error;
        refused = new Map(
          taken.flatMap(({ revision: { revisionId, etag } }) => {
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

/** As many reasons are given one by one. */
const MAX_REASONS = 3;

function outcomeText(
  count: number,
  labels: readonly string[],
  unreverted: readonly UnrevertedReason[],
  verb: Verb,
): string {
  const outcome =
    count > 0
      ? // A label may end with a full stop of its own.
        `${VERBS[verb]} in ${countedRevisions(count)}: ${labels.join(', ')}`.replace(/\.?$/, '.')
      : `Nothing was ${verb}.`;
  if (unreverted.length > MAX_REASONS) {
    return `${outcome} ${formatCount(unreverted.length)} revisions stay as they are, as somebody has changed them since then.`;
  }
  const reasons = unreverted.map(({ id, message }) => `Revision ${id} stays as it is: ${message}`);
  return [outcome, ...reasons].join(' ');
}

const VERBS = { undone: 'Undone', redone: 'Redone' } satisfies Record<Verb, string>;

/** Whether a field still holds what the correction made of it. */
function holds(revision: RevisionRead, edit: Edit): boolean {
  if (edit.kind === 'field') {
    const field = revision.indexFields.find(({ name }) => name === edit.name);
    return (field?.value ?? null) === edit.after;
  }
  const now = keywordsOf(revision, edit.name);
  return now.length === edit.after.length && now.every((value, at) => value === edit.after[at]);
}

function inverseOf(edit: Edit): Edit {
  return edit.kind === 'field'
    ? { ...edit, before: edit.after, after: edit.before }
    : { ...edit, before: edit.after, after: edit.before };
}

function changedSince(
  archive: ArchiveDetail,
  { changedBy }: RevisionRead,
  lost: readonly Edit[],
  nameOf: NameOf,
): string {
  const labels = labelsOf(archive, lost).join(', ');
  return `${labels} ${lost.length === 1 ? 'was' : 'were'} changed since then, last by ${nameOf(changedBy)}.`;
}

function labelsOf(archive: ArchiveDetail, edits: readonly Edit[]): string[] {
  const labels = edits.map(({ kind, name }) => {
    const fields =
      kind === 'field' ? archive.indexFieldDefinitions : archive.keywordFieldDefinitions;
    return fields.find((field) => field.name === name)?.label ?? name;
  });
  return [...new Set(labels)];
}

function entryOf({ revision: { revisionId, etag }, edits }: PlannedRevision): BulkEntry {
  const keywordFields = edits.flatMap(keywordEntries);
  return {
    revisionId,
    ifMatch: etag,
    indexFields: edits.flatMap((edit) =>
      edit.kind === 'field' ? [{ name: edit.name, value: edit.after }] : [],
    ),
    ...(keywordFields.length > 0 ? { keywordFields } : {}),
  };
}

function keywordEntries(edit: Edit): KeywordEntry[] {
  if (edit.kind !== 'keywords') return [];
  const { name, after } = edit;
  if (after.length === 0) return [{ name, keywords: '' }];
  return after.map((value) => ({ name, value }));
}
