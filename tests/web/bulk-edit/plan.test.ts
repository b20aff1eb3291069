import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bulkBody } from '#web/features/bulk-edit/bulk-request.ts';
import { plan, type PlanOptions } from '#web/features/bulk-edit/plan.ts';
import { fieldOf, indexField, keywordField, revisionRead, setTo } from './building.ts';

const name = indexField({ name: 'NAME', maxLength: 10 });
const amount = indexField({ name: 'AMOUNT', type: 'decimal', scale: 2 });
const paid = indexField({ name: 'PAID', type: 'boolean' });
const number = indexField({ name: 'NUMBER', required: true });
const state = indexField({ name: 'STATE', options: ['open', 'done'] });
const subject = keywordField('SUBJECT');
const archive = { indexFieldDefinitions: [name, amount, paid, number, state] };
const clerk: PlanOptions = {
  method: 'PATCH',
  user: { username: 'anna', role: 'clerk' },
  nameOf: (username) => username,
};
const put: PlanOptions = { ...clerk, method: 'PUT' };

const values = { NAME: 'Meier', AMOUNT: 12.5, PAID: null, NUMBER: 'R-1', STATE: 'open' };
const one = revisionRead('1', values, { keywords: [['SUBJECT', 'paper']] });

describe('plan', () => {
  it('finds what differs, by the typed value', () => {
    const [planned] = plan(archive, [one], [setTo(amount, '12.50'), setTo(paid, 'true')], clerk);
    expect(planned?.outcome).toBe('changes');
    expect(planned?.edits).toEqual([{ field: fieldOf(paid), before: null, after: true }]);
  });

  it('distinguishes "" and null in a text, and reads "" as no value elsewhere', () => {
    const empty = revisionRead('2', { ...values, NAME: '' });
    expect(plan(archive, [empty], [setTo(name, null)], clerk)[0]?.edits).toEqual([
      { field: fieldOf(name), before: '', after: null },
    ]);
    expect(plan(archive, [empty], [setTo(paid, '')], clerk)[0]?.outcome).toBe('same');
  });

  it('says what is wrong with a value, for every revision', () => {
    const planned = plan(archive, [one, { ...one, revisionId: '2' }], [setTo(amount, 'x')], clerk);
    expect(planned.map(({ outcome }) => outcome)).toEqual(['fails', 'fails']);
    expect(planned[0]?.problems[0]?.path).toBe('indexFields.AMOUNT');
  });

  it('refuses to clear a required field', () => {
    const [planned] = plan(archive, [one], [setTo(number, null)], clerk);
    expect(planned?.problems).toEqual([
      { path: 'indexFields.NUMBER', message: 'A value is required.' },
    ]);
  });

  it('checks untouched values in a PUT alone, each revision for itself', () => {
    const broken = revisionRead('2', { ...values, STATE: 'lost' });
    const changes = [setTo(name, 'Maier')];
    expect(plan(archive, [one, broken], changes, clerk).map(({ outcome }) => outcome)).toEqual([
      'changes',
      'changes',
    ]);
    const [first, second] = plan(archive, [one, broken], changes, put);
    expect(first?.outcome).toBe('changes');
    expect(second?.outcome).toBe('fails');
    expect(second?.problems[0]?.path).toBe('indexFields.STATE');
    const mended = plan(archive, [broken], [setTo(state, 'done')], put);
    expect(mended[0]?.outcome).toBe('changes');
  });

  it('sends in a PUT what it does not change as it was read, unchecked if the user may only read some fields', () => {
    const mayRead = { ...paid, readOnly: true as const };
    const restricted = { indexFieldDefinitions: [name, amount, mayRead, number, state] };
    const broken = revisionRead('2', { ...values, STATE: 'lost' });
    const changes = [setTo(name, 'Maier')];
    const planned = plan(restricted, [broken], changes, put);
    expect(planned[0]).toMatchObject({ outcome: 'changes', problems: [] });
    expect(bulkBody(planned, changes, 'PUT').revisions[0]?.indexFields).toEqual(
      Object.entries({ ...values, NAME: 'Maier', STATE: 'lost' }).map(([field, value]) => ({
        name: field,
        value,
      })),
    );
  });

  it('lets a lock of somebody else stop clerks, but neither its holder nor administrators', () => {
    const locked = revisionRead('3', values, { lockedBy: 'bob' });
    const outcome = (username: string, role: 'clerk' | 'administrator') =>
      plan(archive, [locked], [setTo(name, 'x')], { ...clerk, user: { username, role } })[0]
        ?.outcome;
    expect(outcome('anna', 'clerk')).toBe('fails');
    expect(outcome('bob', 'clerk')).toBe('changes');
    expect(outcome('anna', 'administrator')).toBe('changes');
  });

  it('replaces keywords: order counts, a keyword given twice counts once', () => {
    const change = (keywords: string[]) =>
      plan(archive, [one], [setTo(subject, keywords)], clerk)[0];
    expect(change(['paper', 'paper'])?.outcome).toBe('same');
    expect(change([])?.edits).toEqual([{ field: fieldOf(subject), before: ['paper'], after: [] }]);
    expect(change(['ink', 'paper'])?.edits).toHaveLength(1);
    expect(change(['x'.repeat(256)])?.problems[0]?.path).toBe('keywordFields.SUBJECT');
  });

  it('counts what the service rejected as failing', () => {
    const rejected = new Map([['1', [{ path: null, message: 'Changed meanwhile.' }]]]);
    const [planned] = plan(archive, [one], [setTo(name, 'x')], { ...clerk, rejected });
    expect(planned?.outcome).toBe('fails');
  });
});

