import { useState } from 'react';
import type { Scalar } from '#shared/values/value-type.ts';
import { isSameValue } from '#web/fields/field-model.ts';
import { isList } from '#web/fields/value-checks.ts';
import { type ComparedField, type ComparedRecord, isEmpty } from './compare.ts';

/** The request body of a merge. */
export interface MergeRequest {
  readonly keep: { readonly jrid: string; readonly ifMatch?: string };
  readonly merge: readonly { readonly jrid: string; readonly ifMatch?: string }[];
  readonly values: Readonly<Record<string, Scalar>>;
}

/** The chosen value of each field for the remaining record. @param keep the remaining record */
export function useMerge(
  fields: readonly ComparedField[],
  records: readonly ComparedRecord[],
  keep: ComparedRecord | undefined,
) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  /** The chosen one; else the value of the remaining record, or the first value if it has none. */
  const sourceOf = ({ path, isReadOnly }: ComparedField): ComparedRecord | undefined => {
    if (isReadOnly) return keep;
    const has = ({ values }: ComparedRecord) => !isEmpty(values.get(path));
    const picked = records.find(({ id }) => id === chosen.get(path));
    return picked ?? (keep && has(keep) ? keep : (records.find(has) ?? keep));
  };
  const request = (): MergeRequest | null => {
    if (!keep) return null;
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
    sourceOf,
    request,
    choose: ({ path }: ComparedField, id: string) =>
      setChosen((before) => new Map(before).set(path, id)),
  };
}

function versionOf({ id, etag }: ComparedRecord) {
  return { jrid: id, ...(etag === null ? {} : { ifMatch: etag }) };
}
