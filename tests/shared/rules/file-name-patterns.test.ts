import { describe, expect, it } from 'vitest';
import { parseFileNamePattern, readFileName } from '#shared/rules/file-name-patterns.ts';

const read = (pattern: string, name: string) => {
  const parsed = parseFileNamePattern(pattern);
  if (!parsed.ok) throw new Error(parsed.problem);
  const found = readFileName(parsed.pattern, name);
  return found && Object.fromEntries(found);
};

describe('names of files', () => {
  it('are split by a pattern with named parts', () => {
    expect(read('{CUSTOMER}_{NO}_{DATE}.pdf', 'Miller_R-1_2027-03-01.PDF')).toEqual({
      CUSTOMER: 'Miller',
      NO: 'R-1',
      DATE: '2027-03-01',
    });
    expect(read('Scan {} of {NO}.pdf', 'scan 7 of R 1.pdf')).toEqual({ NO: 'R 1' });
    expect(read('{NO}', 'any name.tif')).toEqual({ NO: 'any name.tif' });
  });

  it('that are not of the pattern have no parts', () => {
    for (const name of ['Miller-R-1.pdf', '_R-1_2027.pdf', 'Miller_R-1_.pdf', 'a_b_c.tif', '']) {
      expect(read('{CUSTOMER}_{NO}_{DATE}.pdf', name)).toBeNull();
    }
  });

  it('need a pattern that can be read', () => {
    expect(parseFileNamePattern('{A}{B}')).toEqual({ ok: false, problem: 'adjacent' });
    expect(parseFileNamePattern('{A')).toEqual({ ok: false, problem: 'brace' });
    expect(parseFileNamePattern('A}_{B}')).toEqual({ ok: false, problem: 'brace' });
    expect(parseFileNamePattern('{A{B}}')).toEqual({ ok: false, problem: 'brace' });
    expect(parseFileNamePattern('a.pdf')).toEqual({ ok: false, problem: 'none' });
  });
});
