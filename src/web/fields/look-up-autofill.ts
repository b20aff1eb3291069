import type { QueryClient } from '@tanstack/react-query';
import { findByName } from '#shared/rules/names.ts';
import { type Fill, fillsOf, type LookUpField, referencedDatasetsQuery } from './look-up.ts';

/** Maximum delay of a save while a table is being read, in milliseconds. */
const MAX_WAIT = 1500;

interface TypedField {
  /** its text before anything was typed */
  readonly before: string | null;
  /** the texts of the fields that its value may fill, by their names, when it was last typed into */
  readonly others: ReadonlyMap<string, string | null>;
}

export interface LookUpAutofill {
  /** text is being typed into the field; called before its text changes */
  readonly typed: (field: string) => void;
  /** an option was chosen from the list, which has filled the other fields, or the typed text was discarded */
  readonly chosen: (field: string) => void;
  readonly isPending: () => boolean;
  /** fills the fields that belong to the typed value */
  readonly settle: () => Promise<void>;
}

/** A record that is being edited. */
interface EditedRecord {
  readonly fields: readonly (LookUpField & { readonly name: string })[];
  /** the current text of one of the fields; null: none, or not a single text */
  readonly textAt: (field: string) => string | null;
  /** fills some of the fields */
  readonly fill: (fills: readonly Fill[]) => void;
}

/**
 * A completely typed value of a field with options from a table counts as a choice of its dataset, even if the user
 * moves on before the options are loaded.
 */
export function createLookUpAutofill(
  client: QueryClient,
  { fields, textAt, fill }: EditedRecord,
): LookUpAutofill {
  const pending = new Map<string, TypedField>();
  const running = new Set<Promise<unknown>>();

  const fillFrom = async (name: string, { before, others }: TypedField) => {
    const field = findByName(fields, name);
    const text = textAt(name);
    // Put back: the other fields keep what they had with this value.
    if (!field || text === null || text === '' || text === before) return;
    const named = await client.query(referencedDatasetsQuery(field, text)).catch(() => null);
    const typedAgain = pending.get(name);
    if (typedAgain) pending.set(name, { ...typedAgain, before });
    if (!named || typedAgain || textAt(name) !== text) return;
    // Text typed there meanwhile takes precedence.
    const fills = fillsOf(named).filter(
      (one) => findByName(fields, one.name) && textAt(one.name) === others.get(one.name),
    );
    if (fills.length > 0) fill(fills);
  };
  return {
    typed: (name) => {
      const from = findByName(fields, name)?.optionsFrom;
      if (!from) return;
      const { before } = pending.get(name) ?? { before: textAt(name) };
      const others = new Map(Object.keys(from.fills).map((one) => [one, textAt(one)]));
      pending.set(name, { before, others });
    },
    chosen: (name) => void pending.delete(name),
    isPending: () => pending.size > 0 || running.size > 0,
    settle: async () => {
      for (const [name, typed] of pending) {
        const work = fillFrom(name, typed).finally(() => running.delete(work));
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
