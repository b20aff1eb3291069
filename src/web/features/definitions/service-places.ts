import type { UseFormReturn } from 'react-hook-form';
import type { FieldAt } from '#web/ui/form/service-errors.ts';
import type { Kind } from './collection-definition.ts';
import type { DefinitionValues } from './definition-form.ts';

/** The input for an error of a definition: `archive.indexFields.2.pattern` belongs to the third field. */
export function fieldAtOf(
  form: UseFormReturn<DefinitionValues>,
  kind: Kind,
): FieldAt<DefinitionValues> {
  return (place) => {
    if (/^(?:table\.)?uniqueTogether\b/.test(place)) return 'uniqueTogether';
    const [, top = '', index, property] =
      /^(?:archive|table)\.(\w+)(?:\.(\d+)(?:\.(\w+))?)?/.exec(place) ?? [];
    if (index === undefined) return placeOfWhole(kind, top);
    if (top === 'checks') {
      const known = CHECK_PROPERTIES.find((name) => name === property) ?? 'name';
      return `checks.${Number(index)}.${known}`;
    }
    const areKeywords = top === 'keywordFields';
    const places = form
      .getValues('fields')
      .flatMap(({ isKeywordField }, at) => (isKeywordField === areKeywords ? [at] : []));
    const at = places[Number(index)];
    if (at === undefined) return undefined;
    const known = PROPERTIES.find((name) => name === property) ?? 'name';
    return `fields.${at}.${known}`;
  };
}

function placeOfWhole(kind: Kind, top: string): 'name' | 'label' | 'description' | undefined {
  if (top === 'description') return top;
  // An archive calls its label `name`, and its name `table`.
  if (top === 'label' || (kind === 'archive' && top === 'name')) return 'label';
  return top === 'table' || top === 'name' ? 'name' : undefined;
}

const CHECK_PROPERTIES = [
  'name',
  'label',
  'rule',
  'when',
  'severity',
  'fields',
  'duplicates',
] as const;

const PROPERTIES = [
  'name',
  'label',
  'description',
  'type',
  'readAs',
  'maxLength',
  'scale',
  'min',
  'max',
  'pattern',
  'patternDescription',
  'options',
  'default',
] as const;
