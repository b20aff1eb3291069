import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { type Cells, type Edits, NO_EDITS, type RowKey } from './edits.ts';
import { freeIn, holdWhileHere, whileFree } from './tab-locks.ts';
import { jobsOf, type Steps } from './undo/steps.ts';

/** What a tab's desk holds of one table. */
export interface KeptDesk {
  readonly edits: Edits;
  readonly steps: Steps;
}

interface StoredDesk extends KeptDesk {
  readonly username: string;
  readonly guid: string;
  /** the tab that wrote it */
  readonly tab: string;
}

/** Some of the edits of a desk. */
interface Bundle {
  readonly records: Edits['records'];
  readonly newRows: Edits['newRows'];
}

interface StoredBundle extends Bundle {
  readonly username: string;
  readonly guid: string;
  readonly tab: string;
  readonly bundle: number;
}

type DeskKey = [username: string, guid: string, tab: string];

interface DeskSchema extends DBSchema {
  desks: { key: DeskKey; value: StoredDesk };
  bundles: { key: [...DeskKey, bundle: number]; value: StoredBundle };
}

/** So many that the change of one record writes little, so few that tens of thousands are written in one go. */
const BUNDLES = 256;
const ROWS_IN_BUNDLE = 200;

type Bundles = ReadonlyMap<number, Bundle>;

/** Records by their jrid, rows that are not created yet by their place. */
function inBundles({ records, newRows }: Edits): Bundles {
  const some = new Map<number, Map<RowKey, Cells>>();
  for (const [jrid, cells] of records) {
    const number = Number(jrid.slice(-6)) % BUNDLES || 0;
    const bundle = some.get(number);
    if (bundle) bundle.set(jrid, cells);
    else some.set(number, new Map([[jrid, cells]]));
  }
  const bundles = new Map<number, Bundle>();
  for (const [number, own] of some) bundles.set(number, { records: own, newRows: [] });
  for (let from = 0; from < newRows.length; from += ROWS_IN_BUNDLE) {
    const rows = newRows.slice(from, from + ROWS_IN_BUNDLE);
    bundles.set(BUNDLES + from / ROWS_IN_BUNDLE, { records: NO_EDITS.records, newRows: rows });
  }
  return bundles;
}

function isSame(one: Bundle, other: Bundle): boolean {
  return (
    one.records.size === other.records.size &&
    one.newRows.length === other.newRows.length &&
    [...one.records].every(([jrid, cells]) => other.records.get(jrid) === cells) &&
    one.newRows.every((row, i) => other.newRows[i] === row)
  );
}

const desksOf = (username: string, guid: string) =>
  IDBKeyRange.bound([username, guid], [username, guid, []]);

const bundlesOf = (key: DeskKey) => IDBKeyRange.bound(key, [...key, []]);

const lockOf = (tab: string) => `indexdesk-desk-${tab}`;

/**
 * Desks in IndexedDB. Each tab writes its own, so that none overwrites another's; what a tab left behind that is
 * no more is taken over by the next one.
 */
