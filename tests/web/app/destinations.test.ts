import { describe, expect, it } from 'vitest';
import { destinationsFor } from '#web/features/frame/destinations.ts';

const common = { description: '', rights: 'write' as const };
const archives = [
  { ...common, guid: 'g1', table: 'INVOICES', name: 'Supplier invoices', documents: 200 },
  { ...common, guid: 'g2', table: 'TATE', name: 'Œuvres é', documents: 69_202 },
];
const tables = [{ ...common, guid: 'g3', name: 'SUPPLIERS', label: 'Suppliers', datasets: 64 }];
const named = (typed: string) =>
  destinationsFor(typed, archives, tables).map((destination) =>
    destination.kind === 'revision'
      ? `${destination.archive} ${destination.revisionId}`
      : destination.name,
  );

describe('the destinations of the palette', () => {
  it('are all archives and tables at first', () => {
    expect(named('')).toEqual(['Supplier invoices', 'Œuvres é', 'Suppliers']);
  });

  it('are found by parts of words, whatever their case and marks', () => {
    expect(named('INV supp')).toEqual(['Supplier invoices']);
    expect(named('E')).toContain('Œuvres é');
    expect(named('tate')).toEqual(['Œuvres é']);
  });

  it('are a revision in each archive where a number is typed', () => {
    expect(named('#0123')).toEqual(['INVOICES 123', 'TATE 123']);
    expect(named('0')).toEqual([]);
  });
});
