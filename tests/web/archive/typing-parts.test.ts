import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { notationOf, UNKNOWN_NOTATION, writeText } from '#shared/values/readings.ts';
import {
  carriedOverInto,
  type CarriedOverValue,
  nextCarriedOverValues,
  excludeRevision,
  withCarriedOverValues,
} from '#web/features/index-form/carried-over-values.ts';
import { byPath, editsOf, valuesOf } from '#web/features/index-form/form-values.ts';
import { nextOpen } from '#web/features/index-form/open-fields.ts';
import { parseInsertedText } from '#web/features/index-form/inserted-text.ts';
import { isBlank, isSameValue, parseField } from '#web/fields/field-model.ts';
import { fieldsOf } from '#web/fields/index-data.ts';
import { inWords } from '#web/fields/value-text.ts';

const field = (
  name: string,
  rules: object = {},
): ArchiveDetail['indexFieldDefinitions'][number] => ({
  name,
  label: name,
  type: 'text',
  required: false,
  maxLength: 20,
  scale: null,
  options: null,
  min: null,
  max: null,
  pattern: null,
  description: '',
  optionsFrom: null,
  ...rules,
});

const ARCHIVE: ArchiveDetail = {
  guid: '6f0d1c6a-52b7-4c1e-9a53-0f3e8c7d2a41',
  table: 'A',
  name: 'A',
  description: '',
  documents: 1,
  rights: 'write',
  indexFieldDefinitions: [
    // The name of a property that every object has.
    field('constructor'),
    field('SUM', { type: 'decimal', scale: 2 }),
    field('DAY', { type: 'date' }),
  ],
  keywordFieldDefinitions: [{ name: 'TOPIC', label: 'Topic' }],
};

const FORM = fieldsOf(ARCHIVE);

const word = fc.constantFrom('', 'a', 'b', 'ä b');
const revisions = fc
  .record({
    revisionId: fc.constantFrom('1', '2', '3', '4'),
    text: fc.option(word),
    sum: fc.option(fc.integer({ min: 0, max: 3 }).map((cents) => cents / 4)),
    day: fc.option(fc.constantFrom('2026-01-31', '2026-02-01')),
    topics: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
  })
  .map(({ revisionId, text, sum, day, topics }): RevisionDetail => ({
    revisionId,
    documentId: '1',
    revision: 1,
    createdAt: '2026-01-01T00:00:00Z',
    changedAt: '2026-01-01T00:00:00Z',
    changedBy: 'anna',
    locked: null,
    files: [],
    indexFields: [
      { name: 'constructor', value: text },
      { name: 'SUM', value: sum },
      { name: 'DAY', value: day },
    ],
    keywordFields: topics.map((value) => ({ name: 'TOPIC', value })),
  }));
const texts = fc.option(fc.constantFrom('', 'a', 'b', '0.25', '0.5', '2026-01-31', 'no day'));
const carriedOverValues = fc
  .uniqueArray(
    fc.record({
      path: fc.constantFrom(...FORM.map(({ path }) => path), 'indexFields.GONE'),
      text: texts,
      topics: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
      excluded: fc.subarray(['1', '2', '3', '4']),
    }),
    { selector: ({ path }) => path },
  )
  .map(
    (list) =>
      new Map(
        list.map(({ path, text, topics, excluded }): [string, CarriedOverValue] => [
          path,
          {
            value: path === 'keywordFields.TOPIC' ? topics : text,
            from: '9',
            excludedRevisions: new Set(excluded),
          },
        ]),
      ),
  );

