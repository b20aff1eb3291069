import { cachePerClient } from '#web/api/cache-per-client.ts';
import { createStore, type ReadableStore } from '#web/api/create-store.ts';
import { withTimeout, READ_TIMEOUT, storageWriter } from '#web/ui/storage-writer.ts';
import {
  type Draft,
  type DraftStorage,
  draftStorage,
  type StoredDraft,
  type DraftVersion,
} from './draft-storage.ts';
import { draftChannel } from './draft-channel.ts';
import { type FormEdits } from './form-values.ts';

/** The draft of a revision, as a tab knows it. */
interface DraftEntry {
  readonly draft: Draft;
  /** whether this tab continues it; otherwise it is only known to be in another tab */
  readonly isOpened: boolean;
  /** its stored copies */
  readonly storedCopies: readonly DraftVersion[];
}

/** The unsaved changes of one archive, by revision, stored on the browser's disk. */
export interface Drafts {
  readonly get: (revisionId: string) => Draft | undefined;
  /** the draft that is continued from here on: the next one replaces it, also where another tab has stored it */
  readonly open: (revisionId: string) => Draft | undefined;
  /** stores a draft; one without edits is removed */
  readonly set: (revisionId: string, draft: Draft) => void;
  readonly delete: (revisionId: string) => void;
  /** the revisions with a draft */
  readonly ids: ReadableStore<ReadonlySet<string>>;
  /** whether drafts from earlier and from other tabs are loaded; no form may be opened before */
  readonly ready: ReadableStore<boolean>;
  /** the revisions whose drafts were loaded after `ready`: their forms, if open, are to be opened again */
  readonly loadedLate: ReadableStore<ReadonlySet<string>>;
}

const disk = draftStorage();

/** The drafts of a user in an archive: they survive other rows, other pages, a closed tab and a new sign-in. */
export const draftsOf = cachePerClient((_client, username: string, archive: string) =>
  createDrafts(disk, username, archive),
);

/** The drafts of one user and archive in this tab. Exported for its tests. */
export function createDrafts(on: DraftStorage, username: string, archive: string): Drafts {
  const tab = crypto.getRandomValues(new Uint32Array(2)).join('-');
  const byId = new Map<string, DraftEntry>();
  const ids = createStore<ReadonlySet<string>>(new Set());
  const ready = createStore(false);
  const loadedLate = createStore<ReadonlySet<string>>(new Set());
  /** revisions whose present draft is not stored yet */
  const unwritten = new Set<string>();
  /** stored drafts to remove */
  let outdated: DraftVersion[] = [];

  const publishIds = () => {
    if (ids.get().size === byId.size && [...byId.keys()].every((id) => ids.get().has(id))) return;
    ids.set(new Set(byId.keys()));
  };
  const isOwn = ({ key }: DraftVersion) => key[3] === tab;
  /** whether the present draft of a revision is that of this tab */
  const isOfThisTab = (revisionId: string) =>
    unwritten.has(revisionId) || byId.get(revisionId)?.storedCopies.some(isOwn) === true;

  const write = async () => {
    if (unwritten.size === 0 && outdated.length === 0) return false;
    const written = [...unwritten];
    const toRemove = outdated;
    const at = Date.now();
    const put: StoredDraft[] = [];
    unwritten.clear();
    outdated = [];
    for (const revisionId of written) {
      const known = byId.get(revisionId);
      if (!known) continue;
      put.push({ username, archive, revisionId, tab, at, ...known.draft });
      // A draft that was taken over continues under this tab's name.
      toRemove.push(...known.storedCopies.filter((copy) => !isOwn(copy)));
      const key: DraftVersion['key'] = [username, archive, revisionId, tab];
      byId.set(revisionId, { ...known, storedCopies: [{ key, at }] });
    }
    try {
      await withTimeout(on.write(put, toRemove));
      tellOthers(written.concat(toRemove.map(({ key }) => key[2])));
      return true;
    } catch (error) {
      for (const revisionId of written) unwritten.add(revisionId);
      outdated.push(...toRemove);
      throw error;
    }
  };
  const writer = storageWriter(() => byId.size > 0, write);

  /** Takes over the newest stored drafts, except those of revisions with a draft in this tab. */
  const addStored = (found: readonly StoredDraft[]) => {
    for (const one of found.toSorted((a, b) => a.at - b.at)) {
      const { revisionId, base, edits, at } = one;
      if (isOfThisTab(revisionId)) continue;
      const key: DraftVersion['key'] = [username, archive, revisionId, one.tab];
      const copies = byId.get(revisionId)?.storedCopies ?? [];
      const storedCopies = [...copies.filter((older) => older.key[3] !== one.tab), { key, at }];
      byId.set(revisionId, { draft: { base, edits }, isOpened: false, storedCopies });
    }
    publishIds();
  };
  const reread = async (revisionId: string) => {
    const found = await on.read(username, archive, revisionId);
    if (isOfThisTab(revisionId)) return;
    byId.delete(revisionId);
    addStored(found);
  };
  // If it cannot be read, the known draft stays.
  const tellOthers = draftChannel(username, archive, (revisionId) => {
    reread(revisionId).catch(() => undefined);
  });

  const timeout = setTimeout(() => ready.set(true), READ_TIMEOUT);
  const load = async () => {
    try {
      const found = await on.read(username, archive);
      const typed = new Set(byId.keys());
      addStored(found);
      if (ready.get()) loadedLate.set(new Set([...byId.keys()].filter((id) => !typed.has(id))));
    } catch {
      // If nothing can be read, writing reports the problem.
    } finally {
      clearTimeout(timeout);
      ready.set(true);
    }
  };
  void load();

  const remove = (revisionId: string) => {
    const known = byId.get(revisionId);
    unwritten.delete(revisionId);
    if (!known) return;
    byId.delete(revisionId);
    outdated.push(...known.storedCopies);
    publishIds();
    writer.flush().catch(() => undefined);
  };
  return {
    get: (revisionId) => byId.get(revisionId)?.draft,
    open(revisionId) {
      const known = byId.get(revisionId);
      if (known) byId.set(revisionId, { ...known, isOpened: true });
      return known?.draft;
    },
    set(revisionId, draft) {
      const found = byId.get(revisionId);
      const known = found?.isOpened ? found : undefined;
      if (draft.edits.size === 0) return known && remove(revisionId);
      if (known?.draft.base === draft.base && sameEdits(known.draft.edits, draft.edits)) return;
      byId.set(revisionId, { draft, isOpened: true, storedCopies: known?.storedCopies ?? [] });
      unwritten.add(revisionId);
      publishIds();
      writer.changed();
    },
    delete: remove,
    ids,
    ready,
    loadedLate,
  };
}

function sameEdits(a: FormEdits, b: FormEdits): boolean {
  const text = (edits: FormEdits) => JSON.stringify([...edits]);
  return text(a) === text(b);
}
