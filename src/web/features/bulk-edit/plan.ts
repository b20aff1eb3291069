import * as texts from '#messages/bulk-correction.ts';
import type { ArchiveDetail, Session } from '#shared/contract/answers.ts';
import type { NameOf } from '#web/api/display-names.queries.ts';
import { type StoredContent, storedProblem } from '#web/fields/value-checks.ts';
import { isSameValue } from '#web/fields/field-model.ts';
import { type ArchiveField, fieldsOf, storedIn } from '#web/fields/index-data.ts';
import { type FieldChange, type CheckedChange, checkChange } from './change.ts';
import type { LoadedRevision } from './read-revisions.ts';

/** PATCH: only the changed fields. PUT: all fields, unchanged ones exactly as they were read. */
export type Method = 'PATCH' | 'PUT';

/** One field of one revision, before and after. */
export interface Edit {
  readonly field: ArchiveField;
  readonly before: StoredContent;
  readonly after: StoredContent;
}

/** Why a revision cannot be corrected in this way. */
export interface PlanProblem {
  /** `indexFields.NAME`, `keywordFields.NAME`, or null for the revision as a whole */
  readonly path: string | null;
  readonly message: string;
}

export type PlanOutcome = 'changes' | 'same' | 'fails';

export interface PlannedRevision {
  readonly revision: LoadedRevision;
  readonly outcome: PlanOutcome;
  /** the differences; empty if there are none */
  readonly edits: readonly Edit[];
  /** empty unless the correction fails */
  readonly problems: readonly PlanProblem[];
}

export interface PlanOptions {
  readonly method: Method;
  readonly user: Pick<Session, 'username' | 'role'>;
  readonly nameOf: NameOf;
  /** problems that the service has reported, by revisionId */
  readonly rejected?: ReadonlyMap<string, readonly PlanProblem[]>;
}

/**
 * Predicts the effect of the changes on each revision, by the rules of the service: the values in the request are
 * checked (in a PUT all of them, unless the user may only read some fields), another user's lock stops everyone except
 * administrators, equal values are no change.
 * @returns one entry per revision, in the given order
 */
export function plan(
  definition: Pick<ArchiveDetail, 'indexFieldDefinitions'>,
  revisions: readonly LoadedRevision[],
  changes: readonly FieldChange[],
  { method, user, nameOf, rejected }: PlanOptions,
): PlannedRevision[] {
  const checked = changes.map(checkChange);
  const invalid = checked.flatMap((change): PlanProblem[] =>
    change.ok ? [] : [{ path: change.field.path, message: change.message }],
  );
  const changed = new Set(changes.map(({ field }) => field.path));
  const indexFields = fieldsOf({ ...definition, keywordFieldDefinitions: [] });
  // Of those who may only read some fields the service checks what changes: they have to send what the others hold.
  const checksAll = method === 'PUT' && !indexFields.some(({ isReadOnly }) => isReadOnly);
  const untouched = checksAll ? indexFields.filter(({ path }) => !changed.has(path)) : [];
  return revisions.map((revision) => {
    const problems: PlanProblem[] = [
      ...(rejected?.get(revision.revisionId) ?? []),
      ...lockProblem(revision, user, nameOf),
      ...invalid,
    ];
    for (const field of untouched) {
      const message = cachedProblem(revision, field);
      if (message !== null) problems.push({ path: field.path, message });
    }
    const edits = checked.flatMap((change) => editOf(revision, change));
    const outcome = problems.length > 0 ? 'fails' : edits.length > 0 ? 'changes' : 'same';
    return { revision, outcome, edits, problems };
  });
}

const storedProblems = new WeakMap<
  LoadedRevision,
  Map<ArchiveField['definition'], string | null>
>();

/** Cached, because a plan is recomputed with every typed key while the stored values stay the same. */
function cachedProblem(revision: LoadedRevision, field: ArchiveField): string | null {
  const { definition } = field;
  let known = storedProblems.get(revision);
  if (!known) storedProblems.set(revision, (known = new Map()));
  let problem = known.get(definition);
  if (problem === undefined) {
    problem = storedProblem(definition, storedIn(revision, field));
    known.set(definition, problem);
  }
  return problem;
}

function lockProblem(
  revision: LoadedRevision,
  user: PlanOptions['user'],
  nameOf: NameOf,
): PlanProblem[] {
  const { lockedBy } = revision;
  if (lockedBy === null || lockedBy === user.username || user.role === 'administrator') return [];
  return [{ path: null, message: texts.lockedBy(nameOf(lockedBy)) }];
}

function editOf(revision: LoadedRevision, change: CheckedChange): Edit[] {
  if (!change.ok) return [];
  const { field, value: after } = change;
  const before = storedIn(revision, field);
  return isSameValue(before, after) ? [] : [{ field, before, after }];
}
