import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import { isList } from '#web/fields/value-checks.ts';
import { fillsOf, namedQuery } from '#web/fields/look-up.ts';
import { type FormValues, inputName } from './form-values.ts';

/** Maximum delay of a save while a table is being read, in milliseconds. */
const MAX_WAIT = 1500;

/** The contents of the other fields, by their paths, when a value was typed that may fill them. */
type OtherTexts = ReadonlyMap<number, string | null>;

export interface TypedChoices {
  /** text was typed into the field */
  readonly typed: (field: string) => void;
  /** an option was chosen from the list, which has filled the other fields */
  readonly chosen: (field: string) => void;
  readonly isPending: () => boolean;
  /** fills the fields that belong to the typed value */
  readonly settle: () => Promise<void>;
}

type Editors = Pick<UseFormReturn<FormValues>, 'getValues' | 'setValue'>;

/**
 * A completely typed value of a field with options from a table counts as a choice of its dataset, even if the user
 * moves on before the options are loaded.
 */
export function useTypedChoices(archive: ArchiveDetail, form: Editors): TypedChoices {
  const client = useQueryClient();
  const [choices] = useState(() => createTypedChoices(client, archive, form));
  return choices;
}

function createTypedChoices(
  client: QueryClient,
  archive: ArchiveDetail,
  form: Editors,
): TypedChoices {
  const pending = new Map<string, OtherTexts>();
  const running = new Set<Promise<unknown>>();
  const indexOfField = (name: string) =>
    archive.indexFieldDefinitions.findIndex((field) => nameKey(field.name) === nameKey(name));
  const textAt = (index: number) => {
    const value = form.getValues().values[index] ?? null;
    return isList(value) ? null : value;
  };

  const fillFrom = async (name: string, beside: OtherTexts) => {
    const index = indexOfField(name);
    const definition = archive.indexFieldDefinitions[index];
    const text = textAt(index);
    if (!definition || text === null || text === '') return;
    const named = await client.query(namedQuery(client, definition, text)).catch(() => null);
    if (!named || textAt(index) !== text || pending.has(name)) return;
    for (const fill of fillsOf(named)) {
      const at = indexOfField(fill.name);
      // Text typed there meanwhile takes precedence.
      if (at < 0 || textAt(at) !== beside.get(at)) continue;
      form.setValue(inputName(at), fill.text, { shouldValidate: true, shouldDirty: true });
    }
  };
  return {
    typed: (name) => {
      const from = archive.indexFieldDefinitions[indexOfField(name)]?.optionsFrom;
      if (!from) return;
      const indexes = Object.keys(from.fills).map(indexOfField);
      pending.set(name, new Map(indexes.map((index) => [index, textAt(index)])));
    },
    chosen: (name) => void pending.delete(name),
    isPending: () => pending.size > 0 || running.size > 0,
    settle: async () => {
      for (const [name, beside] of pending) {
        const work = fillFrom(name, beside).finally(() => running.delete(work));
        running.add(work);
      }
      pending.clear();
      const over = Promise.withResolvers<void>();
      const timer = setTimeout(over.resolve, MAX_WAIT);
      await Promise.race([Promise.all(running), over.promise]);
      clearTimeout(timer);
    },
  };
}
