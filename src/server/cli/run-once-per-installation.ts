import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Database, Transaction } from '#server/database/database.ts';

/** For how long work is a process's own since it last said so, in milliseconds: then it is taken for dead. */
const LEASE = 10_000;
const RENEW_EVERY = 2_000;
const ASK_EVERY = 200;

type Turn = 'mine' | 'wait' | 'over';

/**
 * Does work once in the life of an installation. Other processes wait until it is done, and take it over where
 * the one that had it has died; so it must be such that it can be begun anew.
 * @param name of the work, as the installation remembers it
 * @param needed asked where nobody has begun it
 */
export async function runOncePerInstallation(
  database: Database,
  name: string,
  needed: (db: Transaction) => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  const key = `once_${name}`;
  const owner = randomUUID();
  for (;;) {
    const turn = await database.write((db) => takeTurn(db, key, owner, needed));
    if (turn === 'over') return;
    if (turn === 'mine') break;
    await setTimeout(ASK_EVERY);
  }
  let renewed: Promise<void> = Promise.resolve();
  const renewing = setInterval(() => {
    // A lease that cannot be prolonged ends; what then is done twice is done by both in the same way.
    renewed = database.write((db) => remember(db, key, leaseOf(owner))).catch(() => undefined);
  }, RENEW_EVERY);
  const stopRenewing = async () => {
    clearInterval(renewing);
    await renewed;
  };
  try {
    await work();
  } catch (error) {
    await stopRenewing();
    await database.write((db) => forget(db, key)).catch(() => undefined);
    throw error;
  }
  await stopRenewing();
  await database.write((db) => remember(db, key, DONE));
}

const DONE = 'done';

async function takeTurn(
  db: Transaction,
  key: string,
  owner: string,
  needed: (db: Transaction) => Promise<boolean>,
): Promise<Turn> {
  const stored = await db.k
    .selectFrom('installation')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst();
  if (!stored) {
    if (!(await needed(db))) return 'over';
  } else {
    if (stored.value === DONE) return 'over';
    const until = Number(stored.value.split(' ')[1]);
    // A database of one process: the process that had the lease has ended.
    if (db.adapter.isShared && until > Date.now()) return 'wait';
  }
  await remember(db, key, leaseOf(owner));
  return 'mine';
}

function leaseOf(owner: string): string {
  return `${owner} ${Date.now() + LEASE}`;
}

async function remember(db: Transaction, key: string, value: string): Promise<void> {
  await db.k
    .insertInto('installation')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

async function forget(db: Transaction, key: string): Promise<void> {
  await db.k.deleteFrom('installation').where('key', '=', key).execute();
}