describe('bulkBody', () => {
  it('names in a PATCH what differs, with the version that was read', () => {
    const changes = [setTo(amount, '12.5'), setTo(name, 'Maier')];
    const planned = plan(archive, [one], changes, clerk);
    expect(bulkBody(planned, changes, 'PATCH')).toEqual({
      revisions: [
        { revisionId: '1', ifMatch: '"1"', indexFields: [{ name: 'NAME', value: 'Maier' }] },
      ],
    });
  });

  it('names in a PATCH all that was chosen where nothing differs', () => {
    const changes = [setTo(amount, '12.5')];
    const body = bulkBody(plan(archive, [one], changes, clerk), changes, 'PATCH');
    expect(body.revisions[0]?.indexFields).toEqual([{ name: 'AMOUNT', value: 12.5 }]);
  });

  it('empties a keyword field by its empty list, and names each value otherwise', () => {
    const emptied = [setTo(subject, [])];
    const body = bulkBody(plan(archive, [one], emptied, clerk), emptied, 'PATCH');
    expect(body.revisions[0]).toMatchObject({
      indexFields: [],
      keywordFields: [{ name: 'SUBJECT', keywords: '' }],
    });
    const replaced = [setTo(subject, ['a, b', 'c'])];
    const other = bulkBody(plan(archive, [one], replaced, put), replaced, 'PUT');
    expect(other.revisions[0]?.indexFields).toHaveLength(5);
    expect(other.revisions[0]?.keywordFields).toEqual([
      { name: 'SUBJECT', value: 'a, b' },
      { name: 'SUBJECT', value: 'c' },
    ]);
  });

  it('clears by null in a PUT, also where another value stood', () => {
    const changes = [setTo(name, null)];
    const body = bulkBody(plan(archive, [one], changes, put), changes, 'PUT');
    expect(body.revisions[0]?.indexFields[0]).toEqual({ name: 'NAME', value: null });
  });
});

describe('plan and request together, for any values', () => {
  const texts = fc.option(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('a\r\nb')), {
    nil: null,
  });
  const revisions = fc
    .array(
      fc.record({
        NAME: texts,
        AMOUNT: fc.option(
          fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100),
          { nil: null },
        ),
        PAID: fc.option(fc.boolean(), { nil: null }),
        NUMBER: texts,
        STATE: fc.constantFrom('open', 'done', 'lost', null),
      }),
      { maxLength: 12 },
    )
    .map((list) => list.map((record, i) => revisionRead(String(i + 1), record)));
  const changes = fc
    .record({
      NAME: fc.option(texts, { nil: undefined }),
      AMOUNT: fc.option(fc.constantFrom('1', '2.50', 'x', null), { nil: undefined }),
      STATE: fc.option(fc.constantFrom('open', 'shut', null), { nil: undefined }),
    })
    .map((chosen) => [
      ...(chosen.NAME === undefined ? [] : [setTo(name, chosen.NAME)]),
      ...(chosen.AMOUNT === undefined ? [] : [setTo(amount, chosen.AMOUNT)]),
      ...(chosen.STATE === undefined ? [] : [setTo(state, chosen.STATE)]),
    ]);
  const methods = fc.constantFrom('PATCH', 'PUT');

  it('every revision has exactly one outcome, in the order given', () => {
    fc.assert(
      fc.property(revisions, changes, methods, (list, chosen, method) => {
        const planned = plan(archive, list, chosen, { ...clerk, method });
        expect(planned.map(({ revision }) => revision)).toEqual(list);
        for (const { outcome, edits, problems } of planned) {
          const expected = problems.length > 0 ? 'fails' : edits.length > 0 ? 'changes' : 'same';
          expect(outcome).toBe(expected);
        }
      }),
    );
  });

  it('a request applied to what was read gives what the preview showed, and nothing else', () => {
    fc.assert(
      fc.property(revisions, changes, methods, (list, chosen, method) => {
        const planned = plan(archive, list, chosen, { ...clerk, method });
        const good = planned.filter(({ outcome }) => outcome === 'changes');
        const sent = structuredClone(bulkBody(good, chosen, method));
        good.forEach(({ revision, edits }, i) => {
          const entry = sent.revisions[i];
          expect(entry?.revisionId).toBe(revision.revisionId);
          expect(entry?.ifMatch).toBe(revision.etag);
          if (method === 'PUT') {
            expect(entry?.indexFields.map((field) => field.name)).toEqual(
              revision.indexFields.map((field) => field.name),
            );
          }
          const before = new Map(revision.indexFields.map((field) => [field.name, field.value]));
          const after = new Map(before);
          for (const field of entry?.indexFields ?? []) after.set(field.name, field.value);
          const differing = [...after].filter(([key, value]) => before.get(key) !== value);
          expect(new Map(differing)).toEqual(
            new Map(edits.map(({ field, after }) => [field.name, after])),
          );
        });
      }),
    );
  });
});
