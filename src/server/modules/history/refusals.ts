import { BackgroundLoop, UNTIL_WOKEN } from '#server/lib/background-loop.ts';
import type { Database } from '#server/database/database.ts';
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
const FIRST_AFTER = 1_000;
/** … and further ones in one entry per minute. */
const MINUTE = 60_000;
/** How many accounts and addresses have separate entries per minute; the others share one. */
const MAX_GATHERED = 20;
const OTHERS = 'others';

/** Refusals of one account, network and call. */
interface Gathered {
  /** the first of them; null: the refusals that share one entry */
  readonly refusal: Refusal | null;
  count: number;
  /** when the next entry is due, milliseconds since 1970 UTC */
  dueAt: number;
}

/**
 * Combines refusals by account, address and minute, so that an attacker who guesses passwords at full speed, from any
 * number of addresses, adds at most some twenty entries per minute to the history.
 */
export function openRefusals(database: Database, log: WarningLog): Refusals {
  const gathered = new Map<string, Gathered>();

  /** @param until later entries are left for a later run */
  const write = async (until: number): Promise<void> => {
    const now = Date.now();
    const due = [...gathered].filter(([, { dueAt }]) => dueAt <= until);
    const counted = due.flatMap(([, { refusal, count }]) =>
      count > 0 ? [{ refusal, count }] : [],
    );
    if (counted.length > 0) {
      await database.write(
        async (db) => {
          for (const { refusal, count } of counted) {
            const { user = null, address = null, call = OTHERS, reason = null } = refusal ?? {};
            const { userId = null, username = '' } = user ?? {};
            await recordSystemHistory(db, { userId, username, address, call }, now, {
              scope: 'refused',
              kind: 'create',
              collectionId: 0,
              rowId: userId ?? 0,
              before: null,
              after: { reason, attempts: count, ...refusal?.malware },
            });
          }
        },
        { isolation: 'read committed' },
      );
    }
    for (const [key, entry] of due) {
      const written = counted.find(({ refusal }) => refusal === entry.refusal)?.count ?? 0;
      entry.count -= written;
      entry.dueAt = now + MINUTE;
      if (written === 0 && entry.count === 0) gathered.delete(key);
    }
  };

  const loop = new BackgroundLoop({
    name: 'writing refusals to the audit',
    log,
    wakeDelay: FIRST_AFTER,
    async run() {
      await write(Date.now());
      const next = Math.min(...[...gathered.values()].map(({ dueAt }) => dueAt));
      return gathered.size === 0 ? UNTIL_WOKEN : Math.max(0, next - Date.now());
    },
  });

  return {
    add(refusal) {
      const network = networkOf(refusal.address);
      const { user, call, malware } = refusal;
      const identity = JSON.stringify([
        user?.userId,
        network,
        call,
        malware?.file,
        malware?.finding,
      ]);
      const key = gathered.has(identity) || gathered.size < MAX_GATHERED ? identity : OTHERS;
      const entry = gathered.get(key);
      if (entry) {
        entry.count += 1;
        return;
      }
      const dueAt = Date.now() + FIRST_AFTER;
      gathered.set(key, { refusal: key === OTHERS ? null : refusal, count: 1, dueAt });
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
