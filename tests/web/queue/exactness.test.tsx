/** @module-tag slow */
import { cleanup, waitFor } from '@testing-library/react';
import type { QueryClient } from '@tanstack/react-query';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { activeRequests } from '#web/api/request.ts';
import { repeated } from '#tests/support/effort.ts';
import { editor, form, type ROWS } from '../archive/desk.tsx';
import { atEnd, openQueueDesk, shownId } from './desk.tsx';

const desk = await openQueueDesk();
const COUNT = 6;
/** What is done before the clerk goes straight on to the end. */
const STEPS = 9;

/** What the others do before the clerk goes on. */
const meanwhile = fc.record({
  deleted: fc.option(fc.integer({ min: 1, max: COUNT }), { nil: null, freq: 2 }),
  edited: fc.option(fc.integer({ min: 1, max: COUNT }), { nil: null }),
});
/** What the clerk does with a revision. */
const KEYS = {
  'corrects it out of the filter': '{Control>}{Enter}{/Control}',
  'goes on': '{Control>}{Enter}{/Control}',
  'skips it': '{Alt>}{ArrowDown}{/Alt}',
  'goes back': '{Alt>}{ArrowUp}{/Alt}',
  'flags it': '{Control>}{Shift>}l{/Shift}{/Control}later{Enter}',
  'comes back on the next day': null,
} as const;
const work = fc.constantFrom(
  'corrects it out of the filter',
  'goes on',
  'skips it',
  'goes back',
  'flags it',
  'comes back on the next day',
) satisfies fc.Arbitrary<keyof typeof KEYS>;

const rows = (): (typeof ROWS)[number][] =>
  Array.from({ length: COUNT }, (_, index) => [`R-${index + 1}`, 'open', 1, true, null, null]);

it(
  'gives each revision its turn once and in order, whatever others edit and delete, and wherever the clerk goes meanwhile',
  { tags: ['long'] },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(meanwhile, work), { minLength: STEPS, maxLength: STEPS }),
        fc.boolean(),
        async (script, descending) => {
          cleanup();
          await desk.newArchive(rows());
          let queue = await desk.openQueue(
            `where[SUPPLIER][eq]=open&where[PAID][eq]=true&sort=${descending ? '-' : ''}revisionId`,
          );
          const { kept } = queue;
          const frozen = Array.from({ length: COUNT }, (_, index) =>
            String(descending ? COUNT - index : index + 1),
          );
          const placeNow = () => (atEnd() ? COUNT : frozen.indexOf(shownId() ?? ''));
          const deleted = new Set<string>();
          const rests = () => atEnd() || (placeNow() >= 0 && !deleted.has(shownId() ?? ''));
          const allDeleted = (from: number, to: number) =>
            frozen.slice(from, to).every((id) => deleted.has(id));
          /** those that have had their turn, in the order of their first one */
          const visited: string[] = [];
          const corrected = new Set<string>();
          const flagged = new Set<string>();

          await waitFor(() => expect(placeNow()).toBe(0));
          for (let step = 0; placeNow() < COUNT; step++) {
            const [others, what] = script[step] ?? [null, 'skips it' as const];
            const place = placeNow();
            const id = frozen[place] ?? '';
            const shown = await form(id);
            if (!visited.includes(id)) visited.push(id);
            if (others?.deleted && String(others.deleted) !== id) {
              const { status } = await desk.root.delete(desk.pathOf(String(others.deleted)));
              if (status === 204) deleted.add(String(others.deleted));
            }
            if (others?.edited && String(others.edited) !== id) {
              // It leaves the filter, or was not found; both are nothing to the queue.
              await desk.changeElsewhere(String(others.edited), { PAID: false }).catch(() => null);
            }
            const keys = KEYS[what];
            if (keys === null) {
              await waitFor(async () => expect((await kept())?.position).toBe(place));
              queue.unmount();
              queue = await queue.openAgain();
              await waitFor(() => expect(placeNow()).toBe(place));
              continue;
            }
            if (what === 'corrects it out of the filter') {
              await queue.user.click(editor(shown, 'Supplier'));
              await queue.user.keyboard(`done ${id}`);
              corrected.add(id);
            }
            if (what === 'flags it') flagged.add(id);
            await queue.user.keyboard(keys);
            if (what === 'goes back') {
              await settled(queue.queryClient, rests);
              const before = frozen.slice(0, place).findLastIndex((one) => !deleted.has(one));
              // Over one of which it shows only now that it was deleted, it goes on from there.
              if (placeNow() >= place) expect(allDeleted(place - 1, placeNow())).toBe(true);
              else expect(placeNow()).toBeGreaterThanOrEqual(before);
              continue;
            }
            await waitFor(() => expect(placeNow()).toBeGreaterThan(place));
            await settled(queue.queryClient, rests);
            expect(allDeleted(place + 1, placeNow())).toBe(true);
          }
          // Each once, in order; those without a turn were deleted before it came.
          expect(visited).toEqual(frozen.filter((id) => visited.includes(id)));
          expect(frozen.filter((id) => !visited.includes(id) && !deleted.has(id))).toEqual([]);

          for (const id of corrected) {
            const answer = await desk.root.get(desk.pathOf(id));
            if (answer.status === 200) expect(answer.text).toContain(`done ${id}`);
          }
          await waitFor(async () => expect((await kept())?.position).toBe(COUNT));
          await waitFor(async () =>
            expect(new Set(await desk.flagged())).toEqual(
              new Set([...flagged].filter((id) => !deleted.has(id))),
            ),
          );
          // Whatever was done with it before: what is deleted counts as deleted, and as nothing else.
          const counts = (await kept())?.counts;
          expect(counts?.gone).toBe(deleted.size);
          expect((counts?.corrected ?? 0) + (counts?.unchanged ?? 0) + (counts?.skipped ?? 0)).toBe(
            COUNT - deleted.size,
          );
        },
      ),
      { numRuns: repeated(2), endOnFailure: true },
    );
  },
);

/** Waits until the queue rests at a place: what is found to be deleted is passed over. */
async function settled(client: QueryClient, isPlace: () => boolean): Promise<void> {
  await waitFor(() => {
    expect(isPlace()).toBe(true);
    expect(activeRequests.get()).toBe(0);
    // Between the calls of a save that is based on a newer version none is in progress.
    expect(client.isMutating()).toBe(0);
  });
}
