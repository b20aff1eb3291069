import { useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { Side } from '#web/fields/conflict-panel.tsx';

/** An object of the service, and its version. */
interface Versioned<Values> {
  /** properties that are equal in two versions are the same objects in both, as in the data of queries */
  readonly values: Values;
  readonly etag: string | null;
}

/**
 * The version of an object that a form changes: the current one, until somebody else changes a property that is also
 * changed in the form. A save is a conflict from then on, until the user has resolved it.
 */
export function useBaseVersion<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  current: Versioned<Values>,
) {
  const { dirtyFields } = form.formState;
  const [base, setBase] = useState<Versioned<Values> | null>(current);
  const conflicts =
    base === null
      ? []
      : Object.keys(dirtyFields).filter((name) => base.values[name] !== current.values[name]);
  if (base === null || (base.etag !== current.etag && conflicts.length === 0)) setBase(current);
  const { values, etag } = base ?? current;
  return {
    etag,
    /** before the user and somebody else changed them */
    values,
    /** the names of the properties that both have changed */
    conflicts,
    /** Puts the chosen values into the form, which changes the current version from then on. */
    resolve: (choices: ReadonlyMap<string, Side>) => {
      const chosen = conflicts.flatMap((name): [string, unknown][] => {
        const side = choices.get(name);
        return side === 'mine' ? [] : [[name, (side === 'base' ? values : current.values)[name]]];
      });
      form.setValues((shown) => ({ ...shown, ...Object.fromEntries(chosen) }), {
        shouldDirty: true,
      });
      setBase(current);
    },
    /** The service has stored the values that were sent, and they were read again. Later input stays a change. */
    accept: (sent: Values) => {
      // The form may already have values of the service that are newer than those that were sent.
      const changed = Object.entries(sent).filter(([name]) => name in form.formState.dirtyFields);
      form.reset((shown) => ({ ...shown, ...Object.fromEntries(changed) }), {
        keepValues: true,
        keepDirty: false,
      });
      setBase(null);
    },
  };
}
