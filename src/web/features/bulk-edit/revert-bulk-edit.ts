import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { toFailure } from '#web/api/failure.ts';
import { type NameOf, nameOfIn } from '#web/api/people.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { type TogetherStep, type TogetherTaken, undoOf } from '#web/api/undo.ts';
import { sendCorrection } from './bulk-edit.queries.ts';
import type { BulkEntry, KeywordEntry } from './bulk-request.ts';
import type { Edit, PlannedRevision } from './plan.ts';
import { readRevisions } from './read-revisions.ts';
import { readRefusal } from './refusal.ts';
import { keywordsOf, type RevisionRead } from './revision-read.ts';

/** How often it is tried anew over what others save a moment before. */
const TRIES = 5;

/**
 * A correction as something that can be undone by the keys for it, as long as the tab is open.
 * @param bulkEditId under which the service keeps it; null: it undoes another, which is kept so
 */
export function togetherStep(
  client: QueryClient,
  archive: ArchiveDetail,
  sent: readonly PlannedRevision[],
  bulkEditId: string | null,
): TogetherStep {
  const corrected = sent.filter(({ edits }) => edits.length > 0);
  return {
    kind: 'together',
    count: corrected.length,
    takeBack: () => takeAllBack(client, archive, corrected, bulkEditId),
  };
}

/** Takes a correction back where it has just been made. */
export function useRevertBulkEdit(archive: ArchiveDetail) {
  const client = useQueryClient();
  const { username } = useSession();
  return useMutation({
    mutationFn: async (step: TogetherStep): Promise<TogetherTaken> => {
      const taken = await step.takeBack();
      undoOf(client, username, archive.table).takenBack(step, taken.inverse);
      return taken;
    },
  });
}

/**
 * Puts the old values back into the revisions of a correction, in one call, over their newest versions.
 * A revision in which one of the corrected fields was changed since is left out and told; changes of
 * other fields stay.
 */
async function takeAllBack(
  client: QueryClient,
  archive: ArchiveDetail,
  corrected: readonly PlannedRevision[],
  takesBack: string | null,
): Promise<TogetherTaken> {
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
        return {
          count: taken.length,
          labels: labelsOf(
            archive,
            corrected.flatMap(({ edits }) => edits),
          ),
          left: [...left].map(([revisionId, message]) => ({ revisionId, message })),
          inverse: taken.length > 0 ? togetherStep(client, archive, taken, kept) : null,
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
