import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { ErrorDetail, ErrorMessages } from '#shared/contract/errors.ts';
import type { ApiFailure } from '#web/api/failure.ts';

/** The form field that shows the errors of a path (`name`, `columns.2`); undefined: none. */
export type FieldAt<Values extends FieldValues> = (path: string) => Path<Values> | undefined;

/** The field with the same name as the path, or as the part after the name of the body (`user.email`). */
export function sameName<Values extends FieldValues>(form: UseFormReturn<Values>): FieldAt<Values> {
  const values = form.getValues();
  const isField = (path: string): path is Path<Values> => Object.hasOwn(values, path);
  return (path) => {
    const inBody = path.replace(/^\w+\.(?=\w+$)/, '');
    return [path, inBody].find(isField);
  };
}

/** Messages, and the path that they are about. */
interface MessagesAtPath {
  readonly path: string;
  readonly messages: readonly string[];
}

/**
 * The errors by path. Those of a body of the wrong shape belong to no field for the service (`-`), but name a path in
 * the body: `table.columns[1].name` becomes `table.columns.1.name`.
 */
export function errorsByPath(failure: ApiFailure): readonly MessagesAtPath[] {
  if (failure.kind !== 'api') return [];
  return Object.entries(failure.errors).flatMap(([path, messages]): readonly MessagesAtPath[] => {
    if (path !== '-') return [{ path, messages }];
    const details = failure.details?.filter((detail) => detail.path === '-') ?? [];
    return messages.map((message, i) => atPathInBody(details[i], message));
  });
}

/** @param message the text, which includes the path unless the parameters contain the problem alone */
function atPathInBody(detail: ErrorDetail | undefined, message: string): MessagesAtPath {
  const { place: path, problem } = detail?.params ?? {};
  if (typeof path !== 'string') return { path: '-', messages: [message] };
  return {
    path: path.replaceAll(/\[(\w+)\]/g, '.$1'),
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
  for (const { path, messages } of errorsByPath(failure)) {
    const field = fieldAt(path);
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
  const all = errorsByPath(failure);
  const others = all.filter(({ path }) => fieldAt(path) === undefined);
  if (others.length === 0 && all.length > 0) return null;
  const errors: ErrorMessages = {};
  for (const { path, messages } of others) {
    errors[path] = [...(errors[path] ?? []), ...messages];
  }
  return { ...failure, errors };
}
