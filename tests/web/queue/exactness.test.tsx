import { cleanup, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editor, form, type ROWS } from '../archive/desk.tsx';
import { atEnd, openQueueDesk, shownId } from './desk.tsx';

const desk = await openQueueDesk();
const COUNT = 7;

/** What the others do before the clerk goes on. */
const meanwhile = fc.record({
  deleted: fc.option(fc.integer({ min: 1, max: COUNT }), { nil: null }),
  edited: fc.option(fc.integer({ min: 1, max: COUNT }), { nil: null }),
});
/** What the clerk does with a revision. */
const work = fc.constantFrom('corrects it out of the filter', 'goes on', 'skips it');

const rows = (): (typeof ROWS)[number][] =>
  Array.from({ length: COUNT }, (_, index) => [`R-${index + 1}`, 'open', 1, true, null, null]);

it(
  'gives each revision its turn once and in order, whatever others edit and delete meanwhile',
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(meanwhile, work), { minLength: COUNT, maxLength: COUNT }),
        fc.boolean(),
        async (script, descending) => {
          cleanup();
          await desk.newArchive(rows());
          const { user, kept } = await desk.openQueue(
            `where[SUPPLIER][eq]=open&where[PAID][eq]=true&sort=${descending ? '-' : ''}revisionId`,
          );
          const frozen = Array.from({ length: COUNT }, (_, index) =>
            String(descending ? COUNT - index : index + 1),
          );
          const visited: string[] = [];
          const deletedBefore = new Set<string>();
          const corrected = new Set<string>();
          for (const [{ deleted, edited }, what] of script) {
            await waitFor(() => expect(atEnd() || shownId() !== undefined).toBe(true));
            if (atEnd()) break;
            const id = shownId() ?? '';
            const shown = await form(id);
            visited.push(id);
            if (deleted !== null && String(deleted) !== id) {
              const { status } = await desk.root.delete(desk.pathOf(String(deleted)));
              if (status === 204 && !visited.includes(String(deleted))) {
                deletedBefore.add(String(deleted));
              }
            }
            if (edited !== null && String(edited) !== id) {
              // It leaves the filter, or is not there any more; both are nothing to the queue.
              await desk.changeElsewhere(String(edited), { PAID: false }).catch(() => null);
            }
            if (what === 'corrects it out of the filter') {
              await user.click(editor(shown, 'Supplier'));
              await user.keyboard(`done ${id}`);
              corrected.add(id);
            }
            await user.keyboard(
              what === 'skips it' ? '{Alt>}{ArrowDown}{/Alt}' : '{Control>}{Enter}{/Control}',
            );
            await waitFor(() => expect(shownId()).not.toBe(id), { timeout: 5000 });
          }
          await waitFor(() => expect(atEnd()).toBe(true));
          // What was read ahead a moment before it was deleted may still be shown, in its turn.
          expect(visited).toEqual(
            frozen.filter((id) => !deletedBefore.has(id) || visited.includes(id)),
          );
          expect(
            frozen.filter((id) => !visited.includes(id)).every((id) => deletedBefore.has(id)),
          ).toBe(true);
          for (const id of corrected) {
            const answer = await desk.root.get(desk.pathOf(id));
            if (answer.status === 200) expect(answer.text).toContain(`done ${id}`);
          }
          await waitFor(async () => expect((await kept())?.position).toBe(COUNT));
          // Whatever was done with it before: what is deleted counts as deleted, and as nothing else.
          const there = await Promise.all(frozen.map((id) => desk.root.get(desk.pathOf(id))));
          const gone = there.filter(({ status }) => status === 404).length;
          const counts = (await kept())?.counts;
          expect(counts?.gone).toBe(gone);
          expect((counts?.corrected ?? 0) + (counts?.unchanged ?? 0) + (counts?.skipped ?? 0)).toBe(
            COUNT - gone,
          );
        },
      ),
      { numRuns: 4, endOnFailure: true },
    );
  },
);
