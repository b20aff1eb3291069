import { describe, expect, test } from 'vitest';
import { linksIn } from '#web/features/data-grid/record/links.ts';

const hrefs = (text: string) => linksIn(text).map(({ href }) => href);

describe('what can be opened in a text', () => {
  test.each([
    ['nothing here', []],
    ['https://example.org/a?b=1#c', ['https://example.org/a?b=1#c']],
    [
      'See http://example.org/a, or https://example.com.',
      ['http://example.org/a', 'https://example.com/'],
    ],
    ['(https://example.org/a_(b)) and so on', ['https://example.org/a_(b)']],
    ['Anna <anna.b+c@example.org>; x', ['mailto:anna.b%2Bc@example.org']],
    ['info@example.org, https://example.org', ['mailto:info@example.org', 'https://example.org/']],
    ['twice https://example.org https://example.org/', ['https://example.org/']],
    ['https://user@example.org/x', ['https://user@example.org/x']],
    ['javascript:alert(1) ftp://example.org data:text/html,x', []],
    ['https://', []],
    ['a@b', []],
  ])('%j', (text, expected) => {
    expect(hrefs(text)).toEqual(expected);
  });

  test('only the first five', () => {
    const many = Array.from({ length: 9 }, (_, i) => `https://example.org/${i}`);
    expect(hrefs(many.join(' '))).toEqual(many.slice(0, 5));
  });
});
