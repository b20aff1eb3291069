import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import type { QueryClient } from '@tanstack/react-query';
import { toFailure } from '#web/api/failure.ts';
import { formatCount } from '#shared/messages/format.ts';
import { readHistory } from '#web/api/history.ts';
import { apiPaths } from '#web/api/paths.ts';
import { type NameOf, nameOfIn } from '#web/api/people.queries.ts';
import type { FieldChange, SavedStep, TogetherTaken } from '#web/api/undo.ts';
import { localInstant } from '#web/fields/value-text.ts';
import type { IndexDataBody } from './request-body.ts';
import { revisionQuery, sendIndexData } from './revision.queries.ts';
import { sameStored, storedAt } from './stored-changes.ts';

/** A field that somebody has changed since the save. */
interface ChangedSince {
  readonly label: string;
  readonly by: string;
  /** undefined: the history does not tell */
  readonly at: string | undefined;
}

export interface RevertedSave {
  /** the fields that hold their old value again */
  readonly changes: readonly FieldChange[];
  /** the fields that were left as somebody else made them */
  readonly left: readonly ChangedSince[];
}

/** How often it is tried anew over what others saved a moment before. */
const TRIES = 5;

/**
 * Puts the values back that a save has replaced, over the newest version and only where they are
 * still what that save made of them. Fields that others changed elsewhere stay as they are.
 * @throws {CallError} where the revision cannot be read or changed
 */
export async function takeBack(
  client: QueryClient,
  archive: ArchiveDetail,
  step: SavedStep,
  onChanged: (revision: RevisionDetail) => void,
): Promise<RevertedSave> {
  const query = revisionQuery(archive.table, step.revisionId);
  for (let tries = 1; ; tries++) {
    const now = await client.query({ ...query, staleTime: 0 });
    const holds = (change: FieldChange) => sameStored(storedAt(now.revision, change), change.after);
    const changes = step.changes.filter(holds);
    const lost = step.changes.filter((change) => !holds(change));
    // Told in any case: it is newer than what the page had.
    onChanged(now.revision);
    const left = await changedSince(archive, now.revision, lost, nameOfIn(client));
    if (changes.length === 0) return { changes: [], left };
    try {
      const { data, etag } = await sendIndexData(
        archive.table,
        step.revisionId,
        'PATCH',
        bodyOf(changes),
        now.etag,
      );
      const { indexFields, keywordFields } = data;
      const revision = { ...now.revision, indexFields, keywordFields };
      client.setQueryData(query.queryKey, { revision, etag });
      onChanged(revision);
      // The answer does not say when and by whom; that comes with the next read.
      void client.query({ ...query, staleTime: 0 }).then(
        (read) => onChanged(read.revision),
        () => undefined,
      );
      return { changes, left };
    } catch (error) {
      const failure = toFailure(error);
      if (failure.kind !== 'api' || failure.status !== 412 || tries === TRIES) throw error;
    }
  }
}

function bodyOf(changes: readonly FieldChange[]): IndexDataBody {
  const indexFields: { name: string; value: string | number | boolean | null }[] = [];
  const keywordFields: Exclude<IndexDataBody['keywordFields'], undefined>[number][] = [];
  for (const { name, before } of changes) {
    if (typeof before !== 'object' || before === null) indexFields.push({ name, value: before });
    else if (before.length === 0) keywordFields.push({ name, keywords: '' });
    else keywordFields.push(...before.map((value) => ({ name, value })));
  }
  return {
    ...(indexFields.length > 0 ? { indexFields } : {}),
    ...(keywordFields.length > 0 ? { keywordFields } : {}),
  };
}

/** Who changed the fields last, by the revision's history; else who changed the revision last. */
async function changedSince(
  archive: ArchiveDetail,
  revision: RevisionDetail,
  lost: readonly FieldChange[],
  nameOf: NameOf,
): Promise<ChangedSince[]> {
  if (lost.length === 0) return [];
  const path = apiPaths.revisionHistory(archive.table, revision.revisionId);
  const history = await readHistory(path).catch(() => []);
  return lost.map(({ kind, name, label }) => {
    const at = kind === 'indexFields' ? name : `keyword.${name}`;
    const entry = history.find(({ changes }) => changes.some((change) => change.name === at));
    return entry
      ? { label, by: nameOf(entry.user), at: localInstant(entry.at) }
      : { label, by: nameOf(revision.changedBy), at: undefined };
  });
}

/** The save that does again what undoing a save has undone. */
export function inverseOf(revisionId: string, { changes }: RevertedSave): SavedStep {
  return {
    kind: 'saved',
    revisionId,
    changes: changes.map((change) => ({ ...change, before: change.after, after: change.before })),
  };
}

/** What was done with a step. */
export type Verb = 'undone' | 'redone';

/** The outcome in whole sentences. */
export function revertedSaveText(
  revisionId: string,
  { changes, left }: RevertedSave,
  verb: Verb = 'undone',
): string {
  const labels = changes.map(({ label }) => label);
  const done =
    labels.length > 0
      ? sentence(`${begun(verb)} in revision ${revisionId}: ${labels.join(', ')}`)
      : `Nothing was ${verb} in revision ${revisionId}.`;
  const others = left.map(
    ({ label, by, at }) =>
      `${label} was changed by ${by}${at === undefined ? '' : ` at ${at}`} since then and stays.`,
  );
  return [done, ...others].join(' ');
}

/** More are told by their number. */
const MOST_LEFT = 3;

/** The outcome for several revisions in whole sentences. */
export function togetherWords({ count, labels, left }: TogetherTaken, verb: Verb): string {
  const revisions = count === 1 ? '1 revision' : `${formatCount(count)} revisions`;
  const done =
    count > 0
      ? sentence(`${begun(verb)} in ${revisions}: ${labels.join(', ')}`)
      : `Nothing was ${verb}.`;
  if (left.length > MOST_LEFT) {
    return `${done} ${formatCount(left.length)} revisions stay as they are, as somebody has changed them since then.`;
  }
  const others = left.map(
    ({ revisionId, message }) => `Revision ${revisionId} stays as it is: ${message}`,
  );
  return [done, ...others].join(' ');
}

function begun(verb: Verb): string {
  return verb.replace(/^./, (first) => first.toUpperCase());
}

/** A label may end with a full stop of its own. */
function sentence(words: string): string {
  return words.replace(/\.?$/, '.');
}
