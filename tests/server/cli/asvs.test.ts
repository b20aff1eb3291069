import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '..', '..', '..');
const PAGE = readFileSync(resolve(PROJECT, 'docs/security.md'), 'utf8');

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; they are numbered from 1 without a gap. */
const SECTIONS = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3
  11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7
  16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`;

const ROWS = [
  ...PAGE.matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| (.+?) \| (.+) \|$/gm),
].map(([, number = '', level = '', title = '', state = '', evidence = '']) => ({
  number,
  level,
  title,
  state,
  evidence,
}));

/** The files that a text names, below folders of the project. */
const filesIn = (text: string) =>
  [...text.matchAll(/`((?:src|tests|docs|examples|scripts|bin)\/[\w./-]+)`/g)].map(
    ([, file = '']) => file,
  );

describe('the table of ASVS 5.0.0', () => {
  test('names its source and the licence of the source', () => {
    expect(PAGE).toContain('OWASP Application Security Verification Standard 5.0.0');
    expect(PAGE).toContain('Creative Commons Attribution-ShareAlike 4.0');
  });

  test('has each requirement of levels 1 and 2 once, in its order', () => {
    const numbers = [...SECTIONS.matchAll(/([\d.]+):(\d+)/g)].flatMap(([, section, count]) =>
      Array.from({ length: Number(count) }, (_, i) => `${section}.${i + 1}`),
    );
    expect(numbers).toHaveLength(253);
    expect(ROWS.map(({ number }) => number)).toEqual(numbers);
    expect(ROWS.filter(({ level }) => level === '1')).toHaveLength(70);
    expect(new Set(ROWS.map(({ title }) => title)).size).toBe(ROWS.length);
  });

  test('has one of three states in each row, and counts them in its head', () => {
    const count = (wanted: string) => ROWS.filter(({ state }) => state === wanted).length;
    const [met, none, open] = [count('met'), count('does not apply'), count('open')];
    expect(met + none + open).toBe(ROWS.length);
    expect(PAGE).toContain(
      `${ROWS.length} requirements: ${met} met, ${none} do not apply, ${open} open.`,
    );
  });

  test('names files that exist', () => {
    const missing = ROWS.flatMap(({ number, evidence }) =>
      filesIn(evidence)
        .filter((file) => !existsSync(resolve(PROJECT, file)))
        .map((file) => `${number}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  test('names a test for what is met, or the section that documents it, and what is missing for what is open', () => {
    const unproven = ROWS.filter(({ state, evidence }) => {
      if (state === 'met') return !/`tests\/[^`]+\.(?:test|e2e)\.tsx?`|\]\(#\d+-/.test(evidence);
      return state === 'open' && !evidence.includes('Missing: ');
    });
    expect(unproven.map(({ number }) => number)).toEqual([]);
  });
});
