import type { BuiltInCheck } from '#shared/rules/check-words.ts';
import type { RevisionRead } from '#web/api/revisions.queries.ts';
import { createStore, type Store } from '#web/api/create-store.ts';
import { storedIn } from '#web/fields/index-data.ts';
import type { CheckedRecord, FieldFinding, FindingsByPlace } from '#web/findings/finding.ts';
import type { FindingsSource } from '#web/findings/findings-source.ts';
import { reuseUnchangedFindings } from '#web/findings/reuse-unchanged-findings.ts';
import type { FormValues } from '../form-values.ts';
import { parseFormRecord } from './form-record.ts';

/** The present findings in a form, by the places of its fields. */
export interface Findings {
  readonly subscribe: (listener: () => void) => () => void;
  /** the same array while nothing changes at the field */
  readonly at: (place: string) => readonly FieldFinding[];
  readonly isBlocked: (place: string) => boolean;
  /** whether one of these checks has a finding or an exception at the field */
  readonly hasFindingOf: (place: string, checks: readonly BuiltInCheck[]) => boolean;
  /** the places that prevent saving the form, in form order */
  readonly blocked: () => readonly string[];
  /** the record that the form edits */
  readonly source: () => Pick<FormSource, 'archive' | 'base'>;
  /** the finding for which the user is making an exception; null: none */
  readonly pendingException: Store<PendingException | null>;
  /** Updates the source data other than the values of the form. */
  readonly setSource: (source: FormSource) => void;
  /** Evaluates the checks for the values of the form. */
  readonly setValues: (values: FormValues) => void;
}

/** A finding at a field whose exception needs a reason. */
interface PendingException {
  readonly place: string;
  readonly finding: FieldFinding;
}

export interface FormSource extends Pick<
  FindingsSource,
  'fields' | 'evaluator' | 'isEditable' | 'compared'
> {
  /** the archive's table name */
  readonly archive: string;
  /** the version that is being edited */
  readonly base: RevisionRead;
  /** undefined: not loaded yet, or there is nothing to find */
  readonly compute:
    | ((source: FindingsSource, record: CheckedRecord) => FindingsByPlace)
    | undefined;
}

const NONE: readonly FieldFinding[] = [];
const NOTHING: FindingsByPlace = new Map();

export function createFindings(source: FormSource, values: FormValues): Findings {
  let from = source;
  let last = values;
  const found = () => {
    const { base, fields, compute } = from;
    const storedOf: FindingsSource['storedOf'] = (field) => storedIn(base.revision, field);
    const record = compute && parseFormRecord(fields, base.revision, last);
    return record ? compute({ ...base, ...from, storedOf }, record) : NOTHING;
  };
  const store = createStore<FindingsByPlace>(found());
  const compute = () => store.set(reuseUnchangedFindings(store.get(), found()));
  const at = (place: string) => store.get().get(place) ?? NONE;
  return {
    subscribe: store.subscribe,
    at,
    isBlocked: (place) => at(place).some((one) => one.isBlocking),
    hasFindingOf: (place, checks) =>
      at(place).some(({ check }) => checks.some((name) => name === check)),
    blocked: () =>
      [...store.get()].flatMap(([place, all]) => (all.some((one) => one.isBlocking) ? place : [])),
    source: () => from,
    pendingException: createStore<PendingException | null>(null),
    setSource(next) {
      from = next;
      compute();
    },
    setValues(next) {
      last = next;
      compute();
    },
  };
}
