import { describe, expect, it } from 'vitest';
import { structureChanges } from '#web/fields/history/structure-changes.ts';

/** Changes as `PATH: BEFORE -> AFTER`. */
function changesOf(before: unknown, after: unknown, property?: string): string[] {
  const keys = property === undefined ? [] : [property];
  return structureChanges(before, after, { path: [], keys, isEntry: false }).map(
    (change) =>
      `${change.path.join(' / ')}: ${JSON.stringify(change.before)} -> ${JSON.stringify(change.after)}`,
  );
}

describe('changes in structures', () => {
  it('are those of single properties, by the labels of the designer', () => {
    const field = { name: 'TOTAL', type: 'text', maxLength: 40, required: false };
    expect(changesOf(field, { ...field, type: 'decimal', maxLength: 20 })).toEqual([
      'Type: "Text" -> "Decimal number"',
      'Maximum length: 40 -> 20',
    ]);
  });

  it('find the entries of a list by their names, and say when their order differs', () => {
    const [net, vat, due] = ['NET', 'VAT', 'DUE'].map((name) => ({ name, label: name }));
    const before = { indexFields: [net, vat] };
    expect(changesOf(before, { indexFields: [vat, due, { ...net, label: 'Net amount' }] })).toEqual(
      [
        'Fields / NET / Label: "NET" -> "Net amount"',
        'Fields / DUE: null -> ["Label: DUE"]',
        'Fields / Order: undefined -> ["VAT","NET"]',
      ],
    );
  });

  it('name the entries of a list that is new', () => {
    expect(changesOf(null, { columns: [{ name: 'A', type: 'text' }], checksOff: [] })).toEqual([
      'Columns: null -> ["A"]',
    ]);
  });

  it('leave out what is empty on both sides', () => {
    expect(changesOf({ required: false, pattern: null }, { pattern: '', options: [] })).toEqual([]);
    expect(changesOf({ min: null }, { min: 0 })).toEqual(['Smallest value: null -> 0']);
  });

  it('say rights and roles in words, also those on fields', () => {
    expect(changesOf('clerk', 'reader', 'role')).toEqual([': "Clerk" -> "Reader"']);
    expect(
      changesOf({ right: 'read' }, { right: 'write', fields: { TYPE: 'hidden', NET: 'read' } }),
    ).toEqual([
      'Right: "Read" -> "Write"',
      'Fields / TYPE: null -> "Hidden"',
      'Fields / NET: null -> "Read"',
    ]);
  });

  it('keep values that have no text', () => {
    expect(changesOf({ severity: 'constructor' }, { severity: 'warn' })).toEqual([
      'A finding: "constructor" -> "is shown, and can be saved"',
    ]);
    expect(changesOf({ duplicates: [['A', 'B'], ['C']] }, null)).toEqual([
      'Fields that are equal in duplicates: ["A, B","C"] -> null',
    ]);
  });
});
