import type { BuiltInCheck } from '#shared/rules/check-words.ts';
import type { RevisionRead } from '#web/api/revisions.queries.ts';
import { createStore, type Store } from '#web/api/create-store.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { FormValues } from '../form-values.ts';
import type { CheckEvaluator } from './evaluate-checks.ts';
import type { FieldFinding } from './field-finding.ts';

/** What the checks find in a form at this moment, by the places of its fields. */
export interface Findings {
  readonly subscribe: (listener: () => void) => () => void;
  /** the same array as long as nothing changes at the field */
  readonly at: (place: string) => readonly FieldFinding[];
  readonly isBlocked: (place: string) => boolean;
  /** whether one of these checks says something at the field, be it an exception */
  readonly isTold: (place: string, checks: readonly BuiltInCheck[]) => boolean;
  /** the places that keep the form from being saved, in the order of the form */
  readonly blocked: () => readonly string[];
  /** the record that the form edits */
  readonly source: () => Pick<FindingsSource, 'archive' | 'base'>;
  /** the finding of which a person says that it is none; null: none */
  readonly asked: Store<AskedException | null>;
  /** Takes what has changed beside the values of the form. */
  readonly take: (source: FindingsSource) => void;
  /** Evaluates the checks for the values of the form. */
  readonly update: (values: FormValues) => void;
}

/** A finding at a field, for which a reason is asked. */
interface AskedException {
  readonly place: string;
  readonly finding: FieldFinding;
}

export interface FindingsSource {
  /** the archive's table name */
  readonly archive: string;
  readonly fields: readonly ArchiveField[];
  /** the version under the editors */
  readonly base: RevisionRead;
  /** undefined: it is not loaded yet, or there is nothing to find */
  readonly compute: ((source: FindingsSource, values: FormValues) => FindingsByPlace) | undefined;
  /** null: the checks are not loaded, or none can be evaluated */
  readonly evaluator: CheckEvaluator | null;
  /** whether values can be changed, so that some are suggested */
  readonly isEditable: boolean;
  /** the fields that checks on duplicates compare, by the names of the checks */
  readonly compared: ReadonlyMap<string, readonly string[]>;
}

/** The findings of a form by the places of its fields. */
export type FindingsByPlace = ReadonlyMap<string, readonly FieldFinding[]>;
const NONE: readonly FieldFinding[] = [];
const NOTHING: FindingsByPlace = new Map();

/** The built-in checks that the definition of a field answers for. */
export const DEFINITION_CHECKS: readonly BuiltInCheck[] = ['_required', '_rules'];

export function createFindings(source: FindingsSource, values: FormValues): Findings {
  let from = source;
  let last = values;
  const found = () => from.compute?.(from, last) ?? NOTHING;
  const store = createStore<FindingsByPlace>(found());
  const compute = () => store.set(unchangedKept(store.get(), found()));
  const at = (place: string) => store.get().get(place) ?? NONE;
  return {
    subscribe: store.subscribe,
    at,
    isBlocked: (place) => at(place).some((one) => one.isBlocking),
    isTold: (place, checks) => at(place).some(({ check }) => checks.some((name) => name === check)),
    blocked: () =>
      [...store.get()].flatMap(([place, all]) => (all.some((one) => one.isBlocking) ? place : [])),
    source: () => from,
    asked: createStore<AskedException | null>(null),
    take(next) {
      from = next;
      compute();
    },
    update(next) {
      last = next;
      compute();
    },
  };
}

/** The new findings, with the arrays of before where a field has the same. */
function unchangedKept(before: FindingsByPlace, after: FindingsByPlace): FindingsByPlace {
  const kept = new Map(
    [...after].map(([place, now]) => {
      const was = before.get(place);
      return [place, was && JSON.stringify(was) === JSON.stringify(now) ? was : now];
    }),
  );
  const isSame = kept.size === before.size && [...kept].every(([p, all]) => before.get(p) === all);
  return isSame ? before : kept;
}
