import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { ErrorDetail, ErrorMessages } from '#shared/contract/errors.ts';
import type { ApiFailure } from '#web/api/failure.ts';

/** The form field that shows the errors of a place (`name`, `columns.2`); undefined: none. */
export type FieldAt<Values extends FieldValues> = (place: string) => Path<Values> | undefined;

/** The field with the same name as the place, or as the part after the name of the body (`user.email`). */
export function sameName<Values extends FieldValues>(form: UseFormReturn<Values>): FieldAt<Values> {
  const values = form.getValues();
  const isField = (place: string): place is Path<Values> => Object.hasOwn(values, place);
  return (place) => {
    const inBody = place.replace(/^\w+\.(?=\w+$)/, '');
    return [place, inBody].find(isField);
  };
}

/** Messages, and the place that they are about. */
interface PlacedMessages {
  readonly place: string;
  readonly messages: readonly string[];
}

/**
 * The errors by place. Those of a body of the wrong shape belong to no field for the service (`-`), but name a place in
 * the body: `table.columns[1].name` becomes `table.columns.1.name`.
 */
export function errorsByPlace(failure: ApiFailure): readonly PlacedMessages[] {
  if (failure.kind !== 'api') return [];
  return Object.entries(failure.errors).flatMap(([path, messages]): readonly PlacedMessages[] => {
    if (path !== '-') return [{ place: path, messages }];
    const details = failure.details?.filter((detail) => detail.path === '-') ?? [];
    return messages.map((message, i) => placedInBody(details[i], message));
  });
}

/** @param message the text, which says the place unless the problem is given beside it */
function placedInBody(detail: ErrorDetail | undefined, message: string): PlacedMessages {
  const { place, problem } = detail?.params ?? {};
  if (typeof place !== 'string') return { place: '-', messages: [message] };
  return {
    place: place.replaceAll(/\[(\w+)\]/g, '.$1'),
    messages: [typeof problem === 'string' ? problem : message],
  };
}

/** Shows the service's errors at their fields, and focuses the first of them. */
export function setServiceErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  failure: ApiFailure,
  fieldAt: FieldAt<Values>,
): void {
  const byField = new Map<Path<Values>, string[]>();
  for (const { place, messages } of errorsByPlace(failure)) {
    const field = fieldAt(place);
    if (field !== undefined) byField.set(field, [...(byField.get(field) ?? []), ...messages]);
  }
  let shouldFocus = true;
  for (const [field, messages] of byField) {
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
  const places = errorsByPlace(failure);
  const others = places.filter(({ place }) => fieldAt(place) === undefined);
  if (others.length === 0 && places.length > 0) return null;
  const errors: ErrorMessages = {};
  for (const { place, messages } of others) {
    errors[place] = [...(errors[place] ?? []), ...messages];
  }
  return { ...failure, errors };
}
