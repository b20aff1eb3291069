import { expect, it } from 'vitest';
import { pseudoTexts } from '../../../scripts/catalogue-language.ts';

it('changes the texts of a file, and nothing else', () => {
  const source = [
    "import { plural } from './language.ts';",
    "export const open = 'Open';",
    'export const rows = (count: number) =>',
    "  plural(count, { one: '1 row', other: `${String(count)} rows` });",
    "export const state = (state: 'on' | 'off') => (state === 'on' ? 'Yes' : `No ${state}`);",
    "export const least = coded('values.least', ({ min }: { min: number }) => `Least: ${min}`);",
    "const names = new Intl.DisplayNames(['en'], { type: 'language' });",
  ].join('\n');
  expect(pseudoTexts(source)).toBe(
    [
      "import { plural } from './language.ts';",
      'export const open = "⟦Ööpééñ⟧";',
      'export const rows = (count: number) =>',
      '  plural(count, { one: "⟦1 ŕööŵ⟧", other: `⟦${String(count)} ŕööŵš⟧` });',
      "export const state = (state: 'on' | 'off') => (state === 'on' ? \"⟦Ýééš⟧\" : `⟦Ñöö ${state}⟧`);",
      "export const least = coded('values.least', ({ min }: { min: number }) => `⟦Ļééååšţ: ${min}⟧`);",
      "const names = new Intl.DisplayNames(['en'], { type: 'language' });",
    ].join('\n'),
  );
});
