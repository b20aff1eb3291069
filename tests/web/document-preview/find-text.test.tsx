import { expect, it } from 'vitest';
import { findText, rangesIn, textIn } from '#web/features/document-preview/find-text.ts';

it('finds texts with every sign that patterns are made of', () => {
  for (const query of ['GAR25-288', 'a/b', 'x.y*', '(1)', '[2]', '{3}', '^$|?', '\\', 'a+b']) {
    expect(findText(`before ${query} after`, query)).toEqual([{ from: 7, to: 7 + query.length }]);
  }
  expect(findText('xzy', 'x.y')).toEqual([]);
});

it('takes upper and lower case and any white space alike', () => {
  expect(findText('Total\n HT, total ht', 'TOTAL ht')).toEqual([
    { from: 0, to: 9 },
    { from: 11, to: 19 },
  ]);
  expect(findText('anything', '  ')).toEqual([]);
});

it('gives the ranges of hits that go over several elements', () => {
  const root = document.createElement('div');
  root.innerHTML = '<span>Invo</span><span>ice 7</span><br><span>end</span>';
  const hits = findText(textIn(root), 'invoice');
  expect(rangesIn(root, hits).map(String)).toEqual(['Invoice']);
});
