import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ListView, listQueryString, readListView, writeListView } from '#web/api/list-view.ts';
import {
  ownPath,
  parseSearch,
  readAddress,
  stringifySearch,
  writeAddress,
} from '#web/navigation/addresses.ts';

const throughTheAddress = (view: ListView) =>
  readListView(parseSearch(stringifySearch(writeListView(view))));

describe('the view of a list in the address', () => {
  it('comes back as it was written', () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' });
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/);
    const view = fc.record(
      {
        where: fc.array(
          fc.record({
            field: fc.oneof(
              name,
              name.map((keyword) => `keyword.${keyword}`),
            ),
            op: fc.constantFrom('eq' as const, 'like' as const, 'gte' as const, 'null' as const),
            value: fc.string({ unit: 'grapheme' }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        q: text,
        sort: fc.array(
          name.map((field) => `-${field}`),
          { minLength: 1, maxLength: 3 },
        ),
        columns: fc.array(name, { minLength: 1, maxLength: 4 }),
        selected: text,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(view, (written) => {
        const read = throughTheAddress(written);
        const byPlace = (other: ListView) => ({
          ...other,
          where: [...(other.where ?? [])].sort((a, b) =>
            JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
          ),
        });
        expect(byPlace(read)).toEqual(byPlace(written));
      }),
    );
  });

  it('keeps numbers as the text that they were', () => {
    expect(parseSearch('?q=0012&selected=1e3')).toEqual({ q: '0012', selected: '1e3' });
  });

  it('stays readable', () => {
    const view: ListView = {
      where: [{ field: 'AMOUNT', op: 'gte', value: '100' }],
      columns: ['NO', 'AMOUNT'],
    };
    expect(stringifySearch(writeListView(view))).toBe('?where[AMOUNT][gte]=100&columns=NO,AMOUNT');
  });

  it('leaves out what it does not know', () => {
    expect(readListView({ 'where[A][drop]': '1', 'where[A]': '2', other: 'x' })).toEqual({});
  });

  it('asks the API for the same filter twice by the same name', () => {
    const where = [
      { field: 'A', op: 'ne' as const, value: '1' },
      { field: 'A', op: 'ne' as const, value: '2' },
    ];
    const asked = new URLSearchParams(listQueryString(throughTheAddress({ where }), { limit: 50 }));
    expect(asked.getAll('where[A][ne]')).toEqual(['1', '2']);
    expect(asked.get('limit')).toBe('50');
  });
});

describe('an address', () => {
  const read = (href: string) => {
    const { pathname, search } = new URL(href, 'http://127.0.0.1');
    return readAddress(pathname, search);
  };

  it('comes back as it was written, whatever things are called', () => {
    const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((one) => !/^\.+$/.test(one));
    const search = fc.dictionary(fc.string({ minLength: 1 }), fc.string(), {
      noNullPrototype: true,
    });
    const address = fc.oneof(
      fc.constant({ page: 'start' as const }),
      fc.record({ page: fc.constant('sign-in' as const), next: fc.webPath() }),
      fc.record({ page: fc.constant('archive' as const), archive: name, search }),
      fc.record({ page: fc.constant('queue' as const), archive: name, queueId: name }),
      fc.record({ page: fc.constant('document' as const), archive: name }),
      fc.record({ page: fc.constant('table' as const), guid: name, search }),
    );
    fc.assert(
      fc.property(address, (one) => {
        expect(read(writeAddress(one))).toEqual(one);
      }),
    );
  });

  it.each([
    ['/archives/A/', { page: 'archive', archive: 'A', search: {} }],
    ['/Archives/A/Queue/7', { page: 'queue', archive: 'A', queueId: '7' }],
    ['/archives/A/document?of=1', { page: 'document', archive: 'A' }],
    ['/sign-in?next=/&other=1', { page: 'sign-in', next: '/' }],
    ['/tables/%E0%A4%A', { page: 'table', guid: '%E0%A4%A', search: {} }],
    ['/?q=1', { page: 'start' }],
  ])('%s is read', (href, expected) => expect(read(href)).toEqual(expected));

  it.each([
    '/archives',
    '/archives/',
    '/archives/A/form',
    '/archives//queue/7',
    '/tables/a/b',
    '/x',
  ])('%s leads nowhere', (href) => expect(read(href)).toEqual({ page: 'nowhere' }));
});

describe('the page to return to after signing in', () => {
  it.each([
    ['/archives/INVOICES?q=1', '/archives/INVOICES?q=1'],
    [undefined, '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
  ])('%s → %s', (next, expected) => {
    expect(ownPath(next)).toBe(expected);
  });
});
