import { expect, it } from 'vitest';
import { fromArchive } from '#web/features/definitions/collection-definition.ts';
import { type DesignedField, toValues } from '#web/features/definitions/definition-form.ts';
import { restoredIndex } from '#web/features/definitions/restored-index.ts';

const RETIRED_AT = '2026-01-02T03:04:05.000Z';
const active = (name: string) => ({ name, label: name, retiredAt: null });
const retired = (name: string, stoodAfter?: string | null) => ({
  ...active(name),
  retiredAt: RETIRED_AT,
  ...(stoodAfter !== undefined && { stoodAfter }),
});
const definition = fromArchive({
  guid: '',
  table: 'ANY',
  name: 'Any',
  description: '',
  retiredAt: null,
  version: 2,
  documents: 0,
  indexFields: [],
  keywordFields: [
    active('C'),
    active('F'),
    retired('A', null),
    retired('B', 'A'),
    retired('D', 'C'),
    retired('E', 'D'),
    retired('OLD'),
  ],
});

/** Restores fields as the designer does, one after the other. @returns the fields in use, in their order */
function restore(...names: readonly string[]): string {
  let fields: readonly DesignedField[] = toValues(definition).fields;
  for (const name of names) {
    const index = fields.findIndex((field) => field.name === name);
    const place = restoredIndex(definition, fields, index) ?? index;
    const others = fields.toSpliced(index, 1);
    fields = others.toSpliced(place, 0, ...fields.slice(index, index + 1).map(inUse));
  }
  return fields
    .filter(({ retiredAt }) => retiredAt === null)
    .map(({ name }) => name)
    .join('');
}

const inUse = (field: DesignedField): DesignedField => ({ ...field, retiredAt: null });

it('Fields come back to their places, whichever is restored first', () => {
  expect(restore('A', 'B', 'D', 'E')).toBe('ABCDEF');
  expect(restore('E', 'D', 'B', 'A')).toBe('ABCDEF');
  expect(restore('E')).toBe('CEF');
  expect(restore('B')).toBe('BCF');
  // Its place is not known.
  expect(restore('OLD')).toBe('CFOLD');
});
