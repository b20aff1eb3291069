import { describe, expect, it } from 'vitest';
import {
  type DefinitionValues,
  type DesignedField,
  emptyValues,
  newFieldValues,
} from '#web/features/definitions/definition-form.ts';
import { newCheckValues } from '#web/features/definitions/check-form.ts';
import { mergeDesigns } from '#web/features/definitions/merge-designs.ts';

function saved(name: string, changes: Partial<DesignedField> = {}): DesignedField {
  return { ...newFieldValues(name, name, false), savedName: name, savedType: 'text', ...changes };
}

function design(
  fields: readonly DesignedField[],
  changes: Partial<DefinitionValues> = {},
): DefinitionValues {
  return { ...emptyValues(), name: 'A', label: 'A', fields, ...changes };
}

const [A, B, C] = [saved('A'), saved('B'), saved('C')];
const NEW = newFieldValues('NEW', 'New', false);
const BASE = design([A, B, C]);

const namesIn = ({ values }: ReturnType<typeof mergeDesigns>) =>
  values.fields.map(({ name }) => name);

describe('changes of a user on top of a newer definition', () => {
  it('are those of properties, and leave the properties that others have changed', () => {
    const typed = design([{ ...A, label: 'Mine', maxLength: '5' }, B, C]);
    const newer = design([{ ...A, label: 'Theirs', required: true }, B, C], { description: 'New' });
    const { values, dropped } = mergeDesigns(BASE, typed, newer);
    expect(values).toMatchObject({
      description: 'New',
      fields: [{ label: 'Mine', maxLength: '5', required: true }, B, C],
    });
    expect(dropped).toEqual([]);
  });

  it('do not retire a field that another has added', () => {
    const typed = design([A, { ...B, retiredAt: '2026-01-01T00:00:00.000Z' }, C, NEW]);
    const merged = mergeDesigns(BASE, typed, design([A, saved('ADDED'), B, C]));
    expect(namesIn(merged)).toEqual(['A', 'ADDED', 'B', 'C', 'NEW']);
    expect(merged.values.fields.map(({ retiredAt }) => retiredAt !== null)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it('are left out and named where the field or check is gone', () => {
    const check = newCheckValues({ name: 'c', label: 'Sum', rule: 'A > 1' });
    const base = design([A, B, C], { checks: [check] });
    const typed = design([A, { ...B, label: 'Mine' }, C], {
      checks: [{ ...check, rule: 'A > 2' }],
    });
    const merged = mergeDesigns(base, typed, design([A]));
    expect(namesIn(merged)).toEqual(['A']);
    expect(merged.dropped).toEqual(['Mine', 'Sum']);
  });

  it.each([
    {
      who: 'the user',
      typed: [C, A, B, NEW],
      newer: [A, saved('ADDED'), B, C],
      order: 'C,A,ADDED,B,NEW',
    },
    {
      who: 'the other',
      typed: [A, NEW, B, C],
      newer: [C, saved('ADDED'), B, A],
      order: 'C,ADDED,B,A,NEW',
    },
    { who: 'both', typed: [B, A, C], newer: [C, B, A], order: 'B,A,C' },
  ])('have the order of $who', ({ typed, newer, order }) => {
    expect(namesIn(mergeDesigns(BASE, design(typed), design(newer))).join()).toBe(order);
  });
});