export function deskDisk(tab: string) {
  let opened: Promise<IDBPDatabase<DeskSchema>> | undefined;
  const open = () => {
    opened ??= openDB<DeskSchema>('indexdesk-grid', 2, {
      upgrade: (database, before) => {
        const desk = ['username', 'guid', 'tab'];
        if (before < 1) database.createObjectStore('desks', { keyPath: desk });
        database.createObjectStore('bundles', { keyPath: [...desk, 'bundle'] });
      },
      // Another tab has a newer page; this one goes on as long as it lives.
      blocking: () => void opened?.then((database) => database.close()),
      // The browser may close it, for example when the clerk clears what it keeps.
      terminated: () => (opened = undefined),
    });
    return opened;
  };
  /** what this tab has on the disk, by the GUID of the table: what has not changed is not written anew */
  const onDisk = new Map<string, Bundles>();
  const forget = async (key: DeskKey) => {
    const transaction = (await open()).transaction(['desks', 'bundles'], 'readwrite');
    await Promise.all([
      transaction.objectStore('desks').delete(key),
      transaction.objectStore('bundles').delete(bundlesOf(key)),
      transaction.done,
    ]);
  };
  const watching: (() => Promise<void>)[] = [];
  const own = holdWhileHere(lockOf(tab), tab, () => {
    for (const look of watching) void look().catch(() => undefined);
  });

  return {
    /** Rejects when the disk is full or the browser keeps nothing. */
    async write(username: string, guid: string, desk: KeptDesk): Promise<void> {
      await own.ready;
      const database = await open();
      const before: Bundles = onDisk.get(guid) ?? new Map();
      const now = inBundles(desk.edits);
      const transaction = database.transaction(['desks', 'bundles'], 'readwrite');
      const bundles = transaction.objectStore('bundles');
      const edits = { ...NO_EDITS, sequence: desk.edits.sequence };
      const work: Promise<unknown>[] = [
        transaction.objectStore('desks').put({ ...desk, edits, username, guid, tab }),
      ];
      for (const [bundle, own] of now) {
        const there = before.get(bundle);
        if (there && isSame(there, own)) continue;
        work.push(bundles.put({ ...own, username, guid, tab, bundle }));
      }
      for (const bundle of before.keys()) {
        if (!now.has(bundle)) work.push(bundles.delete([username, guid, tab, bundle]));
      }
      await Promise.all([...work, transaction.done]);
      onDisk.set(guid, now);
    },
    /** Has others take this tab for gone. */
    leave: own.release,
    /**
     * Tells when another tab has taken this one for gone, as it slept, and has taken over what it wrote.
     * @param isWritten whether something of it should be on the disk
     */
    onTaken(username: string, guid: string, isWritten: () => boolean, taken: () => void): void {
      watching.push(async () => {
        const there = await (await open()).get('desks', [username, guid, tab]);
        if (there || !isWritten()) return;
        onDisk.delete(guid);
        taken();
      });
    },
    /** What the steps lead to that are kept of a table, of this tab and of others: ids of pastes. */
    async jobs(username: string, guid: string): Promise<readonly string[]> {
      const all = await (await open()).getAll('desks', desksOf(username, guid));
      return all.flatMap(({ steps }) => jobsOf(steps));
    },
    async remove(username: string, guid: string): Promise<void> {
      await forget([username, guid, tab]);
      onDisk.delete(guid);
    },
    /**
     * Hands over what tabs left behind that are no more, each once.
     * @param adopt takes it over; then it is this tab's to keep
     * @returns in how many milliseconds others may turn out to be gone; null: that is known now
     */
    async takeOver(
      username: string,
      guid: string,
      adopt: (desk: KeptDesk) => Promise<void>,
    ): Promise<number | null> {
      const database = await open();
      const all = await database.getAll('desks', desksOf(username, guid));
      let again: number | null = null;
      for (const left of all) {
        if (left.tab === tab) continue;
        const take = async () => {
          const key: DeskKey = [username, guid, left.tab];
          const there = await database.get('desks', key);
          if (!there) return true;
          const bundles = await database.getAll('bundles', bundlesOf(key));
          // A desk of before has its edits with it.
          const parts: readonly Bundle[] = [there.edits, ...bundles];
          const records = new Map(parts.flatMap((part) => [...part.records]));
          const newRows = parts.flatMap((part) => part.newRows);
          await adopt({ ...there, edits: { ...there.edits, records, newRows } });
          await forget(key);
          return true;
        };
        // oxlint-disable-next-line no-await-in-loop -- one after the other, as each builds on what is there
        const taken = await whileFree(lockOf(left.tab), tab, take);
        // oxlint-disable-next-line no-await-in-loop -- as above
        const free = taken === null ? await freeIn(lockOf(left.tab)) : null;
        if (free !== null) again = Math.min(free, again ?? free);
      }
      return again;
    },
  };
}

export type DeskDisk = ReturnType<typeof deskDisk>;
