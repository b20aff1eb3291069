import { createMemoryHistory } from '@tanstack/react-router';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ListView, listQueryString, readListView, writeListView } from '#web/api/list-view.ts';
import { parseSearch, stringifySearch } from '#web/api/address-search.ts';
import { createQueryClient } from '#web/api/query-client.ts';
import { ownPath } from '#web/app/sign-in-address.ts';
import { createAppRouter } from '#web/app/router.ts';

const throughTheAddress = (view: ListView) =>
  readListView(parseSearch(stringifySearch(writeListView(view))));

describe('the view of a list in the address', () => {
  it('comes back as it was written', () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' });
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/);
    const view = fc.record(
      {
        where: fc.array(
          fc
            .record({
              field: fc.oneof(
                name,
                name.map((keyword) => `keyword.${keyword}`),
              ),
              op: fc.constantFrom('eq' as const, 'like' as const, 'gte' as const, 'null' as const),
              value: fc.string({ unit: 'grapheme' }),
            })
            .chain((one) => fc.constantFrom(one, { ...one, group: 1 }, { ...one, group: 2 })),
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
  const session = {
    sessionId: '1',
    username: 'anna',
    displayName: 'Anna',
    role: 'clerk',
    expiresAt: '2027-01-01T00:00:00.000Z',
    readAfter: null,
  } as const;
  const routerAt = (href: string) => {
    const queryClient = createQueryClient();
    onTestFinished(() => queryClient.clear());
    const history = createMemoryHistory({ initialEntries: [href] });
    return createAppRouter(queryClient, session, history);
  };
  /** The page that an address opens. */
  const read = (href: string) => {
    const router = routerAt(href);
    const { fullPath, params, search } = router.matchRoutes(router.latestLocation).at(-1) ?? {};
    return { to: fullPath, params: { ...params }, search: { ...search } };
  };

  it('comes back as it was written, whatever things are called', { tags: ['long'] }, () => {
    const { buildLocation } = routerAt('/');
    const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((one) => !/^\.+$/.test(one));
    // The router leaves out `__proto__`, which is the name of no parameter.
    const parameter = fc.string({ minLength: 1 }).filter((one) => one !== '__proto__');
    const search = fc.dictionary(parameter, fc.string(), { noNullPrototype: true });
    const address = fc.oneof(
      fc.constant({ to: '/' as const, params: {}, search: {} }),
      fc.record({
        to: fc.constant('/sign-in' as const),
        params: fc.constant({}),
        search: fc.record({ next: fc.webPath() }),
      }),
      fc.record({
        to: fc.constant('/archives/$archive' as const),
        params: fc.record({ archive: name }),
        search,
      }),
      fc.record({
        to: fc.constant('/archives/$archive/queue/$queueId' as const),
        params: fc.record({ archive: name, queueId: name }),
        search: fc.constant({}),
      }),
      fc.record({
        to: fc.constant('/archives/$archive/document' as const),
        params: fc.record({ archive: name }),
        search: fc.constant({}),
      }),
      fc.record({
        to: fc.constant('/tables/$guid' as const),
        params: fc.record({ guid: name }),
        search,
      }),
    );
    fc.assert(
      fc.property(address, (one) => {
        expect(read(buildLocation(one).href)).toEqual(one);
      }),
    );
  });

  it.each([
    ['/archives/A/', { to: '/archives/$archive', params: { archive: 'A' }, search: {} }],
    [
      '/Archives/A/Queue/7',
      {
        to: '/archives/$archive/queue/$queueId',
        params: { archive: 'A', queueId: '7' },
        search: {},
      },
    ],
    [
      '/archives/A/document',
      { to: '/archives/$archive/document', params: { archive: 'A' }, search: {} },
    ],
    ['/sign-in?next=/', { to: '/sign-in', params: {}, search: { next: '/' } }],
    ['/tables/B?q=0012', { to: '/tables/$guid', params: { guid: 'B' }, search: { q: '0012' } }],
    ['/', { to: '/', params: {}, search: {} }],
  ])('%s is read', (href, expected) => expect(read(href)).toEqual(expected));

  it.each([
    '/archives',
    '/archives/',
    '/archives/A/form',
    '/archives//queue/7',
    '/tables/a/b',
    '/x',
  ])('%s leads nowhere', (href) => expect(read(href).to).toBe('/$'));
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
