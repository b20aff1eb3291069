import type { UseFormReturn } from 'react-hook-form';
import { nameKey } from '#shared/rules/names.ts';
import type { FieldAt } from '#web/ui/form/service-errors.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import type { DefinitionValues } from './definition-form.ts';

/**
 * The input for an error of a definition. The service names elements by their position if the request is invalid
 * (`archive.indexFields.2.pattern`), and by name if it contradicts what is stored (`indexFields.TOTAL`).
 */
export function fieldAtOf(
  form: UseFormReturn<DefinitionValues>,
  kind: CollectionKind,
): FieldAt<DefinitionValues> {
  return (path) => {
    const [top = '', element, ...property] = path.replace(/^(?:archive|table)\./, '').split('.');
    if (top === 'uniqueTogether') return top;
    if (element === undefined) return inputOfCollection(kind, top);
    const { fields, checks } = form.getValues();
    if (top === 'checks') {
      const at = positionOf(element, checks);
      const known = CHECK_PROPERTIES.find((name) => name === property[0]) ?? 'name';
      return checks[at] && `checks.${at}.${known}`;
    }
    const areKeywords = top === 'keywordFields';
    if (!areKeywords && top !== 'indexFields' && top !== 'columns') return undefined;
    const indexes = [...fields.keys()].filter((at) => fields[at]?.isKeywordField === areKeywords);
    const listed = indexes.flatMap((index) => fields[index] ?? []);
    const at = indexes[positionOf(element, listed)];
    return at === undefined ? undefined : `fields.${at}.${fieldProperty(property)}`;
  };
}

/** @param element a position, or a name: of a field in use rather than of a retired one */
function positionOf(
  element: string,
  all: readonly { readonly name: string; readonly retiredAt?: string | null }[],
): number {
  if (/^\d+$/.test(element)) return Number(element);
  const isNamed = ({ name }: { readonly name: string }) => nameKey(name) === nameKey(element);
  const inUse = all.findIndex(
    (candidate) => isNamed(candidate) && (candidate.retiredAt ?? null) === null,
  );
  return inUse === -1 ? all.findIndex(isNamed) : inUse;
}

function fieldProperty([property = '', part]: readonly string[]) {
  if (property !== 'optionsFrom') return PROPERTIES.find((name) => name === property) ?? 'name';
  if (part === 'fills') return part;
  return part === 'column' ? 'optionsColumn' : 'optionsTable';
}

function inputOfCollection(
  kind: CollectionKind,
  top: string,
): 'name' | 'label' | 'description' | undefined {
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
  'group',
] as const;
