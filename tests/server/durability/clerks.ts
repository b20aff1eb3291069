import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as answers from '#shared/contract/answers.ts';
import type {
  ServiceAnswer,
  ServiceClient,
  ServiceRequest,
} from '#tests/support/service-client.ts';
import { ARCHIVE, DATASETS, REVISIONS } from './ledger-content.ts';

/** One write and what became of it. Its token occurs in nothing but what it writes. */
export interface Attempt {
  readonly kind: 'revision' | 'revisions' | 'document' | 'create' | 'change';
  readonly token: string;
  /** how many records the token has to be in once it is written */
  readonly size: number;
  readonly request: () => ServiceRequest;
  /** the ids in the answer; null as long as there is none */
  ids: readonly string[] | null;
}

const CLIENTS = 16;
const BATCH = 20;
/** Milliseconds. */
const REFUSED_PAUSE = 50;

/** Writes of all kinds with 16 clients at once, to records chosen at random, and keeps account of it. */
export class Clerks {
  readonly attempts: Attempt[] = [];
  /** answers that asked to try again */
  refusals = 0;
  readonly #client: ServiceClient;
  #killed = false;
  #made = 0;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /** Writes until `killed` is called and the service is gone. */
  async work(): Promise<void> {
    this.#killed = false;
    const clerks = Array.from({ length: CLIENTS }, async () => {
      for (;;) {
        const attempt = this.#next();
        this.attempts.push(attempt);
        if (!(await this.#try(attempt))) return;
      }
    });
    await Promise.all(clerks);
  }

  /** Makes this many writes, 16 at a time. */
  async write(count: number): Promise<void> {
    this.#killed = false;
    const last = this.attempts.length + count;
    const clerks = Array.from({ length: CLIENTS }, async () => {
      while (this.attempts.length < last) {
        const attempt = this.#next();
        this.attempts.push(attempt);
        await this.#try(attempt);
      }
    });
    await Promise.all(clerks);
  }

  /** Writes, 16 at a time and each until it is answered, until it is enough. */
  async writeUntil(enough: () => boolean): Promise<void> {
    this.#killed = false;
    const clerks = Array.from({ length: CLIENTS }, async () => {
      while (!enough()) {
        const attempt = this.#next();
        this.attempts.push(attempt);
        await this.#try(attempt);
      }
    });
    await Promise.all(clerks);
  }

  /** how many writes were answered */
  get answered(): number {
    return this.attempts.filter(({ ids }) => ids !== null).length;
  }

  /** To be called just before the service is killed: from now on a lost connection is no surprise. */
  killed(): void {
    this.#killed = true;
  }

  /** Sends again, with the keys they had, every other write that was not answered; the rest is given up. */
  async retry(): Promise<number> {
    const unanswered = this.attempts.filter(({ ids }) => ids === null);
    const again = unanswered.filter((_, i) => i % 2 === 0);
    this.#killed = false;
    await Promise.all(again.map((attempt) => this.#try(attempt)));
    return again.length;
  }

  /** @returns false where the service is gone */
  async #try(attempt: Attempt): Promise<boolean> {
    for (;;) {
      let answer: ServiceAnswer;
      try {
        answer = await this.#client.send(attempt.request());
      } catch (error) {
        if (!this.#killed) throw error;
        return false;
      }
      // The one refusal under load that asks to be tried again.
      if (answer.status === 503) {
        this.refusals += 1;
        await setTimeout(REFUSED_PAUSE);
        continue;
      }
      if (answer.status !== 200 && answer.status !== 201) {
        throw new Error(`${attempt.kind}: ${answer.status} ${answer.bytes.toString()}`);
      }
      attempt.ids = idsOf(attempt, answer);
      return true;
    }
  }

  #next(): Attempt {
    const token = `t${randomUUID().replaceAll('-', '')}`;
    const headers = { 'idempotency-key': token };
    const indexFields = [
      { name: 'TOKEN', value: token },
      { name: 'COUNT', value: randomInt(1_000_000) },
    ];
    const about = { token, ids: null };
    this.#made += 1;
    switch (this.#made % 12) {
      case 0:
      case 1: {
        const revisions = sample(REVISIONS, BATCH).map((revisionId) => ({
          revisionId,
          indexFields,
        }));
        const path = `${ARCHIVE}/indexdata`;
        return {
          ...about,
          kind: 'revisions',
          size: BATCH,
          request: () => ({ method: 'PATCH', path, headers, json: { revisions } }),
        };
      }
      case 2: {
        const path = `${ARCHIVE}/documents`;
        return {
          ...about,
          kind: 'document',
          size: 1,
          request: () => ({ method: 'POST', path, headers, form: documentForm(token) }),
        };
      }
      case 3:
      case 4:
        return {
          ...about,
          kind: 'create',
          size: 1,
          request: () => ({
            method: 'POST',
            path: DATASETS,
            headers,
            json: { dataset: { token } },
          }),
        };
      case 5: {
        const datasets = Array.from({ length: BATCH }, () => ({ token }));
        return {
          ...about,
          kind: 'create',
          size: BATCH,
          request: () => ({ method: 'POST', path: DATASETS, headers, json: { datasets } }),
        };
      }
      case 6:
      case 7: {
        const created = this.attempts.filter(({ kind, ids }) => kind === 'create' && ids !== null);
        const jrid = created[randomInt(created.length + 1)]?.ids?.[0];
        if (jrid === undefined) return this.#next();
        const path = `${DATASETS}/${jrid}`;
        return {
          ...about,
          kind: 'change',
          size: 1,
          request: () => ({ method: 'PUT', path, headers, json: { dataset: { note: token } } }),
        };
      }
      default: {
        const path = `${ARCHIVE}/documents/${randomInt(REVISIONS) + 1}/indexdata`;
        return {
          ...about,
          kind: 'revision',
          size: 1,
          request: () => ({ method: 'PATCH', path, headers, json: { indexFields } }),
        };
      }
    }
  }
}

/** The text of the file that comes with a new document. */
export function fileOf(token: string): string {
  return `${token}\n`.repeat(2_000);
}

function documentForm(token: string): FormData {
  const form = new FormData();
  form.set('indexFields[0][name]', 'TOKEN');
  form.set('indexFields[0][value]', token);
  form.set('files[0]', new Blob([fileOf(token)], { type: 'text/plain' }), 'page.txt');
  return form;
}

function idsOf({ kind, size }: Attempt, { body }: ServiceAnswer): string[] {
  const ids =
    kind === 'create' || kind === 'change'
      ? answers.datasetsAnswer.parse(body).datasets.map(({ jrid }) => jrid)
      : answers.revisionsAnswer
          .parse(body)
          .archivedocumentrevisions.map(({ revisionId }) => revisionId);
  if (ids.length !== size) throw new Error(`${kind} of ${size} answered ${ids.length} records`);
  return ids;
}

/** Different whole numbers from 1 to `most`. */
function sample(most: number, size: number): number[] {
  const chosen = new Set<number>();
  while (chosen.size < size) chosen.add(randomInt(most) + 1);
  return [...chosen];
}
