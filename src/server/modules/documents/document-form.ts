import type { Message, MessagesByPath } from '#shared/messages/message.ts';
import * as texts from '#messages/service/records.ts';
import { DESCRIBED_FILE, type FormBody, type StoredUpload } from '#server/http/form.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { SentKeywords, SentRecord, SentValue } from '../records/records.service.ts';

/** The form of a new revision (docs/interface/decisions.md, section 6). */
export interface DocumentForm {
  readonly sent: SentRecord;
  readonly files: readonly StoredUpload[];
}

const FIELD = /^(indexFields|keywordFields)\[([0-9]{1,5})\]\[(name|value|keywords)\]$/;
const FILE = /^files(?:\[[0-9]{0,5}\])?$/;

/** The form for OpenAPI, which cannot describe numbered names: those of the first field represent all. */
export const DESCRIBED_DOCUMENT_FORM = {
  type: 'object',
  description:
    'The parts of the first index field, keyword field and file; further ones have the numbers 1, 2, … in their names. ' +
    '`keywordFields[N][keywords]` with a comma list may stand for `[value]`.',
  properties: {
    'indexFields[0][name]': { type: 'string' },
    'indexFields[0][value]': { type: 'string', description: 'empty: null' },
    'keywordFields[0][name]': { type: 'string' },
    'keywordFields[0][value]': { type: 'string' },
    'files[0]': DESCRIBED_FILE,
  },
  dependentRequired: Object.fromEntries(
    ['indexFields[0]', 'keywordFields[0]'].flatMap((field) => [
      [`${field}[name]`, [`${field}[value]`]],
      [`${field}[value]`, [`${field}[name]`]],
    ]),
  ),
  additionalProperties: false,
};

type Entry = Partial<Record<'name' | 'value' | 'keywords', string>>;

/**
 * Reads the form of a new revision: `indexFields[N][name]` and `[value]`, `keywordFields[N][name]` and `[value]` or
 * `[keywords]`, `files[N]` or `files`. An empty value means null.
 * @throws {ApiError} 422 under `-`, or under `files.N`, if the form is invalid
 */
export function readDocumentForm(form: FormBody): DocumentForm {
  const groups = { indexFields: new Map<number, Entry>(), keywordFields: new Map<number, Entry>() };
  const problems: Message[] = [];
  for (const [name, value] of form.fields) {
    const match = FIELD.exec(name);
    const group = match?.[1] === 'indexFields' ? groups.indexFields : groups.keywordFields;
    const part = match?.[3];
    if (!match || (part !== 'name' && part !== 'value' && part !== 'keywords')) {
      problems.push(texts.noFormField({ name: name.toWellFormed().slice(0, 100) }));
      continue;
    }
    const at = Number(match[2]);
    const entry = group.get(at) ?? {};
    if (entry[part] !== undefined) problems.push(texts.formFieldTwice({ name }));
    entry[part] = value;
    group.set(at, entry);
  }
  const errors: MessagesByPath = {};
  form.files.forEach(({ field }, i) => {
    if (!FILE.test(field)) errors[`files.${i}`] = [texts.fileFieldName];
  });
  const values = inOrder(groups.indexFields).flatMap(([at, entry]): SentValue[] => {
    if (entry.name === undefined || entry.value === undefined || entry.keywords !== undefined) {
      problems.push(texts.indexFieldIncomplete({ at }));
      return [];
    }
    return [{ name: entry.name, value: entry.value === '' ? null : entry.value }];
  });
  const keywords = inOrder(groups.keywordFields).flatMap(
    ([at, { name, value, keywords: list }]): SentKeywords[] => {
      if (name !== undefined && value !== undefined && list === undefined) return [{ name, value }];
      if (name !== undefined && list !== undefined && value === undefined)
        return [{ name, keywords: list }];
      problems.push(texts.keywordFieldIncomplete({ at }));
      return [];
    },
  );
  if (problems.length > 0) errors['-'] = problems;
  if (Object.keys(errors).length > 0) throw new ApiError('validation_failed', errors);
  return { sent: { values, keywords }, files: form.files };
}

function inOrder(entries: ReadonlyMap<number, Entry>): [number, Entry][] {
  return [...entries].sort(([a], [b]) => a - b);
}
