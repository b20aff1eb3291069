import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlan, planDefinition } from '#server/modules/definition-changes/definition-plan.ts';
import type { AnyField, DefinitionState } from '#server/modules/definitions/definition-state.ts';
import type { RequestedDefinition } from '#shared/contract/configuration-bodies.ts';
import { VALUE_TYPES } from '#shared/values/registry.ts';
import { TYPE_ONLY_RULES } from '#shared/values/value-rules.ts';

const fieldOf = (name: string, type: (typeof VALUE_TYPES)[number]): AnyField => ({
  ...TYPE_ONLY_RULES,
  name,
  label: name,
  description: '',
  type,
  scale: null,
  required: false,
  optionsFrom: null,
});

/** A definition whose fields are in use. */
const definitions = fc
  .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 6 })
  .chain((numbers) =>
    fc.tuple(
      ...numbers.map((number) => fc.tuple(fc.constant(number), fc.constantFrom(...VALUE_TYPES))),
    ),
  )
  .map((fields): DefinitionState => ({
    kind: 'archive',
    guid: '11111111-1111-4111-8111-111111111111',
    name: 'THINGS',
    label: 'Things',
    description: '',
    uniqueTogether: [],
    checks: [],
    checksOff: [],
    fields: fields.map(([number, type]) => ({
      field: fieldOf(`F${number}`, type),
      number,
      historyName: `F${number}`,
      retiredAt: null,
      stoodAfter: null,
      conversion: null,
      isSuperseded: false,
    })),
    keywordFields: [],
    nextNumber: 100,
    version: 1,
  }));

/** What has to be wanted for the definition to stay as it is. */
function wantedOf(state: DefinitionState): RequestedDefinition {
  return {
    guid: state.guid,
    name: state.name,
    label: state.label,
    description: state.description,
    fields: state.fields.map(({ field, retiredAt }) => ({
      field,
      renamedFrom: null,
      readAs: null,
      isRetired: retiredAt !== null,
    })),
    keywordFields: [],
    uniqueTogether: [],
  };
}

function plan(before: DefinitionState, wanted: RequestedDefinition) {
  const planned = planDefinition(before, wanted, { now: 1, keepsMisfits: false });
  if (!isPlan(planned)) throw new Error(JSON.stringify(planned));
  return planned;
}

/** The numbers of the fields in use by their names. */
const numbersOf = ({ fields }: DefinitionState) =>
  Object.fromEntries(
    fields
      .filter(({ retiredAt }) => retiredAt === null)
      .map(({ field, number }) => [field.name, number]),
  );

describe('the plan of a change of a definition', () => {
  it('is empty where nothing differs', () => {
    fc.assert(
      fc.property(definitions, (before) => {
        expect(plan(before, wantedOf(before)).changes).toEqual([]);
      }),
    );
  });

  it('keeps the number of each field over any exchange of names and any order', () => {
    fc.assert(
      fc.property(definitions, fc.infiniteStream(fc.nat()), (before, random) => {
        const shuffled = <Item>(items: readonly Item[]) =>
          items
            .map((item) => ({ item, at: random.next().value ?? 0 }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ item }) => item);
        const names = before.fields.map(({ field }) => field.name);
        const newNames = shuffled(names);
        const wanted = wantedOf(before);
        const renamed = wanted.fields.map((one, at) => {
          const name = newNames[at] ?? '';
          return { ...one, field: { ...one.field, name }, renamedFrom: one.field.name };
        });
        const { after } = plan(before, { ...wanted, fields: shuffled(renamed) });

        const numbers = numbersOf(before);
        expect(numbersOf(after)).toEqual(
          Object.fromEntries(names.map((name, at) => [newNames[at], numbers[name]])),
        );
      }),
    );
  });

  it('retires what is left out, and restores it with its number', () => {
    fc.assert(
      fc.property(definitions, fc.integer({ min: 0, max: 5 }), (before, at) => {
        fc.pre(before.fields.length > 1 && at < before.fields.length);
        const wanted = wantedOf(before);
        const left = wanted.fields.filter((_, place) => place !== at);
        const retired = plan(before, { ...wanted, fields: left });
        const name = before.fields[at]?.field.name;
        expect(retired.changes).toMatchObject([{ kind: 'retire', field: name }]);
        expect(numbersOf(retired.after)).not.toHaveProperty(String(name));

        const restored = plan(retired.after, wanted);
        expect(restored.changes.map(({ kind }) => kind)).toContain('restore');
        expect(numbersOf(restored.after)).toEqual(numbersOf(before));
      }),
    );
  });

  it('gives a new field a number that no other has had', () => {
    fc.assert(
      fc.property(definitions, (before) => {
        const wanted = wantedOf(before);
        const added = {
          field: fieldOf('ADDED', 'text'),
          renamedFrom: null,
          readAs: null,
          isRetired: false,
        };
        const { after, changes } = plan(before, { ...wanted, fields: [...wanted.fields, added] });
        expect(changes).toMatchObject([{ kind: 'add', field: 'ADDED' }]);
        expect(numbersOf(after)['ADDED']).toBe(before.nextNumber);
        expect(after.nextNumber).toBeGreaterThan(before.nextNumber);
      }),
    );
  });
});
