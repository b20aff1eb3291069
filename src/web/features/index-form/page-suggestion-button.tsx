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
  const suggestion = useStore(pageSuggestion);
  const { path, definition } = field;
  if (!definition || suggestion?.path !== path || suggestion.revisionId !== revisionId) return null;
  const meaning = firstValidValue(definition, suggestion.texts, notation());
  if (!meaning || isSameValue<FieldValue>(meaning.text, value)) return null;
  const shown = formatFieldValue(definition, meaning.text, { grouped: true });
  return (
    <SuggestionButton
      label={texts.fromPage(shown ?? meaning.text)}
      onApply={() => insertText(meaning.written)}
    />
  );
}

/**
 * The first of the texts that is a valid value of the field; null: none.
 * @param offered texts of one line, from left to right
 */
export function firstValidValue(
  definition: IndexFieldDefinition,
  candidates: readonly string[],
  notation: Notation,
): { readonly written: string; readonly text: string } | null {
  for (const written of candidatesIn(definition, candidates)) {
    const taken = parseInsertedText(definition, written, notation, true);
    if (taken.kind !== 'text' || taken.text === null) continue;
    if (parseField(definition, taken.text).ok) return { written, text: taken.text };
  }
  return null;
}

/** For a text field without a pattern the text itself; otherwise the words of the line are tried as well. */
function candidatesIn(definition: IndexFieldDefinition, candidates: readonly string[]): string[] {
  const isPlain = isText(definition) && !definition.pattern && !definition.options;
  const [first = ''] = candidates;
  if (isPlain) return first === '' ? [] : [first];
  return [candidates.join(' '), ...candidates, ...candidates.flatMap((text) => text.split(/\s+/u))];
}
