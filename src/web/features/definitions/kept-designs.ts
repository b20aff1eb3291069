import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { userCipher } from '#web/api/storage-key.ts';
import type { Encrypted } from '#web/api/user-cipher.ts';
import { storageMonitor } from '#web/ui/storage-monitor.ts';
import { newCheckValues } from './check-form.ts';
import type { CollectionDefinition, Kind } from './collection-definition.ts';
import { type DefinitionValues, emptyValues, newFieldValues } from './definition-form.ts';

/** What a user has typed into the designer and not applied. */
export interface Design {
  /** of the definition on which it is based; null: a new one */
  readonly version: number | null;
  readonly values: DefinitionValues;
}

type DesignKey = [username: string, subject: string];

interface Entry {
  readonly username: string;
  readonly subject: string;
  readonly design: Encrypted<Design>;
}

interface DesignSchema extends DBSchema {
  designs: { key: DesignKey; value: Entry };
}

/** Whose design of what. */
export interface DesignPlace {
  readonly username: string;
  /** the kind, and the GUID or `new` */
  readonly subject: string;
}

/** @param definition null: a new archive or table */
export function designPlace(
  username: string,
  kind: Kind,
  definition: Pick<CollectionDefinition, 'guid'> | null,
): DesignPlace {
  return { username, subject: `${kind} ${definition?.guid ?? 'new'}` };
}

/** Time limit for a disk that does not answer, in milliseconds. */
const READ_WITHIN = 1500;
/** Delay until a key press is written to the disk, in milliseconds. */
const WRITE_AFTER = 150;

let opened: Promise<IDBPDatabase<DesignSchema>> | undefined;
function open(): Promise<IDBPDatabase<DesignSchema>> {
  opened ??= openDB<DesignSchema>('indexdesk-encrypted-designs', 1, {
    upgrade: (database) =>
      void database.createObjectStore('designs', { keyPath: ['username', 'subject'] }),
    // The browser may close it, for example when the user clears the site's data.
    terminated: () => (opened = undefined),
  });
  return opened;
}

/** By place: what was typed on this page; null: nothing any more. */
const known = new Map<string, Design | null>();
const unwritten = new Map<string, DesignPlace>();
const storage = storageMonitor(() => [...known.values()].some((design) => design !== null));
const textOf = ({ username, subject }: DesignPlace) => JSON.stringify([username, subject]);
let timer: ReturnType<typeof setTimeout> | undefined;
let isFlushing = false;

/** What the user has typed before, also before the page was loaded; null: nothing. */
export async function readDesign(place: DesignPlace): Promise<Design | null> {
  const here = known.get(textOf(place));
  if (here !== undefined) return here;
  const late = Promise.withResolvers<null>();
  const timeLimit = setTimeout(() => late.resolve(null), READ_WITHIN);
  try {
    return await Promise.race([readStored(place), late.promise]);
  } catch {
    // It cannot be read, or was encrypted with another key.
    return null;
  } finally {
    clearTimeout(timeLimit);
  }
}

async function readStored({ username, subject }: DesignPlace): Promise<Design | null> {
  const entry = await (await open()).get('designs', [username, subject]);
  return entry ? completed(await userCipher.decrypt(username, entry.design)) : null;
}

/** Stores what the user has typed. @param design null: it is applied or discarded */
export function keepDesign(place: DesignPlace, design: Design | null): void {
  const key = textOf(place);
  if (design === null && known.get(key) === null) return;
  known.set(key, design);
  unwritten.set(key, place);
  storage.update();
  timer ??= setTimeout(() => void flush(), WRITE_AFTER);
}

async function flush(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  // An older design is never written last.
  if (isFlushing || unwritten.size === 0) return;
  isFlushing = true;
  const written = [...unwritten];
  unwritten.clear();
  try {
    await storage.write(async () => {
      for (const [key, place] of written) await write(place, known.get(key) ?? null);
    });
  } catch {
    for (const [key, place] of written) unwritten.set(key, place);
    isFlushing = false;
    return;
  }
  isFlushing = false;
  if (unwritten.size > 0) await flush();
}

async function write(place: DesignPlace, design: Design | null): Promise<void> {
  const { username, subject } = place;
  // A transaction of IndexedDB does not wait for the encryption.
  const encrypted = design && (await userCipher.encrypt(username, design));
  const database = await open();
  if (encrypted) await database.put('designs', { username, subject, design: encrypted });
  else await database.delete('designs', [username, subject]);
}

addEventListener('pagehide', () => void flush());
// Encryption takes a moment, which is not available when a page is hidden for good.
addEventListener('beforeunload', () => void flush());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void flush();
});

/** A design that an earlier version of the web admin has stored lacks what the form has today. */
function completed({ version, values }: Design): Design {
  return {
    version,
    values: {
      ...emptyValues(),
      ...values,
      fields: values.fields.map((field) => ({
        ...newFieldValues(field.name, field.label, field.isKeywordField),
        ...field,
      })),
      checks: values.checks.map(newCheckValues),
    },
  };
}
