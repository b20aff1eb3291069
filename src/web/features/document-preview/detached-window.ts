import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { readStoredText, storeText } from '#web/api/browser-storage.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import { type MoveCommand, useMoveKeys } from './move-commands.ts';

/* A document in a separate window follows the main window, and sends selected text to its form. Both windows belong
   to one browser and one user; they communicate through a broadcast channel of this archive, which its other
   windows use as well: each message names the main window that opened the other, and all others ignore it. */

/** `of`: the id of the main window, which opened the other */
type WindowMessage = { readonly of: string } & MessageContent;
type MessageContent =
  /** the main window's present revision; null: none */
  | { readonly kind: 'show'; readonly revisionId: string | null; readonly nextId: string | null }
  /** the main window was opened or reloaded, and looks for the other window */
  | { readonly kind: 'find-window' }
  /** the other window exists and requests its content */
  | { readonly kind: 'ready' }
  | { readonly kind: 'insert-text'; readonly text: string }
  /** a key of the form moves the document */
  | { readonly kind: 'move'; readonly move: MoveCommand }
  | { readonly kind: 'closed' };

const channelOf = (archive: string) => new BroadcastChannel(`indexdesk-document ${archive}`);

function sendMessage(channel: BroadcastChannel | null, of: string, content: MessageContent): void {
  const message: WindowMessage = { of, ...content };
  // A channel is not a window and has no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(message);
}

function isMessageOf(of: string, data: unknown): data is WindowMessage {
  return (
    typeof data === 'object' && data !== null && 'kind' in data && 'of' in data && data.of === of
  );
}

const KEY = 'indexdesk-window';
let windowId: string | undefined;

/** The id of this window, which survives a reload. Windows that are opened or duplicated from it get another id. */
function ownWindowId(): string {
  if (windowId !== undefined) return windowId;
  const [navigation] = performance.getEntriesByType('navigation');
  const isReload = navigation !== undefined && 'type' in navigation && navigation.type === 'reload';
  windowId = (isReload ? readStoredText(KEY, 'session') : null) ?? newIdempotencyKey();
  storeText(KEY, windowId, 'session');
  return windowId;
}

interface DetachedOptions {
  readonly archive: string;
  readonly revisionId: string | undefined;
  /** the most likely next one */
  readonly nextId: string | undefined;
  readonly onInsertText: (text: string) => void;
}

/** The main window's side: whether its documents are in a separate window, and the function to move them there. */
export function useDetached({ archive, revisionId, nextId, onInsertText }: DetachedOptions) {
  const [detached, setDetached] = useState(false);
  const [of] = useState(ownWindowId);
  const channel = useRef<BroadcastChannel>(null);
  const shown = useMemo(
    () => ({
      kind: 'show' as const,
      revisionId: revisionId ?? null,
      nextId: nextId ?? null,
    }),
    [revisionId, nextId],
  );
  const receive = useEffectEvent((message: WindowMessage, from: BroadcastChannel) => {
    if (message.kind === 'ready') {
      setDetached(true);
      sendMessage(from, of, shown);
    }
    if (message.kind === 'insert-text') onInsertText(message.text);
    if (message.kind === 'closed') setDetached(false);
  });
  useEffect(() => {
    const opened = channelOf(archive);
    opened.addEventListener('message', ({ data }) => {
      if (isMessageOf(of, data)) receive(data, opened);
    });
    channel.current = opened;
    sendMessage(opened, of, { kind: 'find-window' });
    return () => opened.close();
  }, [archive, of]);
  useEffect(() => {
    if (detached) sendMessage(channel.current, of, shown);
  }, [detached, of, shown]);
  useMoveKeys((move) => sendMessage(channel.current, of, { kind: 'move', move }), detached);
  return {
    detached,
    /** If the browser does not open a window, the documents stay. */
    detach: () => {
      const address = `/archives/${encodeURIComponent(archive)}/document?of=${of}`;
      const opened = window.open(
        address,
        `indexdesk-document-${archive}-${of}`,
        'popup,width=900,height=1100',
      );
      if (opened) setDetached(true);
    },
  };
}

/** The other window's side: the revision to show, and the document commands of the form's keys. */
export function useFollowMainWindow(archive: string, onMove: (move: MoveCommand) => void) {
  const [shown, setShown] = useState<{ revisionId: string | null; nextId: string | null }>({
    revisionId: null,
    nextId: null,
  });
  const [of] = useState(() => new URLSearchParams(location.search).get('of') ?? '');
  const channel = useRef<BroadcastChannel>(null);
  const receive = useEffectEvent((message: WindowMessage, from: BroadcastChannel) => {
    if (message.kind === 'find-window') sendMessage(from, of, { kind: 'ready' });
    if (message.kind === 'show') setShown(message);
    if (message.kind === 'move') onMove(message.move);
  });
  useEffect(() => {
    const opened = channelOf(archive);
    opened.addEventListener('message', ({ data }) => {
      if (isMessageOf(of, data)) receive(data, opened);
    });
    const sendClosed = () => sendMessage(opened, of, { kind: 'closed' });
    addEventListener('pagehide', sendClosed);
    sendMessage(opened, of, { kind: 'ready' });
    channel.current = opened;
    return () => {
      removeEventListener('pagehide', sendClosed);
      sendClosed();
      opened.close();
    };
  }, [archive, of]);
  return {
    ...shown,
    insertText: (text: string) => sendMessage(channel.current, of, { kind: 'insert-text', text }),
  };
}
