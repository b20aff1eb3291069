import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { DBSchema } from 'idb';
import { browserDatabase, keysBeginningWith } from '#web/api/browser-database.ts';
import { userCipher } from '#web/api/storage-key.ts';
import { isTabOpen, namesOfTab, thisTab } from '#web/api/tab-name.ts';
import type { Encrypted } from '#web/api/user-cipher.ts';
import { withTimeout, READ_TIMEOUT, storageWriter } from '#web/ui/storage-writer.ts';
import { newCheckValues } from './check-form.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import type { CollectionDefinition } from './collection-definition.ts';
import { type DefinitionValues, emptyValues, newFieldValues } from './definition-form.ts';
import { definitionJobQuery } from './definitions.queries.ts';

/** What a user has typed into the designer and not applied. */
export interface Design {
  /** of the definition on which it is based; null: a new one */
  readonly version: number | null;
  /** the values of that definition; null: stored by an older version of Indexdesk */
  readonly base: DefinitionValues | null;
  readonly values: DefinitionValues;
  /** the job of the service that applies it; null: none does */
  readonly jobId: string | null;
}

type StoredDesignKey = [username: string, subject: string, tab: string];

/** A stored design. Each tab writes its own, so that none overwrites another. */
interface Entry {
  readonly username: string;
  readonly subject: string;
  /** the name of the page that wrote it: a tab has another with each page that it loads */
  readonly tab: string;
  /** when it was written, in milliseconds since 1970 */
  readonly at: number;
  readonly design: Encrypted<Design>;
}

interface DesignSchema extends DBSchema {
  designs: { key: StoredDesignKey; value: Entry };
}

/** Identifies a design: its user and its subject. */
export interface DesignId {
  readonly username: string;
  /** the kind, and the GUID or `new` */
  readonly subject: string;
}

/** @param guid null: a new archive or table */
export function designIdOf(username: string, kind: CollectionKind, guid: string | null): DesignId {
  return { username, subject: `${kind} ${guid ?? 'new'}` };
}

const open = browserDatabase<DesignSchema>('indexdesk-designs-of-tabs', (database) => {
  database.createObjectStore('designs', { keyPath: ['username', 'subject', 'tab'] });
});

/** By id: the stored design that this page has shown, which its own replaces. */
const shownEntries = new Map<string, Pick<Entry, 'tab' | 'at'>>();
/** By id: the changes that were typed on this page or that a job applies; null: they were applied or discarded. */
const cachedDesigns = new Map<string, Design | null>();
const unwritten = new Map<string, DesignId>();
const textOf = ({ username, subject }: DesignId) => JSON.stringify([username, subject]);

const writer = storageWriter(
  () => [...cachedDesigns.values()].some((design) => design !== null),
  async () => {
    if (unwritten.size === 0) return false;
    for (const [key, designId] of unwritten) {
      const design = cachedDesigns.get(key) ?? null;
      await withTimeout(write(designId, design));
      if (design === (cachedDesigns.get(key) ?? null)) unwritten.delete(key);
    }
    return true;
  },
);

/**
 * What the user has typed into the designer and not applied, also before the page was loaded; null: nothing.
 * @param version of the definition that is open
 */
export const designQuery = (designId: DesignId, version: number | null) =>
  queryOptions({
    queryKey: ['stored design', designId, version],
    queryFn: ({ client }) => {
      const { username, subject } = designId;
      return unappliedDesign(client, designId, version, () => readEntries(username, subject));
    },
    // Read each time the designer is opened, and not while it is open.
    staleTime: Infinity,
    gcTime: 0,
  });

/** A definition that is open or listed. */
export type Designed = Pick<CollectionDefinition, 'kind' | 'guid' | 'version'>;

/** The subjects of the definitions that have such changes, read with one search of the browser's storage. */
export const designedSubjectsQuery = (username: string, definitions: readonly Designed[]) =>
  queryOptions({
    queryKey: [
      'stored designs',
      username,
      definitions.map(({ kind, guid, version }) => [kind, guid, version]),
    ],
    queryFn: async ({ client }): Promise<ReadonlySet<string>> => {
      let entries: Promise<Entry[]> | undefined;
      const read = async (wanted: string) =>
        (await (entries ??= readEntries(username))).filter(({ subject }) => subject === wanted);
      const found = await Promise.all(
        definitions.map(async ({ kind, guid, version }) => {
          const designId = designIdOf(username, kind, guid);
          const { subject } = designId;
          const design = await unappliedDesign(client, designId, version, () => read(subject));
          return design ? subject : [];
        }),
      );
      return new Set(found.flat());
    },
    enabled: definitions.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
  });

