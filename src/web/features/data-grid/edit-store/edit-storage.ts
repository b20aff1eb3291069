import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { userCipher } from '#web/api/storage-key.ts';
import { removeUnencrypted } from '#web/api/unencrypted-database.ts';
import type { Encrypted, UserCipher } from '#web/api/user-cipher.ts';
import { type Cells, type Edits, NO_EDITS, type RowKey } from './edits.ts';
import { freeIn, holdWhileHere, whileFree } from './tab-locks.ts';
import type { Steps } from '../undo/steps.ts';
import { EDITS_DATABASE } from './unsaved-tables.ts';

/** What a tab's desk holds of one table. */
export interface StoredEdits {
  readonly edits: Edits;
  readonly steps: Steps;
}

/** Where a desk is stored. */
interface EditsLocation {
  readonly username: string;
  readonly guid: string;
  /** the tab that wrote it */
  readonly tab: string;
}

interface EncryptedEdits extends EditsLocation {
  readonly desk: Encrypted<StoredEdits>;
}

/** Some of the edits of a desk. */
interface Bundle {
  readonly records: Edits['records'];
  readonly newRows: Edits['newRows'];
}

interface StoredBundle extends EditsLocation {
  readonly bundle: number;
  readonly edits: Encrypted<Bundle>;
}

/** As versions before the encryption stored them. */
interface UnencryptedEdits extends EditsLocation, StoredEdits {}
interface EarlierBundle extends EditsLocation, Bundle {
  readonly bundle: number;
}

type EditsKey = [username: string, guid: string, tab: string];

interface EditsSchema extends DBSchema {
  desks: { key: EditsKey; value: EncryptedEdits };
  bundles: { key: [...EditsKey, bundle: number]; value: StoredBundle };
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

const bundlesOf = (key: EditsKey) => IDBKeyRange.bound(key, [...key, []]);

const lockOf = (tab: string) => `indexdesk-desk-${tab}`;

/**
 * Desks in IndexedDB, encrypted for their user. Each tab writes its own, so that none overwrites another's; what a
 * tab left behind that is no more is taken over by the next one.
 */
export function editStorage(tab: string, cipher: UserCipher = userCipher) {
  let opened: Promise<IDBPDatabase<EditsSchema>> | undefined;
  const open = () => {
    opened ??= openDB<EditsSchema>(EDITS_DATABASE, 1, {
      upgrade: (database) => {
        const desk = ['username', 'guid', 'tab'];
        database.createObjectStore('desks', { keyPath: desk });
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
  const forget = async (key: EditsKey) => {
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

  const encryptEdits = async (
    place: EditsLocation,
    desk: StoredEdits,
  ): Promise<EncryptedEdits> => ({
    ...place,
    desk: await cipher.encrypt(place.username, desk),
  });
  const encryptedBundle = async (
    place: EditsLocation,
    bundle: number,
    { records, newRows }: Bundle,
  ): Promise<StoredBundle> => ({
    ...place,
    bundle,
    edits: await cipher.encrypt(place.username, { records, newRows }),
  });
  const decrypted = async (
    { username, desk }: EncryptedEdits,
    bundles: readonly StoredBundle[],
  ): Promise<StoredEdits> => {
    const { edits, steps } = await cipher.decrypt(username, desk);
    const own = await Promise.all(bundles.map((bundle) => cipher.decrypt(username, bundle.edits)));
    // Desks of the first versions have their edits with them.
    const parts: readonly Bundle[] = [edits, ...own];
    const records = new Map(parts.flatMap((part) => [...part.records]));
    const newRows = parts.flatMap((part) => part.newRows);
    return { edits: { ...edits, records, newRows }, steps };
  };
  const encryptEarlier = (username: string) =>
    removeUnencrypted('indexdesk-grid', async (earlier) => {
      const own = IDBKeyRange.bound([username], [username, []]);
      const names = [...earlier.objectStoreNames];
      const desks: readonly UnencryptedEdits[] = names.includes('desks')
        ? await earlier.getAll('desks', own)
        : [];
      const bundles: readonly EarlierBundle[] = names.includes('bundles')
        ? await earlier.getAll('bundles', own)
        : [];
      const storedDesks = await Promise.all(
        desks.map(({ edits, steps, guid, tab: writer }) =>
          encryptEdits({ username, guid, tab: writer }, { edits, steps }),
        ),
      );
      const storedBundles = await Promise.all(
        bundles.map(({ guid, tab: writer, bundle, ...edits }) =>
          encryptedBundle({ username, guid, tab: writer }, bundle, edits),
        ),
      );
      const transaction = (await open()).transaction(['desks', 'bundles'], 'readwrite');
      await Promise.all([
        ...storedDesks.map((desk) => transaction.objectStore('desks').put(desk)),
        ...storedBundles.map((bundle) => transaction.objectStore('bundles').put(bundle)),
        transaction.done,
      ]);
    });

  return {
    /** Rejects when the disk is full or the browser keeps nothing. */
    async write(username: string, guid: string, desk: StoredEdits): Promise<void> {
      await own.ready;
      const database = await open();
      const before: Bundles = onDisk.get(guid) ?? new Map();
      const now = inBundles(desk.edits);
      const changed = [...now].filter(([bundle, own]) => {
        const there = before.get(bundle);
        return !there || !isSame(there, own);
      });
      const edits = { ...NO_EDITS, sequence: desk.edits.sequence };
      const place = { username, guid, tab };
      // A transaction of IndexedDB does not wait for anything else.
      const stored = await encryptEdits(place, { ...desk, edits });
      const storedBundles = await Promise.all(
        changed.map(([bundle, own]) => encryptedBundle(place, bundle, own)),
      );
      const transaction = database.transaction(['desks', 'bundles'], 'readwrite');
      const bundles = transaction.objectStore('bundles');
      const work: Promise<unknown>[] = [transaction.objectStore('desks').put(stored)];
      for (const bundle of storedBundles) work.push(bundles.put(bundle));
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
      adopt: (desk: StoredEdits) => Promise<void>,
    ): Promise<number | null> {
      await encryptEarlier(username);
      const database = await open();
      const all = await database.getAll('desks', desksOf(username, guid));
      let again: number | null = null;
      for (const left of all) {
        if (left.tab === tab) continue;
        const take = async () => {
          const key: EditsKey = [username, guid, left.tab];
          const there = await database.get('desks', key);
          if (!there) return true;
          const bundles = await database.getAll('bundles', bundlesOf(key));
          const desk = await decrypted(there, bundles).catch(() => null);
          // One that was encrypted with another key can be read by nobody.
          if (!desk) return true;
          await adopt(desk);
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

export type EditStorage = ReturnType<typeof editStorage>;
