import * as texts from '#messages/people.ts';
import type { Rights } from '#shared/contract/configuration-people.ts';
import type { NamedCollection } from '#web/api/named-collections.ts';
import type { SelectOption } from '#web/ui/inputs/select.tsx';
import { fieldEntries, rightOf } from './chosen-rights.ts';

/** The rights in words, one line for each archive and table; fields are called by their names. */
export function rightsText(rights: Rights, collections: readonly NamedCollection[]): string {
  const lines = collections.flatMap(({ collection, name }) => {
    const right = rightOf(rights, collection);
    if (right === 'none') return [];
    const ofFields = fieldEntries(rights, collection).map(([field, access]) =>
      texts.fieldWithAccess({ name: field, access: texts.accessTexts[access] }),
    );
    return texts.rightsOn({ name, rights: [texts.rightTexts[right], ...ofFields].join(', ') });
  });
  return lines.join('\n');
}

/** The labels of chosen options; what is no option is called by its value. */
export function labelsOf(
  options: readonly SelectOption<string>[],
  values: readonly string[],
): string {
  const labels = new Map(options.map(({ value, label }) => [value, label]));
  return values.map((value) => labels.get(value) ?? value).join(', ');
}
