import { keywordFieldName } from '#shared/rules/names.ts';
import * as texts from '#messages/index-form.ts';
import * as undoTexts from '#messages/undo-problems.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { readHistory } from '#web/api/history.ts';
import { summary } from '#web/api/failure.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { nameOfIn } from '#web/api/display-names.queries.ts';
import { refetchRevision, type VersionedRevision } from '#web/api/revisions.queries.ts';
import type { StoredContent } from '#web/fields/value-checks.ts';
import { type ArchiveField, bodyOf, fieldsOf, storedIn } from '#web/fields/index-data.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { reasonOfEdit, revertReport, type Unreverted } from '#web/undo/revert-report.ts';
import type { RevertResult, RevertibleStep } from '#web/undo/undo-history.ts';
import type { UndoDirection } from '#web/undo/undo-steps.ts';
import { isSameValue, toFieldValue } from '#web/fields/field-model.ts';
import { inputAssistOf } from './input-assist.ts';
import { saveRevision, type SaveRequest } from './revision.mutations.ts';

/** The change of one field by a save. */
interface FieldChange {
  readonly field: ArchiveField;
  readonly before: StoredContent;
  readonly after: StoredContent;
}

/** The context of a save. */
interface SaveOf {
  readonly client: QueryClient;
  readonly username: string;
  readonly archive: ArchiveDetail;
  readonly revisionId: string;
}

/** A save as a revertible step; null: it changed nothing. */
export function stepOfSave(
  of: SaveOf,
  before: RevisionDetail,
  after: RevisionDetail,
): RevertibleStep | null {
  const changes = fieldsOf(of.archive)
    .map((field) => ({ field, before: storedIn(before, field), after: storedIn(after, field) }))
    .filter((change) => !isSameValue(change.before, change.after));
  return stepOf(of, changes);
}

function stepOf(of: SaveOf, changes: readonly FieldChange[]): RevertibleStep | null {
  if (changes.length === 0) return null;
  const { revisionId } = of;
  return {
    label: revisionId,
    recordId: revisionId,
    failure: (direction, failure) => {
      if (failure.kind === 'api' && failure.status === 404) return undoTexts.notFound(revisionId);
      const of = { id: revisionId, reason: summary(failure) };
      return direction === 'undo' ? undoTexts.saveNotUndone(of) : undoTexts.saveNotRedone(of);
    },
    revert: () => revert(of, changes),
  };
}

/**
 * Restores the values that a save has replaced, based on the newest version and only if the fields still have the saved
 * values. Fields that others changed stay unchanged.
 */
async function revert(of: SaveOf, changes: readonly FieldChange[]): Promise<RevertResult> {
  const { client, username, archive, revisionId } = of;
  let newest = await refetchRevision(client, archive.table, revisionId);
  let reverted: readonly FieldChange[] = [];
  const requestFor = (base: VersionedRevision): SaveRequest | null => {
    newest = base;
    reverted = changes.filter(({ field, after }) =>
      isSameValue(storedIn(base.revision, field), after),
    );
    const old = reverted.map(({ field, before }) => ({ name: field.name, value: before }));
    return reverted.length === 0 ? null : { base, method: 'PATCH', body: bodyOf(old) };
  };
  const request = requestFor(newest);
  if (request) {
    const mutation = client
      .getMutationCache()
      .build(client, client.defaultMutationOptions(saveRevision(archive.table, revisionId)));
    await mutation.execute({ request, rebase: requestFor });
    inputAssistOf(client, username, archive.table).updateValues(
      revisionId,
      new Map(
        reverted.map(({ field, before }) => [field.path, toFieldValue(field.definition, before)]),
      ),
    );
  }
  const changedSince = changes.filter((change) => !reverted.includes(change));
  const unreverted = await explain(of, newest.revision, changedSince);
  const labels = reverted.map(({ field }) => field.label);
  const inverse = reverted.map((change) => ({
    ...change,
    before: change.after,
    after: change.before,
  }));
  return {
    report: (direction) => revertReport(outcomeText(revisionId, labels, direction), unreverted),
    inverse: stepOf(of, inverse),
  };
}

/** Who last changed the fields, from the revision's history; else who last changed the revision. */
async function explain(
  { client, archive, revisionId }: SaveOf,
  revision: RevisionDetail,
  changes: readonly FieldChange[],
): Promise<readonly Unreverted[]> {
  if (changes.length === 0) return [];
  const nameOf = nameOfIn(client);
  const path = apiPaths.revisionHistory(archive.table, revisionId);
  const history = await readHistory(path).catch(() => []);
  return changes.map(({ field: { path, name, label, definition } }) => {
    const id = definition ? name : keywordFieldName(name);
    const entry = history.find((one) => one.changes.some((change) => change.name === id));
    const by = nameOf(entry?.user ?? revision.changedBy);
    const at = entry ? localInstant(entry.at) : null;
    return { id: path, subject: label, reason: reasonOfEdit(by, at) };
  });
}

function outcomeText(
  revisionId: string,
  labels: readonly string[],
  direction: UndoDirection,
): string {
  const { some, none } = OUTCOMES[direction];
  return labels.length > 0 ? some({ id: revisionId, labels: labels.join(', ') }) : none(revisionId);
}

const OUTCOMES = {
  undo: { some: texts.undone, none: texts.nothingUndone },
  redo: { some: texts.redone, none: texts.nothingRedone },
} satisfies Record<UndoDirection, unknown>;