describe('values that are carried over', () => {
  it('change exactly the places that show so, and none that is empty, excluded or the same', () => {
    fc.assert(
      fc.property(revisions, carriedOverValues, (revision, all) => {
        const applied = carriedOverInto(ARCHIVE, revision, all);
        const values = valuesOf(FORM, revision, withCarriedOverValues(applied, new Map()));
        // What the form counts as edits is what is marked as applied: nothing is changed silently.
        expect(new Set(editsOf(FORM, revision, values).keys())).toEqual(new Set(applied.keys()));
        const held = byPath(FORM, values);
        for (const [path, entry] of all) {
          if (applied.has(path)) expect(isSameValue(held.get(path), entry.value)).toBe(true);
          if (isBlank(entry.value) || entry.excludedRevisions.has(revision.revisionId)) {
            expect(applied.has(path)).toBe(false);
          }
        }
      }),
    );
  });

  it('let the edits of a draft be', () => {
    fc.assert(
      fc.property(revisions, carriedOverValues, texts, (revision, all, typed) => {
        const draft = new Map<string, string | null | readonly string[]>([
          ['indexFields.SUM', typed],
          ['keywordFields.TOPIC', ['mine']],
        ]);
        const over = withCarriedOverValues(carriedOverInto(ARCHIVE, revision, all), draft);
        expect(over.get('indexFields.SUM')).toBe(typed);
        expect(over.get('keywordFields.TOPIC')).toEqual(['mine']);
      }),
    );
  });

  it('go on with what was typed and is a value, and never come back to what is saved', () => {
    fc.assert(
      fc.property(
        revisions,
        carriedOverValues,
        texts,
        fc.boolean(),
        (revision, all, typed, saved) => {
          const { revisionId } = revision;
          const opened = valuesOf(
            FORM,
            revision,
            withCarriedOverValues(carriedOverInto(ARCHIVE, revision, all), new Map()),
          );
          opened.values[1] = typed;
          const after = nextCarriedOverValues(ARCHIVE, all, {
            revisionId,
            values: byPath(FORM, opened),
            edited: new Set(editsOf(FORM, revision, opened).keys()),
            saved,
          });
          expect([...after.keys()]).toEqual([...all.keys()]);
          for (const [path, entry] of after) {
            const before = all.get(path);
            // Only the field that was typed in carries something else.
            if (path !== 'indexFields.SUM') expect(entry.value).toEqual(before?.value);
            else expect([before?.value, typed]).toContain(entry.value);
          }
          if (saved) expect(carriedOverInto(ARCHIVE, revision, after).size).toBe(0);
          if (typed === 'no day') {
            const applied = all.get('indexFields.SUM')?.value;
            expect(after.get('indexFields.SUM')?.value).toBe(applied);
          }
        },
      ),
    );
  });

  it('do not come back to where they were put back', () => {
    fc.assert(
      fc.property(revisions, carriedOverValues, (revision, all) => {
        const paths = [...all.keys()];
        const excluded = excludeRevision(all, revision.revisionId, paths);
        expect(carriedOverInto(ARCHIVE, revision, excluded).size).toBe(0);
      }),
    );
  });
});

describe('the next open field', () => {
  const paths = ['a', 'b', 'c', 'd'];
  const here = fc.option(fc.constantFrom(...paths));

  it('reaches every open field once in a round, both ways', () => {
    fc.assert(
      fc.property(fc.subarray(paths, { minLength: 1 }), here, (open, start) => {
        for (const by of [1, -1] as const) {
          const reached: string[] = [];
          let at = start;
          for (let i = 0; i < open.length + 1; i++) {
            const next = nextOpen(paths, open, at, by);
            if (next === null || reached.includes(next)) break;
            reached.push(next);
            at = next;
          }
          expect(reached.toSorted()).toEqual(
            open.length === 1 && start === open[0] ? [] : open.toSorted(),
          );
        }
      }),
    );
  });

  it('starts at the first field, or backwards at the last', () => {
    expect(nextOpen(paths, ['b', 'c'], null, 1)).toBe('b');
    expect(nextOpen(paths, ['b', 'c'], null, -1)).toBe('c');
    expect(nextOpen(paths, [], 'a', 1)).toBe(null);
  });
});

