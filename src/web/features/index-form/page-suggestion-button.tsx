import * as texts from '#messages/findings.ts';
import { useStore } from '#web/api/use-store.ts';
import { isText } from '#shared/values/registry.ts';
import type { Notation } from '#shared/values/readings.ts';
import type { FieldValue } from '#web/fields/field-model.ts';
import { formatFieldValue, isSameValue, parseField } from '#web/fields/field-model.ts';
import type { ArchiveField, IndexFieldDefinition } from '#web/fields/index-data.ts';
import { SuggestionButton } from '#web/findings/suggestion-button.tsx';
import type { InputAssist } from './input-assist.ts';
import { parseInsertedText } from './inserted-text.ts';

interface PageSuggestionButtonProps {
  readonly revisionId: string;
  readonly field: ArchiveField;
  /** the editor's content */
  readonly value: FieldValue;
  readonly inputAssist: Pick<InputAssist, 'pageSuggestion' | 'notation' | 'insertText'>;
}

/** Suggests the document's text where the value of the field is expected. A press puts it into the form. */
export function PageSuggestionButton({
  revisionId,
  field,
  value,
  inputAssist,
}: PageSuggestionButtonProps) {
  const { pageSuggestion, notation, insertText } = inputAssist;
  const offer = useStore(pageSuggestion);
  const { path, definition } = field;
  if (!definition || offer?.path !== path || offer.revisionId !== revisionId) return null;
  const meant = firstValidValue(definition, offer.texts, notation());
  if (!meant || isSameValue<FieldValue>(meant.text, value)) return null;
  const shown = formatFieldValue(definition, meant.text, { grouped: true });
  return (
    <SuggestionButton
      label={texts.fromPage(shown ?? meant.text)}
      onApply={() => insertText(meant.written)}
    />
  );
}

/**
 * The first of the texts that is a valid value of the field; null: none.
 * @param offered texts of one line, from left to right
 */
export function firstValidValue(
  definition: IndexFieldDefinition,
  offered: readonly string[],
  notation: Notation,
): { readonly written: string; readonly text: string } | null {
  for (const written of candidatesIn(definition, offered)) {
    const taken = parseInsertedText(definition, written, notation, true);
    if (taken.kind !== 'text' || taken.text === null) continue;
    if (parseField(definition, taken.text).ok) return { written, text: taken.text };
  }
  return null;
}

/** For a text field without a pattern the text itself; otherwise the words of the line are tried as well. */
function candidatesIn(definition: IndexFieldDefinition, offered: readonly string[]): string[] {
  const isPlain = isText(definition) && !definition.pattern && !definition.options;
  const [first = ''] = offered;
  if (isPlain) return first === '' ? [] : [first];
  return [offered.join(' '), ...offered, ...offered.flatMap((text) => text.split(/\s+/u))];
}
