import { useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/** An object of the service, and its version. */
interface Versioned<Values> {
  /** properties that are equal in two versions are the same objects in both, as in the data of queries */
  readonly values: Values;
  readonly etag: string | null;
}

/**
 * The version of an object that a form changes: the current one, until somebody else changes a property that is also
 * changed in the form. A save is a conflict from then on.
 */
export function useBaseVersion<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  current: Versioned<Values>,
) {
  const { dirtyFields } = form.formState;
  const [base, setBase] = useState<Versioned<Values> | null>(current);
  const isChangedElsewhere =
    base !== null &&
    Object.keys(dirtyFields).some((name) => base.values[name] !== current.values[name]);
  if (base === null || (base.etag !== current.etag && !isChangedElsewhere)) setBase(current);
  return {
    etag: (base ?? current).etag,
    /** whether the form would replace what somebody else has changed */
    isOutdated: isChangedElsewhere,
    /** Replaces the input by the current values. */
    reload: () => {
      form.reset(current.values, { keepDirtyValues: false, keepDirty: false });
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