describe('a text from a document', () => {
  const sum = field('SUM', { type: 'decimal', scale: 2 });
  const day = field('DAY', { type: 'date' });
  const german = notationOf('de-DE');

  it('is read as the reader writes', () => {
    expect(parseInsertedText(sum, ' 1.234,50 € ', german, true)).toEqual({
      kind: 'text',
      text: '1234.50',
      others: [],
    });
    expect(parseInsertedText(day, '12.03.2024', notationOf('en-US'), true)).toMatchObject({
      text: '2024-03-12',
      others: [],
    });
  });

  it('shows what else it could be where only the notation decide', () => {
    expect(parseInsertedText(day, '03/04/2024', notationOf('en-GB'), true)).toMatchObject({
      kind: 'text',
      text: '2024-04-03',
      others: [{ text: '2024-03-04', notation: { order: 'mdy' } }],
    });
    expect(inWords(day, '2024-04-03')).toBe('3 April 2024');
  });

  it('is asked about where the notation does not decide', () => {
    expect(parseInsertedText(day, '03/04/2024', UNKNOWN_NOTATION, true)).toMatchObject({
      kind: 'ask',
      meanings: [{ text: '2024-04-03' }, { text: '2024-03-04' }],
    });
  });

  it('stays as it is written where it is none', () => {
    expect(parseInsertedText(day, 'at\nonce', german, true)).toMatchObject({
      kind: 'unreadable',
      text: 'at once',
    });
  });

  it('keeps no rule by being read once more', () => {
    // By what was learned of the document; the reader of the form writes otherwise.
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE');
    const point = { decimal: '.', order: 'mdy' } as const;
    const due = field('DUE', { type: 'date', max: '2024-11-30' });
    expect(parseInsertedText(due, '12/03/2024', point, true)).toMatchObject({
      kind: 'unreadable',
      text: '2024-12-03',
    });
    const few = field('FEW', { type: 'decimal', scale: 3, max: 100 });
    expect(parseInsertedText(few, '1.234', german, true)).toMatchObject({
      kind: 'unreadable',
      text: '1234.000',
    });
    const count = field('COUNT', { type: 'integer' });
    for (const [into, text] of [
      [count, '1.234'],
      [sum, '1.234'],
    ] as const) {
      const taken = parseInsertedText(into, text, point, true);
      expect(taken).toMatchObject({ kind: 'unreadable' });
      if (taken.kind === 'unreadable')
        expect(parseField(into, taken.text)).toMatchObject({ ok: false });
    }
    vi.restoreAllMocks();
  });

  it('makes no number of two', () => {
    for (const text of ['100\n200', '100\t200', '100  200', '100 \r\n 200']) {
      expect(parseInsertedText(sum, text, german, true)).toMatchObject({
        kind: 'unreadable',
        text: '100  200',
      });
    }
    expect(parseInsertedText(sum, ' 1 234,50\n€ ', german, true)).toMatchObject({
      text: '1234.50',
    });
    expect(parseField(sum, '100  200')).toMatchObject({ ok: false });
  });

  it('asks a reader who groups by blanks what one point is', () => {
    const three = field('THREE', { type: 'decimal', scale: 3 });
    expect(parseInsertedText(three, '1.234', notationOf('fr-FR'), true)).toMatchObject({
      kind: 'ask',
      meanings: [{ text: '1.234' }, { text: '1234.000' }],
    });
  });

  it('keeps the lines of a page only where the field has lines', () => {
    const note = field('NOTE', { maxLength: null });
    expect(parseInsertedText(note, ' a \r\n b ', german, false)).toMatchObject({ text: 'a \n b' });
    expect(parseInsertedText(note, ' a \r\n b ', german, true)).toMatchObject({ text: 'a b' });
  });

  it('gives back every number and day that the reader writes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => cents / 100),
        fc.constantFrom('de-DE', 'en-GB', 'en-US', 'fr-FR', 'de-CH'),
        (amount, locale) => {
          const taken = parseInsertedText(
            sum,
            writeText(sum, amount, locale),
            notationOf(locale),
            true,
          );
          expect(taken).toMatchObject({ kind: 'text', text: amount.toFixed(2) });
        },
      ),
    );
  });
});
