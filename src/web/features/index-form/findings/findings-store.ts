import type { RevisionDetail } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { createStore } from '#web/api/create-store.ts';
import { isBlank, isEdited, parseField } from '#web/fields/field-model.ts';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { CheckedRecord, FieldFinding, FindingsByPath } from '#web/findings/finding.ts';
import type { FindingsSource } from '#web/findings/findings-source.ts';
import { reuseUnchangedFindings } from '#web/findings/reuse-unchanged-findings.ts';
import type { FormValues } from '../form-values.ts';

/** The present findings in a form, by the paths of its fields. */
export type FormFindings = ReturnType<typeof createFindings>;

/** A finding at a field whose exception needs a reason. */
interface PendingException {
  readonly path: string;
  readonly finding: FieldFinding;
}

interface FormSource extends Pick<
  FindingsSource,
  'fields' | 'localChecks' | 'isEditable' | 'compared'
> {
  /** the archive's table name */
  readonly archive: string;
  /** the version that is being edited */
  readonly base: VersionedRevision;
  /** undefined: not loaded yet, or there is nothing to find */
  readonly compute: ((source: FindingsSource, record: CheckedRecord) => FindingsByPath) | undefined;
}

const NONE: readonly FieldFinding[] = [];
const NOTHING: FindingsByPath = new Map();

export function createFindings(source: FormSource, values: FormValues) {
  let from = source;
  let last = values;
  const found = () => {
    const { base, fields, compute } = from;
    const storedOf: FindingsSource['storedOf'] = (field) => storedIn(base.revision, field);
    const record = compute && parseFormRecord(fields, base.revision, last);
    return record ? compute({ ...base, ...from, storedOf }, record) : NOTHING;
  };
  const store = createStore<FindingsByPath>(found());
  const compute = () => store.set(reuseUnchangedFindings(store.get(), found()));
  return {
    subscribe: store.subscribe,
    /** the same array while nothing changes at the field */
    at: (path: string): readonly FieldFinding[] => store.get().get(path) ?? NONE,
    /** the paths that prevent saving the form, in form order */
    blocked: () =>
      [...store.get()].flatMap(([path, all]) => (all.some((one) => one.isBlocking) ? path : [])),
    /** the record that the form edits */
    source: (): Pick<FormSource, 'archive' | 'base'> => from,
    /** the finding for which the user is making an exception; null: none */
    pendingException: createStore<PendingException | null>(null),
    /** Updates the source data other than the values of the form. */
    setSource(next: FormSource) {
      from = next;
      compute();
    },
    /** Evaluates the checks for the values of the form. */
    setValues(next: FormValues) {
      last = next;
      compute();
    },
  };
}

/** Parses the index fields of a form. Unchanged values are taken as stored. */
function parseFormRecord(
  fields: readonly ArchiveField[],
  revision: RevisionDetail,
  { values }: FormValues,
): CheckedRecord {
  const now = new Map<string, Scalar>();
  const edited = new Set<string>();
  const unreadable = new Set<string>();
  for (const [at, field] of fields.entries()) {
    const { name, definition } = field;
    const value = values[at] ?? null;
    const stored = storedIn(revision, field);
    if (!definition || isList(value) || isList(stored)) continue;
    if (!isEdited(definition, stored, value)) {
      now.set(name, stored);
      continue;
    }
    edited.add(name);
    const parsed = parseField(definition, value);
    if (parsed.ok) now.set(name, parsed.value);
    else if (!isBlank(value)) unreadable.add(name);
  }
  return { fields, valueOf: (name) => now.get(name) ?? null, edited, unreadable };
}
