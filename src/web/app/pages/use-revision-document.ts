import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { revisionQuery } from '#web/api/revisions.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { useDetached } from '#web/features/document-preview/detached-window.ts';
import type { DocumentPane } from '#web/features/document-preview/document-pane.tsx';
import { hasShownFile } from '#web/features/document-preview/file-kind.ts';
import { useStore } from '#web/api/use-store.ts';
import { inputAssistOf } from '#web/features/index-form/input-assist.ts';
import { readStoredText, storeText } from '#web/api/browser-storage.ts';
import { useMedia } from '#web/ui/use-media.ts';

interface RevisionDocumentOptions {
  /** the archive's table name */
  readonly archive: string;
  /** the revision in the form; undefined: none */
  readonly revisionId: string | undefined;
  /** the most likely next one */
  readonly nextId: string | undefined;
}

/** The revision in the form, and its documents next to it. */
export function useRevisionDocument({ archive, revisionId, nextId }: RevisionDocumentOptions) {
  const client = useQueryClient();
  const { username } = useSession();
  const preview = usePreview();
  const read = useQuery({
    ...revisionQuery(archive, revisionId ?? ''),
    enabled: revisionId !== undefined,
  });
  // Only data that is prefetched anyway.
  const nextRead = useQuery({ ...revisionQuery(archive, nextId ?? ''), enabled: false });
  // Once a document was shown its pane stays, so that the form does not move from revision to revision.
  const [hasDocuments, setHasDocuments] = useState(false);
  if (!hasDocuments && hasShownFile(read.data?.revision)) setHasDocuments(true);

  const { insertText, highlightedValue, pageSuggestion, currentField } = inputAssistOf(
    client,
    username,
    archive,
  );
  const into = useStore(currentField);
  const { detached, detach } = useDetached({
    archive,
    revisionId,
    nextId,
    onInsertText: insertText,
  });
  const isShown = revisionId !== undefined && hasDocuments && preview.shown && !detached;
  const pane: ComponentProps<typeof DocumentPane> | null = isShown
    ? {
        archive,
        revision: read.data?.revision,
        nextRevision: nextRead.data?.revision,
        onClose: preview.toggle,
        onInsertText: insertText,
        into,
        highlightedValue,
        offered: pageSuggestion,
        onDetach: detach,
      }
    : null;
  return {
    read,
    /** shows and hides the documents; undefined: no revision had any yet */
    preview: hasDocuments ? preview : undefined,
    /** the props of the pane with the documents; null: it is not shown */
    pane,
  };
}

const KEY = 'indexdesk-preview';

/** Whether the document is shown next to the form: remembered if there is room for it, otherwise only on request. */
function usePreview(): { readonly shown: boolean; readonly toggle: () => void } {
  const isWide = useMedia('(width >= 1180px)');
  const [isPreferred, setPreferred] = useState(() => readStoredText(KEY) !== 'hidden');
  const [isRequested, setRequested] = useState(false);
  const shown = isWide ? isPreferred : isRequested;
  return {
    shown,
    toggle: () => {
      if (!isWide) setRequested(!isRequested);
      else {
        setPreferred(!isPreferred);
        storeText(KEY, isPreferred ? 'hidden' : 'shown');
      }
    },
  };
}
