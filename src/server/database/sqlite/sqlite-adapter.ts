import { sql } from 'kysely';
import type { Adapter } from '../database.ts';

const nothing = (): Promise<void> => Promise.resolve();

export const SQLITE: Adapter = {
  isShared: false,
  lockRows: sql``,
  useIndex: (name) => sql`indexed by ${sql.ref(name)}`,
  isAmong: (numbers) => sql`in (select value from json_each(${JSON.stringify(numbers)}))`,
  lockNumber: nothing,
  isStandby: () => Promise.resolve(false),
  analyze: nothing,
  limitLockWaits: nothing,
};
