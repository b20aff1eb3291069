import { setTimeout } from 'node:timers/promises';
import {
  bulkEditRevisionsAnswer,
  bulkEditsAnswer,
  type AnsweredBulkEdit,
  type BulkEditRevision,
} from '#shared/contract/bulk-edit-answers.ts';
import type { TestAnswer, TestClient } from './app.ts';

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

/** Waits until a bulk edit is in one of these states, or as far as `enough` wants it. */
export async function waitFor(
  client: TestClient,
  at: string,
  enough: (bulkEdit: AnsweredBulkEdit) => boolean,
): Promise<AnsweredBulkEdit> {
  for (const until = Date.now() + 20_000; ;) {
    const bulkEdit = bulkEditOf(await client.get(at));
    if (enough(bulkEdit)) return bulkEdit;
    if (Date.now() > until) throw new Error(`Still ${JSON.stringify(bulkEdit)}`);
    await setTimeout(2);
  }
}

/** Waits until a bulk edit has ended in a state. */
export function ended(client: TestClient, at: string): Promise<AnsweredBulkEdit> {
  return waitFor(client, at, ({ state }) => !['applying', 'undoing'].includes(state));
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
