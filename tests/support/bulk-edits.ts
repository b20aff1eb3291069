import { setTimeout } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import {
  bulkEditRevisionsAnswer,
  bulkEditsAnswer,
  type AnsweredBulkEdit,
  type BulkEditRevision,
} from '#shared/contract/bulk-edit-answers.ts';
import type { Database } from '#server/database/database.ts';
import type { TestAnswer, TestClient } from './app.ts';
import { blockedWrites } from './databases.ts';
import { WAIT_LIMIT } from './effort.ts';

/** What a call about one bulk edit has answered. */
export function bulkEditOf(answer: TestAnswer): AnsweredBulkEdit {
  const [bulkEdit] = answer.status < 300 ? bulkEditsAnswer.parse(answer.body).bulkedits : [];
  if (!bulkEdit) throw new Error(`No bulk edit: ${answer.status} ${answer.text}`);
  return bulkEdit;
}

/** Plans edits of a selection and answers the address of the plan. */
export async function planAt(
  client: TestClient,
  path: string,
  selection: unknown,
  edits: unknown,
): Promise<string> {
  const { bulkEditId } = bulkEditOf(await client.post(path, { selection, edits }));
  return `${path}/${bulkEditId}`;
}

/** Waits until a bulk edit is in one of these states, or as far as `enough` wants it, for as long as it makes progress. */
export async function waitFor(
  client: TestClient,
  at: string,
  enough: (bulkEdit: AnsweredBulkEdit) => boolean,
): Promise<AnsweredBulkEdit> {
  let before = '';
  for (let until = 0; ;) {
    const bulkEdit = bulkEditOf(await client.get(at));
    if (enough(bulkEdit)) return bulkEdit;
    const now = JSON.stringify(bulkEdit);
    if (now !== before) until = Date.now() + WAIT_LIMIT;
    else if (Date.now() > until) throw new Error(`Still ${now}`);
    before = now;
    // A bulk edit makes room for calls: those that come one after the other would slow it down.
    await setTimeout(20);
  }
}

/** Waits until a bulk edit has ended in a state. */
export function ended(client: TestClient, at: string): Promise<AnsweredBulkEdit> {
  return waitFor(client, at, ({ state }) => !['applying', 'undoing'].includes(state));
}

/** Lets no part of a bulk edit begin, once the one under way has ended. @returns what lets them go on */
async function hold(database: Database): Promise<() => Promise<void>> {
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // On PostgreSQL only those of the same rows wait for a write. With row locks it waits for its turn; otherwise it would
  // begin again after each part of the bulk edit, and come after the last one.
  const holding = database.write(
    async (db) => {
      await db.k
        .updateTable('bulk_edits')
        .set((eb) => ({ lease_until: eb.ref('lease_until') }))
        .execute();
      held.resolve();
      await over.promise;
    },
    { isolation: 'read committed' },
  );
  await Promise.race([held.promise, holding]);
  return async () => {
    over.resolve();
    await holding;
  };
}

/**
 * Holds a bulk edit once it is as far as `enough` wants it, and lets it go on when the writes of `meanwhile` wait for their
 * turn. A part that others wait for is of a few hundred revisions at most, so a bulk edit of many more is under way then,
 * however fast or slow the machine is.
 * @param meanwhile what is done then; where it only stops the service, it waits for the part of the bulk edit alone
 */
export async function doWhileUnderWay<T>(
  database: Database,
  client: TestClient,
  at: string,
  enough: (counts: AnsweredBulkEdit['counts']) => boolean,
  meanwhile: () => Promise<T>,
  { isStop = false }: { readonly isStop?: boolean } = {},
): Promise<T> {
  // On SQLite the write after them waits as well.
  const waiting = isStop && database.adapter.isShared ? 1 : 2;
  for (const until = Date.now() + WAIT_LIMIT; ;) {
    const goOn = await hold(database);
    const bulkEdit = bulkEditOf(await client.get(at));
    if (enough(bulkEdit.counts)) {
      // The next part, which ends early as this one waits as well.
      const after = database.write(() => Promise.resolve());
      const done = meanwhile();
      const isWaitedFor = async () =>
        expect(await blockedWrites(database)).toBeGreaterThanOrEqual(waiting);
      await Promise.race([vi.waitFor(isWaitedFor), done]);
      await goOn();
      await after;
      return done;
    }
    await goOn();
    if (Date.now() > until) throw new Error(`Still ${JSON.stringify(bulkEdit)}`);
    // The background has its turn.
    await setTimeout(1);
  }
}

/** The revisions of a bulk edit, at most 1,000. */
export async function revisionsOf(
  client: TestClient,
  at: string,
  outcome?: string,
): Promise<BulkEditRevision[]> {
  const query = outcome === undefined ? '' : `&outcome=${outcome}`;
  const answer = await client.get(`${at}/revisions?limit=1000${query}`);
  return bulkEditRevisionsAnswer.parse(answer.body).revisions;
}
