import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { parseValue } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { editsOf, valuesOf } from '#web/features/index-form/form-values.ts';
import { buildBody } from '#web/features/index-form/request-body.ts';
import { fieldsOf, type IndexFieldDefinition } from '#web/fields/index-data.ts';
import { valueText } from '#web/fields/value-text.ts';

const field = (name: string, rules: Partial<IndexFieldDefinition>): IndexFieldDefinition => ({
  name,
  label: name,
  type: 'text',
  required: false,
  maxLength: null,
  scale: null,
  options: null,
  min: null,
  max: null,
  pattern: null,
  description: '',
  optionsFrom: null,
  ...rules,
});

// One name is that of a property which every object has.
const FIELDS = [
  field('constructor', { required: true, maxLength: 3 }),
  field('SUM', { type: 'decimal', scale: 14 }),
  field('NET', { type: 'decimal' }),
  field('COUNT', { type: 'integer' }),
  field('PAID', { type: 'boolean' }),
  field('DUE', { type: 'date' }),
];
const ARCHIVE: ArchiveDetail = {
  guid: '00000000-0000-0000-0000-000000000000',
  table: 'A',
  name: 'A',
  description: '',
  documents: 1,
  rights: 'write',
  indexFieldDefinitions: FIELDS,
  keywordFieldDefinitions: [{ name: 'SUBJECT', label: 'Subject' }],
};

const FORM = fieldsOf(ARCHIVE);

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', 'a\r\nb', 'a\rb\n'));
const scaled = (places: number) =>
  fc.integer({ min: -999_999_999, max: 999_999_999 }).map((units) => units / 10 ** places);
const stored = fc.tuple(
  fc.option(text),
  fc.option(scaled(14)),
  fc.option(scaled(2)),
  fc.option(fc.maxSafeInteger()),
  fc.option(fc.boolean()),
  fc.option(fc.constantFrom('2026-01-31', '0001-01-01')),
);

function revisionWith(values: readonly Scalar[], keywords: readonly string[]): RevisionDetail {
  return {
    revisionId: '1',
    documentId: '1',
    revision: 1,
    createdAt: '',
    changedAt: '',
    changedBy: '',
    locked: null,
    files: [],
    indexFields: FIELDS.map(({ name }, place) => ({ name, value: values[place] ?? null })),
    keywordFields: keywords.map((value) => ({ name: 'SUBJECT', value })),
  };
}

describe('the values of a form', () => {
  it('go back exactly as they came where nobody touched them', () => {
    fc.assert(
      fc.property(stored, fc.array(text), (values, keywords) => {
        const revision = revisionWith(values, keywords);
        const edits = editsOf(FORM, revision, valuesOf(FORM, revision));
        expect(edits.size).toBe(0);
        const built = buildBody(ARCHIVE, revision, edits, 'PUT');
        expect(built).toEqual({ ok: true, body: { indexFields: revision.indexFields } });
      }),
    );
  });

  it('are shown as texts that mean the same values', () => {
    fc.assert(
      fc.property(stored, (values) => {
        for (const [place, rules] of FIELDS.entries()) {
          const value = values[place] ?? null;
          if (rules.type === 'text') continue;
          expect(parseValue(rules, valueText(value, rules))).toEqual({ ok: true, value });
        }
      }),
    );
  });

  it('send what was edited, and name what is no value', () => {
    const revision = revisionWith(['abc', 1, 2, 3, true, null], ['x']);
    const values = valuesOf(
      FORM,
      revision,
      new Map<string, string | readonly string[]>([
        ['indexFields.constructor', 'abcd'],
        ['indexFields.DUE', '2026-02-28'],
        ['keywordFields.SUBJECT', []],
      ]),
    );
    const edits = editsOf(FORM, revision, values);
    const refused = buildBody(ARCHIVE, revision, edits, 'PATCH');
    expect(refused.ok ? [] : [...refused.problems.keys()]).toEqual(['indexFields.constructor']);
    const fine = new Map([...edits].filter(([path]) => path !== 'indexFields.constructor'));
    expect(buildBody(ARCHIVE, revision, fine, 'PATCH')).toEqual({
      ok: true,
      body: {
        indexFields: [{ name: 'DUE', value: '2026-02-28' }],
        keywordFields: [{ name: 'SUBJECT', keywords: '' }],
      },
    });
  });
});
