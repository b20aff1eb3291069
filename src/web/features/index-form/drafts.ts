import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { watched } from '#web/api/watched.ts';
import { countEdits, type Edits } from './form-values.ts';
import type { RevisionRead } from './revision.queries.ts';

/** Changes that are not saved, and the version they were made over. */
interface Draft {
  readonly base: RevisionRead;
  readonly edits: Edits;
}

/** The unsaved changes of one archive, by revision. They live as long as the page does. */
export interface Drafts {
  readonly get: (revisionId: string) => Draft | undefined;
  /** keeps a draft; one without edits is forgotten */
  readonly keep: (revisionId: string, draft: Draft) => void;
  readonly forget: (revisionId: string) => void;
  readonly ids: () => ReadonlySet<string>;
  readonly subscribe: (listener: () => void) => () => void;
}

const stores = new WeakMap<QueryClient, Map<string, Drafts>>();

/** The drafts of a user in an archive: they wait through other rows, other pages and a new sign-in. */
export function draftsOf(client: QueryClient, username: string, archive: string): Drafts {
  let ofClient = stores.get(client);
  if (!ofClient) stores.set(client, (ofClient = new Map()));
  const key = JSON.stringify([username, archive]);
  let drafts = ofClient.get(key);
  if (!drafts) ofClient.set(key, (drafts = createDrafts()));
  return drafts;
}

/** The revisions with unsaved changes. */
export function useUnsaved(drafts: Drafts): ReadonlySet<string> {
  return useSyncExternalStore(drafts.subscribe, drafts.ids);
}

function createDrafts(): Drafts {
  const byId = new Map<string, Draft>();
  const ids = watched<ReadonlySet<string>>(new Set());
  const tell = () => {
    if (ids.get().size === byId.size && [...byId.keys()].every((id) => ids.get().has(id))) return;
    ids.set(new Set(byId.keys()));
    // The browser asks before it closes the tab over unsaved changes.
    if (byId.size > 0) addEventListener('beforeunload', holdTab);
    else removeEventListener('beforeunload', holdTab);
  };
  const holdTab = (event: BeforeUnloadEvent) => event.preventDefault();
  return {
    get: (revisionId) => byId.get(revisionId),
    keep(revisionId, draft) {
      if (countEdits(draft.edits) === 0) byId.delete(revisionId);
      else byId.set(revisionId, draft);
      tell();
    },
    forget(revisionId) {
      byId.delete(revisionId);
      tell();
    },
    ids: ids.get,
    subscribe: ids.subscribe,
  };
}
