import * as texts from '#messages/findings.ts';
import { useQuery } from '@tanstack/react-query';
import { isSameName } from '#shared/rules/names.ts';
import { formatFieldValue, parseField } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { referencedDatasetsQuery } from '#web/fields/look-up.ts';
import type { FieldSuggestion, FillFrom } from './finding.ts';
import { SuggestionButton } from './suggestion-button.tsx';

interface FillSuggestionProps {
  readonly field: ArchiveField;
  readonly fillFrom: FillFrom;
  readonly onApply: (suggestion: FieldSuggestion) => void;
}

/**
 * Suggests the value that the table of another field has for this one, if it is unique and different from the present
 * value.
 */
export function FillSuggestion({ field, fillFrom, onApply }: FillSuggestionProps) {
  const { name, path, definition } = field;
  const { from, label, value, present } = fillFrom;
  const { data } = useQuery(referencedDatasetsQuery(from, value));
  const found = data?.options.flatMap(
    ({ fills }) => fills.find((fill) => isSameName(fill.name, name))?.text ?? [],
  );
  const [text, ...others] = new Set(found);
  if (!text || others.length > 0 || text === present) return null;
  if (!parseField(definition, text).ok) return null;
  const shown = formatFieldValue(definition, text, { grouped: true });
  const suggestion = {
    label: texts.fillFrom({ source: label, value: shown ?? text }),
    values: [[path, text] as const],
  };
  return <SuggestionButton label={suggestion.label} onApply={() => onApply(suggestion)} />;
}
