import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stepFrom } from '#web/features/correction-queue/queue-navigator.ts';

type State = 'open' | 'corrected' | 'unchanged' | 'skipped' | 'gone';

it('gives every revision its turn exactly once and in order, whatever others delete meanwhile', () => {
  const queue = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 30 });
  // Before each step some are deleted; some of that is known before one comes there, some only then.
  const deletions = fc.array(fc.array(fc.nat(29), { maxLength: 3 }), { maxLength: 40 });
  fc.assert(
    fc.property(queue, deletions, fc.array(fc.boolean()), (ids, deleted, known) => {
      const states: State[] = ids.map(() => 'open');
      const gone = new Set<number>();
      const visited: number[] = [];
      let place = -1;
      const at = (to: number) => {
        const state = states[to];
        return state && { revisionId: String(ids[to]), state };
      };
      for (let step = 0; ; step++) {
        for (const index of deleted[step] ?? []) {
          if (index >= ids.length || index <= place) continue;
          gone.add(index);
          if (known[index]) states[index] = 'gone';
        }
        const { to, missing } = stepFrom(place, 1, ids.length, at);
        for (const id of missing) expect(gone.has(ids.indexOf(Number(id)))).toBe(true);
        expect(to).toBeGreaterThan(place);
        place = to;
        if (place === ids.length) break;
        // One that is found to be missing on arrival is passed over as well.
        if (!gone.has(place)) visited.push(ids[place] ?? 0);
        states[place] = gone.has(place) ? 'gone' : 'corrected';
      }
      const deletedBeforeTheirTurn = (index: number) => !visited.includes(ids[index] ?? 0);
      expect(visited).toEqual(ids.filter((_, index) => !deletedBeforeTheirTurn(index)));
      expect(ids.filter((_, index) => deletedBeforeTheirTurn(index)).length).toBe(
        [...gone].filter(deletedBeforeTheirTurn).length,
      );
    }),
  );
});

it('stays where it is when there is nothing before', () => {
  const all = () => ({ revisionId: '1', state: 'gone' as const });
  expect(stepFrom(2, -1, 5, all)).toEqual({ to: 2, missing: [] });
  expect(stepFrom(2, 1, 5, all)).toEqual({ to: 5, missing: ['1', '1'] });
});
