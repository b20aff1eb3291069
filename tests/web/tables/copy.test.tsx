import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readClipboard } from '#web/features/data-grid/paste/clipboard.ts';
import { formatForClipboard } from '#web/features/data-grid/ranges/clipboard-content.ts';
import { readOwnCells } from '#web/features/data-grid/ranges/own-cells.ts';
import { buildColumn } from './columns.ts';

const text = buildColumn('text');
const amount = buildColumn('amount', { type: 'decimal', scale: 2 });
const day = buildColumn('day', { type: 'date' });
const value = (value: string | number | boolean | null) => ({ value });

describe('a copied block', () => {
  test('is written for other programs as the reader writes', () => {
    const block = formatForClipboard(
      [text, amount, day],
      [[value('a'), value(1234.5), value('2026-03-02')]],
      'de-DE',
    );
    expect(block.text).toBe('a\t1234,50\t02.03.2026');
  });
  test('quotes what would break a line or a cell', () => {
    const block = formatForClipboard(
      [text, text],
      [[value('a\tb'), value('one\r\n"two"')]],
      'en-GB',
    );
    expect(block.text).toBe('"a\tb"\t"one\r\n""two"""');
  });
  test('carries no formulas to others, but numbers below zero', () => {
    const block = formatForClipboard([text, amount], [[value('=1+1'), value(-2.5)]], 'en-GB');
    expect(block.text).toBe("'=1+1\t-2.50");
    expect(block.html).toContain("'=1+1");
    expect(readOwnCells(block.own)).toEqual([['=1+1', -2.5]]);
  });
  test('is html whose texts are texts and nothing else', () => {
    const { html } = formatForClipboard(
      [text],
      [[value('<img src=x onerror=alert(1)>&"')]],
      'en-GB',
    );
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&amp;&quot;');
    expect(html).not.toContain('<img');
  });
  test('of a single cell is its text alone', () => {
    expect(formatForClipboard([text], [[value('"=a"\n')]], 'en-GB').text).toBe('"=a"\n');
    expect(formatForClipboard([text], [[{ typed: 'not a date' }]], 'en-GB').text).toBe(
      'not a date',
    );
  });
  test('carries no formula that was typed where it cannot be read', () => {
    const typed = '=HYPERLINK("http://example.org","a")';
    const block = formatForClipboard([amount, day], [[{ typed }, { typed }]], 'en-GB');
    expect(block.text).toBe(`"'${typed.replaceAll('"', '""')}"\t"'${typed.replaceAll('"', '""')}"`);
    expect(block.html).not.toContain('>=');
    expect(block.html.match(/>'=HYPERLINK/g)).toHaveLength(2);
    expect(readOwnCells(block.own)).toEqual([[typed, typed]]);
    for (const forms of [block, formatForClipboard([amount], [[{ typed }]], 'en-GB')]) {
      const { html, text: plain } = forms;
      for (const form of [
        { html, text: plain },
        { html: '', text: plain },
      ]) {
        expect(readClipboard({ own: '', ...form })?.[0]?.[0]?.text).toBe(typed);
      }
    }
  });
  test.each(['=1+1', '@sum', '-cmd|x', '+A1', '＝1'])(
    'of one cell is no formula: %s',
    (formula) => {
      for (const content of [value(formula), { typed: formula }]) {
        const { text: plain, html, own } = formatForClipboard([text], [[content]], 'en-GB');
        expect(plain).toBe(`'${formula}`);
        expect(html).toContain(`>'${formula}<`);
        expect(readOwnCells(own)).toEqual([[formula]]);
      }
    },
  );
  test.each(['+49 (30) 123-45', '-2.50', '-2,5'])('of one cell is what it shows: %s', (shown) => {
    expect(formatForClipboard([text], [[value(shown)]], 'en-GB').text).toBe(shown);
  });
  test('comes back exactly as it was', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(scalar, { minLength: 2, maxLength: 2 }), { minLength: 1 }),
        (rows) => {
          const { own } = formatForClipboard(
            [text, text],
            rows.map((row) => row.map((each) => ({ value: each }))),
            'de-DE',
          );
          expect(readOwnCells(own)).toEqual(rows);
        },
      ),
    );
  });
});

test.each([
  '',
  '{}',
  '[]',
  'null',
  '{"version":2,"rows":[["a"]]}',
  '{"version":1,"rows":[]}',
  '{"version":1,"rows":[[{}]]}',
])('what is no copy of ours is none: %s', (other) => expect(readOwnCells(other)).toBeNull());
