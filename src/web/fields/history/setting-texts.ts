import * as checkTexts from '#messages/check-designer.ts';
import * as texts from '#messages/designer.ts';
import * as frameTexts from '#messages/frame.ts';
import * as peopleTexts from '#messages/people.ts';
import { localInstant } from '#web/fields/value-text.ts';

/** The labels of properties of definitions and rights, as in the designer. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['name', texts.fieldName],
  ['label', texts.label],
  ['description', texts.fieldDescription],
  ['type', texts.type],
  ['required', texts.required],
  ['unique', texts.unique],
  ['uniqueTogether', texts.uniqueTogether],
  ['maxLength', texts.maxLength],
  ['scale', texts.scale],
  ['min', texts.min],
  ['max', texts.max],
  ['pattern', texts.pattern],
  ['patternDescription', texts.patternDescription],
  ['options', texts.options],
  ['optionsFrom', texts.optionsTable],
  ['table', texts.table],
  ['column', texts.optionsColumn],
  ['fills', texts.fills],
  ['default', texts.defaultValue],
  ['group', texts.group],
  ['width', texts.halfWidth],
  ['hiddenInLists', texts.hiddenInLists],
  ['listSort', texts.listSort],
  ['onPage', texts.onPage],
  ['retiredAt', texts.retired],
  ['retiredFields', texts.retiredFields],
  ['retiredKeywordFields', texts.retiredKeywordFields],
  ['indexFields', texts.fields],
  ['columns', texts.columns],
  ['keywordFields', texts.keywordField],
  ['checks', checkTexts.title],
  ['checksOff', checkTexts.builtInOff],
  ['rule', checkTexts.rule],
  ['when', checkTexts.when],
  ['severity', checkTexts.severity],
  ['duplicates', checkTexts.duplicates],
  ['ignore', checkTexts.ignored],
  ['right', peopleTexts.right],
  ['fields', texts.fields],
]);

/** The label of a property of a definition or right; unknown names stay as they are. */
export function propertyLabel(name: string): string {
  return LABELS.get(name) ?? name;
}

/** The values of properties that the designer shows as texts. */
const VALUES = new Map<string, Readonly<Record<string, string>>>([
  ['type', texts.types],
  ['severity', checkTexts.severities],
  ['listSort', { ascending: texts.ascending, descending: texts.descending }],
  ['right', peopleTexts.rightTexts],
  ['role', frameTexts.roles],
]);

/**
 * The text for a value of a property; unknown values stay as they are.
 * @param keys the keys that lead to it; `fields` of a right holds the access to each field
 */
export function propertyValueText(keys: readonly string[], value: string): string {
  const name = keys.at(-1) ?? '';
  if (name === 'retiredAt') return localInstant(value);
  const known = keys.at(-2) === 'fields' ? peopleTexts.accessTexts : VALUES.get(name);
  return new Map(Object.entries(known ?? {})).get(value) ?? value;
}
