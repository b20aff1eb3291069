import * as texts from '#messages/workspaces.ts';
import * as queuePageTexts from '#messages/queue-page.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { useArchive } from '#web/api/collections.queries.ts';
import { useFollowMainWindow } from '#web/features/document-preview/detached-window.ts';
import { DocumentPane } from '#web/features/document-preview/document-pane.tsx';
import type { ViewerHandle } from '#web/features/document-preview/move-commands.ts';
import { VIEWER_KEY_LIST } from '#web/features/document-preview/viewer-keys.ts';
import { revisionQuery } from '#web/api/revisions.queries.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { KeySheet } from '#web/ui/key-sheet.tsx';
import { useTitle } from '#web/ui/page.tsx';

const SECTIONS = [{ title: texts.keySections.document, keys: VIEWER_KEY_LIST }];

/** The documents in a separate window, which follows the list or queue of another one. */
export function DocumentPage() {
  const archive = useArchive(useParams({ from: '/archives/$archive/document' }).archive);
  const pane = useRef<ViewerHandle>(null);
  const { revisionId, nextId, insertText } = useFollowMainWindow(archive.table, (move) =>
    pane.current?.move(move),
  );
  useTitle(
    revisionId === null
      ? archive.name
      : queuePageTexts.documentTitle({ revisionId, archive: archive.name }),
  );
  const read = useQuery({
    ...revisionQuery(archive.table, revisionId ?? ''),
    enabled: revisionId !== null,
  });
  const nextRead = useQuery({
    ...revisionQuery(archive.table, nextId ?? ''),
    enabled: nextId !== null,
  });
  if (revisionId === null) {
    return <EmptyState title={queuePageTexts.openInOtherWindow} />;
  }
  return (
    <>
      <DocumentPane
        ref={pane}
        archive={archive.table}
        revision={read.data?.revision}
        nextRevision={nextRead.data?.revision}
        onInsertText={insertText}
      />
      <KeySheet sections={SECTIONS} />
    </>
  );
}
