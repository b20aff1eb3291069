import * as texts from '#messages/index-form.ts';
import { type FieldValue, formatFieldValue, isSameValue } from '#web/fields/field-model.ts';
import { notify } from '#web/ui/notify.ts';
import type { InputAssist } from './input-assist.ts';
import type { FieldContents } from './use-field-contents.ts';

/** Copies values of the previous revision into the form of a revision. */
export function copyFromPrevious(
  revisionId: string,
  inputAssist: InputAssist,
  contents: FieldContents,
) {
  const { fieldOf, valueOf } = contents;
  const previousValue = (path: string): { value: FieldValue; from: string } | undefined => {
    const previous = inputAssist.previous(revisionId);
    const value = previous?.values.get(path);
    return previous && value !== undefined ? { value, from: previous.revisionId } : undefined;
  };
  return {
    /** the value that would be inserted; undefined if there is none, or the field already has it */
    valueAt: (path: string) => {
      const previous = previousValue(path);
      if (!previous || isSameValue(previous.value, valueOf(path))) return undefined;
      const { value, from } = previous;
      const shown = formatFieldValue(fieldOf(path)?.definition ?? null, value) ?? '';
      return { value, shown, from };
    },
    insert: (path: string) => {
      const previous = previousValue(path);
      if (!previous) {
        notify(texts.nothingToCopy);
      } else if (!isSameValue(previous.value, valueOf(path))) {
        contents.set(path, previous.value, { kind: 'copied', ...previous });
      }
    },
  };
}
