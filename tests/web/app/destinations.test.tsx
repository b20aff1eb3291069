import { describe, expect, it } from 'vitest';
import { destinationsFor, foundRevision } from '#web/features/frame/destinations.ts';

const common = { description: '', rights: 'write' as const };
const archives = [
  { ...common, guid: 'g1', table: 'INVOICES', name: 'Supplier invoices', documents: 200 },
  { ...common, guid: 'g2', table: 'TATE', name: 'Œuvres é', documents: 69_202 },
];
const tables = [{ ...common, guid: 'g3', name: 'SUPPLIERS', label: 'Suppliers', datasets: 64 }];
const queues = [
  {
    archive: 'INVOICES',
    queueId: '7',
    name: 'Net missing',
    position: 1_041,
    total: 2_000,
    usedAt: '2026-11-20T08:00:00.000Z',
  },
];
const nothing = {
  archives: [],
  tables: [],
  queues: [],
  found: [],
  lists: [],
  pages: [],
  fields: [],
};
const named = (typed: string, waiting: typeof queues = [], all = archives) =>
  destinationsFor(typed, { ...nothing, archives: all, tables, queues: waiting }).map(
    ({ name }) => name,
  );
/** The kinds of destinations. */
const kinds = (typed: string, sources: Partial<Parameters<typeof destinationsFor>[1]>) =>
  destinationsFor(typed, { ...nothing, ...sources }).map(({ key }) => key.split(' ')[0]);

describe('the destinations of the palette', () => {
  it('are all archives and tables at first', () => {
    expect(named('')).toEqual(['Supplier invoices', 'Œuvres é', 'Suppliers']);
  });

  it('are found by parts of words, whatever their case and marks', () => {
    expect(named('INV supp')).toEqual(['Supplier invoices']);
    expect(named('E')).toContain('Œuvres é');
    expect(named('tate')).toEqual(['Œuvres é']);
  });

  it('are the figures of archives and tables, by their own word', () => {
    expect(named('figures')).toEqual([
      'Figures: Supplier invoices',
      'Figures: Œuvres é',
      'Figures: Suppliers',
    ]);
    expect(named('figu inv')).toEqual(['Figures: Supplier invoices']);
  });

  it('have internal names where two have the same label', () => {
    const twin = { ...common, guid: 'g4', table: 'SECOND', name: 'Suppliers', documents: 1 };
    const all = [...archives, twin];
    expect(named('suppliers', [], all)).toEqual(['Suppliers (SECOND)', 'Suppliers (SUPPLIERS)']);
    expect(named('figures', [], all).slice(-2)).toEqual([
      'Figures: Suppliers (SECOND)',
      'Figures: Suppliers (SUPPLIERS)',
    ]);
  });

  it('are the queues to go on with, by their names and those of their archives', () => {
    const goOn = 'Resume: Net missing: 1,042 of 2,000';
    expect(named('', queues).at(-1)).toBe(goOn);
    expect(named('resume', queues)).toEqual([goOn]);
    expect(named('invoices net', queues)).toEqual([goOn]);
    expect(named('vat', queues)).toEqual([]);
  });

  it('are what was found for it, after names and before queues and commands', () => {
    const found = foundRevision('INVOICES', '10003', 'S/2025/418', 'Supplier invoices');
    expect(kinds('s', { archives, tables, queues, found: [found] })).toEqual([
      'archive',
      'archive',
      'table',
      'value',
      'queue',
      'command',
      'command',
      'command',
      'command',
    ]);
  });

  it('are the text fields of the open list, whose values are cleaned up', () => {
    const collection = { kind: 'archive', id: 'INVOICES' } as const;
    const fields = [{ collection, field: 'SUPPLIER', label: 'Supplier', of: 'Supplier invoices' }];
    expect(kinds('clean supp', { fields })).toEqual(['values']);
    expect(kinds('', { fields })).toEqual([]);
  });

  it('are saved views by their names, together with that of their archive or table', () => {
    const view = {
      shared: true,
      owner: null,
      mine: false,
      search: 'where%5BNET%5D%5Bnull%5D=true',
    };
    const collection = { kind: 'archive', id: 'INVOICES' } as const;
    const views = [
      { ...view, viewId: '1', name: 'Net missing' },
      { ...view, viewId: '2', name: 'Not paid' },
    ];
    const lists = [{ collection, name: 'Supplier invoices', views }];
    const viewsFor = (typed: string) =>
      destinationsFor(typed, { ...nothing, archives, tables, lists }).flatMap(({ key, name }) =>
        key.startsWith('view') ? name : [],
      );
    expect(viewsFor('MISS')).toEqual(['Net missing']);
    expect(viewsFor('invoices paid')).toEqual(['Not paid']);
    expect(viewsFor('invoices')).toEqual([]);
    expect(viewsFor('')).toEqual([]);
  });

  it('are commands once something was typed', () => {
    expect(named('dark')).toEqual(['Colours: dark']);
    expect(named('sign out')).toEqual(['Sign out']);
    expect(named('').filter((name) => name.startsWith('Colours'))).toEqual([]);
  });

  it('are a revision in each archive where a number is typed', () => {
    expect(named('#0123')).toEqual([
      'Open revision 123 in Supplier invoices',
      'Open revision 123 in Œuvres é',
    ]);
    expect(named('0')).toEqual([]);
  });
});
