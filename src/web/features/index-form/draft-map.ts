import type { Draft, DraftVersion, StoredDraft } from './draft-storage.ts';

/** The draft of a revision, as a tab knows it. */
export interface DraftEntry {
  readonly draft: Draft;
  /** whether this tab continues it; otherwise it is only known to be in another tab */
  readonly isOpened: boolean;
  /** its stored copies */
  readonly storedCopies: readonly DraftVersion[];
}

/** Drafts by revision. */
type DraftMap = ReadonlyMap<string, DraftEntry>;

/** Whether a tab has stored a draft itself. */
export function isStoredBy(tab: string, entry: DraftEntry | undefined): boolean {
  return entry?.storedCopies.some(({ key }) => key[3] === tab) === true;
}

/**
 * The stored drafts to take over: all except those of revisions with a draft in this tab.
 * @param drafts the drafts known so far
 * @param unwritten revisions whose present draft is not stored yet
 */
export function takeOver(
  drafts: DraftMap,
  found: readonly StoredDraft[],
  tab: string,
  unwritten: ReadonlySet<string>,
): DraftMap {
  const taken = new Map<string, DraftEntry>();
  for (const one of found.toSorted((a, b) => a.at - b.at)) {
    const { username, archive, revisionId, base, edits, at } = one;
    const known = taken.get(revisionId) ?? drafts.get(revisionId);
    if (unwritten.has(revisionId) || isStoredBy(tab, known)) continue;
    const key: DraftVersion['key'] = [username, archive, revisionId, one.tab];
    const storedCopies = [
      ...(known?.storedCopies ?? []).filter((older) => older.key[3] !== one.tab),
      { key, at },
    ];
    taken.set(revisionId, { draft: { base, edits }, isOpened: false, storedCopies });
  }
  return taken;
}

interface DraftWrite {
  readonly put: readonly StoredDraft[];
  /** the copies of other tabs that it replaces */
  readonly replaced: readonly DraftVersion[];
  /** the drafts, with their stored copies from then on */
  readonly stored: DraftMap;
}

/** What is to be stored of the drafts of some revisions. */
export function toWrite(
  drafts: DraftMap,
  revisionIds: readonly string[],
  { username, archive, tab, at }: Omit<StoredDraft, 'revisionId' | keyof Draft>,
): DraftWrite {
  const put: StoredDraft[] = [];
  const replaced: DraftVersion[] = [];
  const stored = new Map<string, DraftEntry>();
  for (const revisionId of revisionIds) {
    const known = drafts.get(revisionId);
    if (!known) continue;
    put.push({ username, archive, revisionId, tab, at, ...known.draft });
    // A draft that was taken over continues under this tab's name.
    replaced.push(...known.storedCopies.filter(({ key }) => key[3] !== tab));
    const key: DraftVersion['key'] = [username, archive, revisionId, tab];
    stored.set(revisionId, { ...known, storedCopies: [{ key, at }] });
  }
  return { put, replaced, stored };
}
