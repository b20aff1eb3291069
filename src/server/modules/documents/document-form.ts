import type { Message, MessagesByPath } from '#shared/messages/message.ts';
import * as texts from '#messages/service/records.ts';
import {
  addFileNameErrors,
  DESCRIBED_FILE,
  type FormBody,
  type StoredUpload,
} from '#server/http/form.ts';
import { EntryErrors } from '#shared/contract/errors.ts';
import type { SentKeywords, SentRecord, SentValue } from '../records/records.service.ts';

/** The form of a new revision (docs/interface/decisions.md, section 6). */
export interface DocumentForm {
  readonly sent: SentRecord;
  readonly files: readonly StoredUpload[];
  /** what is wrong with it, under `-` and `files.N`; what the record refuses is added, so that all is reported at once */
  readonly errors: Readonly<MessagesByPath>;
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
 */
export function readDocumentForm(form: FormBody): DocumentForm {
  const groups = { indexFields: new Map<number, Entry>(), keywordFields: new Map<number, Entry>() };
  const errors = new EntryErrors();
  const addProblem = (message: Message) => errors.add('validation_failed', '-', message);
  for (const [name, value] of form.fields) {
    const match = FIELD.exec(name);
    const group = match?.[1] === 'indexFields' ? groups.indexFields : groups.keywordFields;
    const part = match?.[3];
    if (!match || (part !== 'name' && part !== 'value' && part !== 'keywords')) {
      addProblem(texts.noFormField({ name: name.toWellFormed().slice(0, 100) }));
      continue;
    }
    const at = Number(match[2]);
    const entry = group.get(at) ?? {};
    if (entry[part] !== undefined) addProblem(texts.formFieldTwice({ name }));
    entry[part] = value;
    group.set(at, entry);
  }
  addFileNameErrors(form, errors);
  form.files.forEach(({ field }, i) => {
    if (!FILE.test(field)) errors.add('validation_failed', `files.${i}`, texts.fileFieldName);
  });
  const values = sortByNumber(groups.indexFields).flatMap(([at, entry]): SentValue[] => {
    if (entry.name === undefined || entry.value === undefined || entry.keywords !== undefined) {
      addProblem(texts.indexFieldIncomplete({ at }));
      return [];
    }
    return [{ name: entry.name, value: entry.value === '' ? null : entry.value }];
  });
  const keywords = sortByNumber(groups.keywordFields).flatMap(
    ([at, { name, value, keywords: list }]): SentKeywords[] => {
      if (name !== undefined && value !== undefined && list === undefined) return [{ name, value }];
      if (name !== undefined && list !== undefined && value === undefined)
        return [{ name, keywords: list }];
      addProblem(texts.keywordFieldIncomplete({ at }));
      return [];
    },
  );
  return { sent: { values, keywords }, files: form.files, errors: errors.messages };
}

function sortByNumber(entries: ReadonlyMap<number, Entry>): [number, Entry][] {
  return [...entries].sort(([a], [b]) => a - b);
}
