import * as httpTexts from '#messages/service/http.ts';
import type { FormBody } from '#server/http/form.ts';
import type { Message, MessagesByPath } from '#shared/messages/message.ts';

/** The messages of a form for what it is used for. */
interface SheetFormTexts {
  readonly fileMissing: Message;
  readonly severalFiles: Message;
  readonly noFormField: (field: { readonly name: string }) => Message;
}

/**
 * The only file of a form with a spreadsheet. Adds an error if there is none or several, and for each unknown form field.
 * @param fields the names of the known form fields
 */
export function fileOfForm(
  { files: [file, ...others], fields: given }: FormBody,
  fields: readonly string[],
  { fileMissing, severalFiles, noFormField }: SheetFormTexts,
  errors: MessagesByPath,
): FormBody['files'][number] | undefined {
  if (!file) errors['files.0'] = [fileMissing];
  else if (file.name === '') errors['files.0'] = [httpTexts.fileNameMissing];
  if (others.length > 0) errors['files.1'] = [severalFiles];
  const unknown = given.filter(([name]) => !fields.includes(name));
  if (unknown.length > 0) {
    errors['-'] = unknown.map(([name]) => noFormField({ name: name.toWellFormed().slice(0, 100) }));
  }
  return file;
}
