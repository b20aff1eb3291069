import type { ArchiveDetail, Session } from '#shared/contract/answers.ts';
import type { NameOf } from '#web/api/people.queries.ts';
import type { Scalar } from '#shared/values/values.ts';
import { storedProblem } from '#web/fields/check-value.ts';
import {
  type Change,
  type CheckedChange,
  checkChange,
  type IndexFieldDefinition,
} from './change.ts';
import { keywordsOf, type RevisionRead } from './revision-read.ts';

/** PATCH: the changed fields alone. PUT: the full set, all other fields exactly as they were read. */
export type Method = 'PATCH' | 'PUT';

/** One value of one revision, before and after. */
export type Edit =
  | {
      readonly kind: 'field';
      readonly name: string;
      readonly before: Scalar;
      readonly after: Scalar;
    }
  | {
      readonly kind: 'keywords';
      readonly name: string;
      readonly before: readonly string[];
      readonly after: readonly string[];
    };

/** Why a revision cannot be corrected so. */
export interface Problem {
  /** `indexFields.NAME`, `keywordFields.NAME`, or null for the revision as a whole */
  readonly place: string | null;
  readonly message: string;
}

export type Outcome = 'changes' | 'same' | 'fails';

export interface PlannedRevision {
  readonly revision: RevisionRead;
  readonly outcome: Outcome;
  /** what would differ afterwards; empty where nothing would */
  readonly edits: readonly Edit[];
  /** empty unless it fails */
  readonly problems: readonly Problem[];
}

export interface PlanOptions {
  readonly method: Method;
  readonly user: Pick<Session, 'username' | 'role'>;
  readonly nameOf: NameOf;
  /** what the service already refused, by revisionId */
  readonly refused?: ReadonlyMap<string, readonly Problem[]>;
}

/**
 * Foretells what the changes would do to each revision, by the rules that the service applies: the
 * values named in the request are checked (in a PUT that is all of them), a lock of somebody else
 * stops all but administrators, equal values are no change.
 * @returns one entry per revision, in the order given
 */
export function plan(
  definition: Pick<ArchiveDetail, 'indexFieldDefinitions'>,
  revisions: readonly RevisionRead[],
  changes: readonly Change[],
  { method, user, nameOf, refused }: PlanOptions,
): PlannedRevision[] {
  const checked = changes.map(checkChange);
  const invalid = checked.flatMap((change): Problem[] =>
    change.ok ? [] : [{ place: change.place, message: change.message }],
  );
  const changedFields = new Set(
    changes.flatMap((change) => (change.kind === 'field' ? [change.field.name] : [])),
  );
  const untouched =
    method === 'PUT'
      ? definition.indexFieldDefinitions.filter(({ name }) => !changedFields.has(name))
      : [];
  return revisions.map((revision) => {
    const problems: Problem[] = [
      ...(refused?.get(revision.revisionId) ?? []),
      ...lockProblem(revision, user, nameOf),
      ...invalid,
    ];
    for (const field of untouched) {
      const message = cachedProblem(revision, field);
      if (message !== null) problems.push({ place: `indexFields.${field.name}`, message });
    }
    const edits = checked.flatMap((change) => editOf(revision, change));
    const outcome = problems.length > 0 ? 'fails' : edits.length > 0 ? 'changes' : 'same';
    return { revision, outcome, edits, problems };
  });
}

const storedProblems = new WeakMap<RevisionRead, Map<IndexFieldDefinition, string | null>>();

/** Cached: a plan is made with every key that is typed, and stored values do not change meanwhile. */
function cachedProblem(revision: RevisionRead, field: IndexFieldDefinition): string | null {
  let known = storedProblems.get(revision);
  if (!known) storedProblems.set(revision, (known = new Map()));
  let problem = known.get(field);
  if (problem === undefined) {
    problem = storedProblem(field, valueOf(revision, field.name));
    known.set(field, problem);
  }
  return problem;
}

function lockProblem(revision: RevisionRead, user: PlanOptions['user'], nameOf: NameOf): Problem[] {
  const { lockedBy } = revision;
  if (lockedBy === null || lockedBy === user.username || user.role === 'administrator') return [];
  return [{ place: null, message: `The revision is locked by ${nameOf(lockedBy)}.` }];
}

function valueOf(revision: RevisionRead, name: string): Scalar {
  return revision.indexFields.find((field) => field.name === name)?.value ?? null;
}

function editOf(revision: RevisionRead, change: CheckedChange): Edit[] {
  if (!change.ok) return [];
  const { name } = change;
  if (change.kind === 'field') {
    const before = valueOf(revision, name);
    const after = change.value;
    return before === after ? [] : [{ kind: 'field', name, before, after }];
  }
  const before = keywordsOf(revision, name);
  const after = change.keywords;
  const same = before.length === after.length && before.every((value, i) => value === after[i]);
  return same ? [] : [{ kind: 'keywords', name, before, after }];
}
