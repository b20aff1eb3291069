import { useState } from 'react';
import type { Scalar } from '#shared/values/value-type.ts';
import { isSameValue } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { isList } from '#web/fields/value-checks.ts';
import { type ComparedRecord, isEmpty } from './compare.ts';

/** The request body of a merge. */
export interface MergeRequest {
  readonly keep: { readonly jrid: string; readonly ifMatch?: string };
  readonly merge: readonly { readonly jrid: string; readonly ifMatch?: string }[];
  readonly values: Readonly<Record<string, Scalar>>;
}

interface MergeOptions {
  readonly fields: readonly ArchiveField[];
  /** of the records of the group */
  readonly ids: readonly string[];
  /** those of them that have been read */
  readonly read: readonly ComparedRecord[];
  /** the record for the keys, into which the others are merged */
  readonly current: ComparedRecord | null;
  /** whether the record for the keys has left the group */
  readonly isGone: boolean;
}

/** A merge of the records of a group: which take part, and the chosen value of each field for the remaining record. */
export function useMerge({ fields, ids, read, current, isGone }: MergeOptions) {
  // Records that join the group later were not chosen.
  const [merging, setMerging] = useState<readonly string[] | null>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const toMerge = merging ? ids.filter((id) => merging.includes(id)) : ids;
  // The record into which the others were to be merged, or all the others.
  if (merging && (isGone || toMerge.length < 2)) setMerging(null);
  const records = read.filter(({ id }) => toMerge.includes(id));
  const keep = records.find(({ id }) => id === current?.id);
  const isReady = records.length === toMerge.length && records.length > 1;
  /** The chosen one; else the value of the remaining record, or the first value if it has none. */
  const sourceOf = ({ path, isReadOnly }: ArchiveField): ComparedRecord | undefined => {
    if (isReadOnly) return keep;
    const has = ({ values }: ComparedRecord) => !isEmpty(values.get(path));
    const picked = records.find(({ id }) => id === chosen.get(path));
    return picked ?? (keep && has(keep) ? keep : (records.find(has) ?? keep));
  };
  const request = (): MergeRequest | null => {
    if (!merging || !isReady || !keep) return null;
    const values = fields.flatMap((field): [string, Scalar][] => {
      const value = sourceOf(field)?.values.get(field.path) ?? null;
      const remainingValue = keep.values.get(field.path) ?? null;
      return isList(value) || isSameValue(value, remainingValue) ? [] : [[field.name, value]];
    });
    return {
      keep: versionOf(keep),
      merge: records.filter(({ id }) => id !== keep.id).map(versionOf),
      values: Object.fromEntries(values),
    };
  };
  return {
    isMerging: merging !== null,
    /** whether a merge can start */
    isReady,
    /** null: none, or its records are not all read */
    request: request(),
    keep,
    takesPart: (record: ComparedRecord) => records.includes(record),
    sourceOf,
    choose: ({ path }: ArchiveField, id: string) =>
      setChosen((before) => new Map(before).set(path, id)),
    start: () => setMerging((before) => before ?? ids),
    cancel: () => setMerging(null),
  };
}

function versionOf({ id, etag }: ComparedRecord) {
  return { jrid: id, ...(etag === null ? {} : { ifMatch: etag }) };
}
