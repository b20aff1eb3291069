import { keywordFieldName } from '#shared/rules/names.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { StoredField } from '#server/database/records/columns.ts';
import type { StoredDefinition } from '../definitions/stored-definitions.ts';
import {
  successorOf,
  type DefinitionState,
  type FieldState,
} from '../definitions/definition-state.ts';
import { formerNumbersOf, toCollection } from '../definitions/definition-collection.ts';
import { historyNamesOf, UNKNOWN_FIELD, type PurgeDescription } from './purged-entries.ts';

/** The objects that a purge removes. */
export interface PurgeSubject {
  /** with retired fields */
  readonly all: Collection;
  /** without retired fields */
  readonly active: Collection;
  readonly description: Pick<
    PurgeDescription,
    'archive' | 'table' | 'name' | 'field' | 'names' | 'fields'
  >;
  /** null: the archive or table as a whole */
  readonly fields: PurgedFields | null;
}

interface PurgedFields {
  /** the name for users; of a keyword field `keyword.NAME` */
  readonly name: string;
  /** the index field or column, and those that were converted into it */
  readonly values: readonly StoredField[];
  /** the numbers of keyword fields */
  readonly keywords: readonly number[];
  /** the definition without them */
  readonly after: DefinitionState;
}

/**
 * @param number of the retired field; null: the whole archive or table
 * @returns undefined if it is not retired (any more)
 */
export function subjectOf(
  { id, state, retiredAt }: StoredDefinition,
  number: number | null,
): PurgeSubject | undefined {
  const all = toCollection(id, state, retiredAt, 'all');
  const active = toCollection(id, state, retiredAt);
  const known = state.kind === 'archive' ? { archive: state.name } : { table: state.guid };
  if (number === null) {
    if (retiredAt === null) return undefined;
    return {
      all,
      active,
      fields: null,
      description: { ...known, name: state.name, field: null, names: null, fields: [] },
    };
  }
  const fields = withFormer(state.fields, number);
  const keywordFields = state.keywordFields.filter((field) => field.number === number);
  const [field] = [...fields, ...keywordFields];
  if (!field || field.retiredAt === null) return undefined;
  const isKeyword = keywordFields.length > 0;
  const numbers = new Set([...fields, ...keywordFields].map((field) => field.number));
  const without = <Field>(states: readonly FieldState<Field>[]) =>
    states.filter((field) => !numbers.has(field.number));
  const withLinks = <Field>(one: FieldState<Field>): FieldState<Field> => {
    const { conversion } = one;
    const from = state.fields.find((stored) => stored.number === conversion?.from);
    if (!conversion || !from || !numbers.has(from.number)) return one;
    const formerOfPurged = formerNumbersOf(state.fields, from.conversion);
    return { ...one, conversion: { ...conversion, formerOfPurged } };
  };
  const name = isKeyword ? keywordFieldName(field.field.name) : field.field.name;
  return {
    all,
    active,
    fields: {
      name,
      values: fields.map((stored) => ({ number: stored.number, type: stored.field.type })),
      keywords: keywordFields.map((field) => field.number),
      after: {
        ...state,
        // Rights on fields that were converted into them are still found.
        fields: without(state.fields).map(withLinks),
        keywordFields: without(state.keywordFields),
        version: state.version + 1,
      },
    },
    description: {
      ...known,
      name: state.name,
      field: name,
      names: historyNamesOf(fields, keywordFields),
      fields: [...numbers, UNKNOWN_FIELD],
    },
  };
}

/**
 * A field, and those which are never shown again: whose values were converted into it, or were brought back from it by a
 * revert.
 */
function withFormer(all: DefinitionState['fields'], number: number): DefinitionState['fields'] {
  const field = all.find((candidate) => candidate.number === number);
  if (!field) return [];
  const has = (candidate: DefinitionState['fields'][number]): boolean => {
    const original = all.find((one) => one.number === candidate.conversion?.original);
    return candidate === field || (original !== undefined && has(original));
  };
  const former = all.filter(
    (candidate) =>
      candidate.isSuperseded && (successorOf(all, candidate) === field || has(candidate)),
  );
  return [field, ...former];
}
