import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdit } from '#web/fields/line-breaks.ts';

const asShown = (text: string) => text.replaceAll(/\r\n?/g, '\n');
const withBreaks = fc
  .array(fc.constantFrom('a', 'b', '\r\n', '\n', '\r', 'ä'), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('an edit in a text area', () => {
  it.each([
    ['one\r\ntwo', 'one\ntwo!', 'one\r\ntwo!'],
    ['one\r\ntwo', 'one\n\ntwo', 'one\r\n\r\ntwo'],
    ['one\r\ntwo\nthree\rfour', 'one\ntwo\nthree\nfour.', 'one\r\ntwo\nthree\rfour.'],
    ['one\r\ntwo', 'onetwo', 'onetwo'],
    ['one', 'one\ntwo', 'one\ntwo'],
    ['a\r\n', '', ''],
  ])('%j edited to %j becomes %j', (raw, edited, expected) => {
    expect(applyEdit(raw, edited)).toBe(expected);
  });

  it('shows what was typed, whatever the line breaks were', () => {
    fc.assert(
      fc.property(withBreaks, withBreaks, (raw, typed) => {
        const edited = asShown(typed);
        expect(asShown(applyEdit(raw, edited))).toBe(edited);
      }),
    );
  });

  it('changes nothing where nothing was typed', () => {
    fc.assert(
      fc.property(withBreaks, (raw) => {
        expect(applyEdit(raw, asShown(raw))).toBe(raw);
      }),
    );
  });

  it('keeps the line breaks of the text before and after the edit', () => {
    fc.assert(
      fc.property(withBreaks, withBreaks, (before, after) => {
        fc.pre(!(before.endsWith('\r') && after.startsWith('\n')));
        const edited = `${asShown(before)}X${asShown(after)}`;
        expect(applyEdit(before + after, edited)).toBe(`${before}X${after}`);
      }),
    );
  });
});