/** @param read the stored designs of its subject */
async function unappliedDesign(
  client: QueryClient,
  designId: DesignId,
  version: number | null,
  read: () => Promise<readonly Entry[]>,
): Promise<Design | null> {
  const typed = cachedDesigns.get(textOf(designId));
  // It may also be encrypted with another key.
  const design =
    typed === undefined
      ? await withTimeout(readStored(designId, read), READ_TIMEOUT).catch(() => null)
      : typed;
  if (design === null || !(await isApplied(client, design, version))) return design;
  storeDesign(designId, null);
  return null;
}

/** The stored designs of a user. @param key the username, then the subject if only those of one are wanted */
async function readEntries(...key: readonly string[]): Promise<Entry[]> {
  return (await open()).getAll('designs', keysBeginningWith(...key));
}

/** Whether its job has changed the definition. @param version of the definition */
async function isApplied(
  client: QueryClient,
  design: Design,
  version: number | null,
): Promise<boolean> {
  if (design.jobId === null) return false;
  const job = await client.query(definitionJobQuery(design.jobId)).catch(() => null);
  // At its end a job recomputes search texts, while the new definition is in use.
  return job?.state === 'done' || (job?.state === 'running' && version !== design.version);
}

/** The design that was written last in this tab, else in any other. */
async function readStored(
  designId: DesignId,
  read: () => Promise<readonly Entry[]>,
): Promise<Design | null> {
  const entries = await read();
  const names = namesOfTab();
  const own = entries.filter(({ tab }) => names.includes(tab));
  const newest = (own.length > 0 ? own : entries).toSorted((a, b) => a.at - b.at).at(-1);
  if (!newest) return null;
  const design = completed(await userCipher.decrypt(designId.username, newest.design));
  shownEntries.set(textOf(designId), { tab: newest.tab, at: newest.at });
  if (design.jobId !== null) cachedDesigns.set(textOf(designId), design);
  return design;
}

/** Stores what the user has typed. @param design null: it is applied or discarded */
export function storeDesign(designId: DesignId, design: Design | null): void {
  const key = textOf(designId);
  if (design === null && cachedDesigns.get(key) === null) return;
  cachedDesigns.set(key, design);
  unwritten.set(key, designId);
  writer.changed();
}

/**
 * Removes the changes that a job has applied; changes that it has not applied, and later ones, are kept.
 * @param isDone whether the job has applied it
 */
export function settleDesign(designId: DesignId, jobId: string, isDone: boolean): void {
  const design = cachedDesigns.get(textOf(designId));
  if (design?.jobId === jobId) storeDesign(designId, isDone ? null : { ...design, jobId: null });
}

async function write(designId: DesignId, design: Design | null): Promise<void> {
  const { username, subject } = designId;
  const key = textOf(designId);
  const shown = shownEntries.get(key);
  // A transaction of IndexedDB does not wait for these.
  const [tab, encrypted, isReplaced] = await Promise.all([
    thisTab(),
    design && userCipher.encrypt(username, design),
    // The design of a tab that is still open is that tab's.
    shown !== undefined && isTabOpen(shown.tab).then((isOpen) => !isOpen),
  ]);
  const transaction = (await open()).transaction('designs', 'readwrite');
  const { store } = transaction;
  const at = Date.now();
  const replace = async () => {
    if (!shown || !isReplaced) return;
    const stored = await store.get([username, subject, shown.tab]);
    // Changes that were stored later were not shown.
    if (stored?.at === shown.at) await store.delete([username, subject, shown.tab]);
  };
  const own = encrypted
    ? store.put({ username, subject, tab, at, design: encrypted })
    : store.delete([username, subject, tab]);
  await Promise.all([replace(), own, transaction.done]);
  if (isReplaced) shownEntries.delete(key);
}

const OF_OLDER_VERSION: Pick<Design, 'jobId' | 'base'> = { jobId: null, base: null };

/** A design that another version of the web admin has stored may lack what this form has. */
function completed(stored: Design): Design {
  const design = { ...OF_OLDER_VERSION, ...stored };
  return {
    ...design,
    base: design.base && completedValues(design.base),
    values: completedValues(design.values),
  };
}

function completedValues(values: DefinitionValues): DefinitionValues {
  return {
    ...emptyValues(),
    ...values,
    fields: values.fields.map((field) => ({
      ...newFieldValues(field.name, field.label, field.isKeywordField),
      ...field,
    })),
    checks: values.checks.map(newCheckValues),
  };
}
