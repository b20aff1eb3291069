import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { ApiFailure } from '#web/api/failure.ts';

/** The form field that shows the errors of a place (`name`, `columns.2`); undefined: none. */
export type FieldAt<Values extends FieldValues> = (place: string) => Path<Values> | undefined;

/** The field with the same name as the place. */
export function sameName<Values extends FieldValues>(form: UseFormReturn<Values>): FieldAt<Values> {
  const values = form.getValues();
  const isField = (place: string): place is Path<Values> => Object.hasOwn(values, place);
  return (place) => (isField(place) ? place : undefined);
}

/** Shows the service's errors at their fields, and focuses the first of them. */
export function setServiceErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  failure: ApiFailure,
  fieldAt: FieldAt<Values>,
): void {
  if (failure.kind !== 'api') return;
  let shouldFocus = true;
  for (const [place, messages] of Object.entries(failure.errors)) {
    const field = fieldAt(place);
    if (field === undefined) continue;
    form.setError(field, { type: 'service', message: messages.join(' ') }, { shouldFocus });
    shouldFocus = false;
  }
}

/** The errors that no field shows; null: the fields show all of them. */
export function errorOfForm<Values extends FieldValues>(
  failure: ApiFailure | undefined,
  fieldAt: FieldAt<Values>,
): ApiFailure | null {
  if (failure?.kind !== 'api') return failure ?? null;
  const places = Object.entries(failure.errors);
  const others = places.filter(([place]) => fieldAt(place) === undefined);
  if (others.length === 0 && places.length > 0) return null;
  return { ...failure, errors: Object.fromEntries(others) };
}
