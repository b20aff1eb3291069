import { BackgroundLoop, UNTIL_WOKEN } from '#server/lib/background-loop.ts';
import { READ_COMMITTED, type Database } from '#server/database/database.ts';
import { networkOf } from '#server/lib/networks.ts';
import type { WarningLog } from '#server/lib/warning-log.ts';
import { recordSystemHistory } from './history.service.ts';

/** A rejected sign-in, a call without permission, or a file with malware. */
interface Refusal {
  /** null: an unknown account; its name is not stored, because people type passwords into the wrong field */
  readonly user: { readonly userId: number; readonly username: string } | null;
  readonly address: string;
  /** method and route */
  readonly call: string;
  /** the code of the error that was answered */
  readonly reason: string;
  /** a file that was refused, with what the scanner found in it */
  readonly malware?: { readonly file: string; readonly finding: string };
}

/** Writes refusals to the audit. */
export interface Refusals {
  /** Records a refusal; it is written within `FIRST_AFTER`, or combined with the others of its minute. */
  add(refusal: Refusal): void;
  /** Writes all pending refusals. */
  close(): Promise<void>;
}

/** The first refusal of an account and address is written after this time, in milliseconds, … */
const FIRST_WRITE_DELAY = 1_000;
/** … and further ones in one entry per minute. */
const MINUTE = 60_000;
/**
 * How many entries an account has per minute for each reason, by address and call; further refusals share one. Unknown
 * accounts count as one account.
 */
const MAX_OF_ACCOUNT = 20;
/** How many entries by address and call all accounts have per minute; after them an account has one entry for each reason. */
const MAX_GATHERED = 200;
/** How many entries there are per minute; further refusals share one. */
const MAX_ENTRIES = 1_000;
const OTHERS = 'others';

/** The common properties of the refusals in an entry; null: they differ. */
interface Summary extends Pick<Refusal, 'malware'> {
  readonly user: Refusal['user'];
  readonly address: string | null;
  readonly call: string;
  readonly reason: string | null;
}

/** Refusals that share entries. */
interface Gathered {
  readonly summary: Summary;
  /** the account and reason by which they are limited */
  readonly account: string;
  count: number;
  /** when the next entry is due, milliseconds since 1970 UTC */
  dueAt: number;
}

/**
 * Combines refusals by account, address and minute, so that an attacker who guesses passwords at full speed, from any
 * number of addresses, adds a limited number of entries per minute to the history, and does not hide the refusals of
 * other accounts.
 */
export function openRefusals(database: Database, log: WarningLog): Refusals {
  const gathered = new Map<string, Gathered>();

  /** @param until later entries are left for a later run */
  const write = async (until: number): Promise<void> => {
    const now = Date.now();
    const due = [...gathered].filter(([, { dueAt }]) => dueAt <= until);
    const counted = due.flatMap(([, { summary, count }]) =>
      count > 0 ? [{ summary, count }] : [],
    );
    if (counted.length > 0) await recordAttempts(database, counted, now);
    for (const [key, entry] of due) {
      const written = counted.find(({ summary }) => summary === entry.summary)?.count ?? 0;
      entry.count -= written;
      entry.dueAt = now + MINUTE;
      if (written === 0 && entry.count === 0) gathered.delete(key);
    }
  };

  const loop = new BackgroundLoop({
    name: 'writing refusals to the audit',
    log,
    wakeDelay: FIRST_WRITE_DELAY,
    async run() {
      await write(Date.now());
      const next = Math.min(...[...gathered.values()].map(({ dueAt }) => dueAt));
      return gathered.size === 0 ? UNTIL_WOKEN : Math.max(0, next - Date.now());
    },
  });

  return {
    add(refusal) {
      const { key, summary, account } = placeOf(gathered, refusal);
      const entry = gathered.get(key);
      if (entry) {
        entry.count += 1;
        return;
      }
      gathered.set(key, { summary, account, count: 1, dueAt: Date.now() + FIRST_WRITE_DELAY });
      loop.wake();
    },
    async close() {
      await loop.close();
      await write(Number.POSITIVE_INFINITY).catch((error: unknown) =>
        log.warn({ err: error }, 'writing refusals to the audit failed'),
      );
    },
  };
}

async function recordAttempts(
  database: Database,
  counted: readonly Pick<Gathered, 'summary' | 'count'>[],
  now: number,
): Promise<void> {
  await database.write(async (db) => {
    for (const { summary, count } of counted) {
      const { user, address, call, reason, malware } = summary;
      const { userId = null, username = '' } = user ?? {};
      await recordSystemHistory(db, { userId, username, address, call }, now, {
        scope: 'refused',
        kind: 'create',
        rowId: userId ?? 0,
        before: null,
        after: { reason, attempts: count, ...malware },
      });
    }
  }, READ_COMMITTED);
}

/** The entry in which a refusal is counted: a separate one for its address and call as long as the limits allow it. */
function placeOf(
  gathered: ReadonlyMap<string, Gathered>,
  refusal: Refusal,
): Pick<Gathered, 'summary' | 'account'> & { key: string } {
  const { user, address, call, reason, malware } = refusal;
  const account = JSON.stringify([user?.userId, reason]);
  const key = JSON.stringify([account, networkOf(address), call, malware]);
  const hasRoom = () =>
    gathered.size < MAX_GATHERED &&
    [...gathered.values()].filter((entry) => entry.account === account).length < MAX_OF_ACCOUNT;
  if (gathered.has(key) || hasRoom()) return { key, summary: refusal, account };
  const shared = { address: null, call: OTHERS };
  return gathered.has(account) || gathered.size < MAX_ENTRIES
    ? { key: account, summary: { ...shared, user, reason }, account }
    : { key: OTHERS, summary: { ...shared, user: null, reason: null }, account: OTHERS };
}
