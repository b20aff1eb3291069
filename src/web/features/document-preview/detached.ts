import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { newIdempotencyKey } from '#web/api/request.ts';
import { isMove, type Move, useMoveKeys } from './moves.ts';

/* A document in a separate window follows the main window, and sends selected text to its form. Both windows belong
   to one browser and one user; they communicate through a broadcast channel of this archive, which its other
   windows use as well: each message names the main window that opened the other, and all others ignore it. */

/** `of`: the id of the main window, which opened the other */
type Word = { readonly of: string } & Said;
type Said =
  /** the main window's present revision; null: none */
  | { readonly kind: 'show'; readonly revisionId: string | null; readonly aheadId: string | null }
  /** the main window was opened or reloaded, and asks for the other window */
  | { readonly kind: 'who' }
  /** the other window exists and asks for its content */
  | { readonly kind: 'hello' }
  | { readonly kind: 'take'; readonly text: string }
  /** a key of the form moves the document */
  | { readonly kind: 'move'; readonly move: Move }
  | { readonly kind: 'bye' };

const channelOf = (archive: string) => new BroadcastChannel(`indexdesk-document ${archive}`);

function say(channel: BroadcastChannel | null, of: string, said: Said): void {
  const word: Word = { of, ...said };
  // A channel is not a window and has no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(word);
}

function isWordOf(of: string, data: unknown): data is Word {
  return (
    typeof data === 'object' && data !== null && 'kind' in data && 'of' in data && data.of === of
  );
}

const KEY = 'indexdesk-window';
let named: string | undefined;

/** The id of this window, which survives a reload. Windows that are opened or duplicated from it get another id. */
function ownName(): string {
  if (named !== undefined) return named;
  const [navigation] = performance.getEntriesByType('navigation');
  const again = navigation !== undefined && 'type' in navigation && navigation.type === 'reload';
  try {
    named = (again ? sessionStorage.getItem(KEY) : null) ?? newIdempotencyKey();
    sessionStorage.setItem(KEY, named);
  } catch {
    // Storage may be disabled: then a reload gives the window a new id.
    named ??= newIdempotencyKey();
  }
  return named;
}

interface FollowedProps {
  readonly archive: string;
  readonly revisionId: string | undefined;
  /** the most likely next one */
  readonly aheadId: string | undefined;
  readonly onTake: (text: string) => void;
}

/** The main window's side: whether its documents are in a separate window, and the function to move them there. */
export function useDetached({ archive, revisionId, aheadId, onTake }: FollowedProps) {
  const [detached, setDetached] = useState(false);
  const [of] = useState(ownName);
  const channel = useRef<BroadcastChannel>(null);
  const shown = useMemo(
    () => ({
      kind: 'show' as const,
      revisionId: revisionId ?? null,
      aheadId: aheadId ?? null,
    }),
    [revisionId, aheadId],
  );
  const heard = useEffectEvent((word: Word, from: BroadcastChannel) => {
    if (word.kind === 'hello') {
      setDetached(true);
      say(from, of, shown);
    }
    if (word.kind === 'take') onTake(word.text);
    if (word.kind === 'bye') setDetached(false);
  });
  useEffect(() => {
    const opened = channelOf(archive);
    opened.addEventListener('message', ({ data }) => {
      if (isWordOf(of, data)) heard(data, opened);
    });
    channel.current = opened;
    say(opened, of, { kind: 'who' });
    return () => opened.close();
  }, [archive, of]);
  useEffect(() => {
    if (detached) say(channel.current, of, shown);
  }, [detached, of, shown]);
  useMoveKeys((move) => say(channel.current, of, { kind: 'move', move }), detached);
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
export function useFollowing(archive: string, onMove: (move: Move) => void) {
  const [shown, setShown] = useState<{ revisionId: string | null; aheadId: string | null }>({
    revisionId: null,
    aheadId: null,
  });
  const [of] = useState(() => new URLSearchParams(location.search).get('of') ?? '');
  const channel = useRef<BroadcastChannel>(null);
  const heard = useEffectEvent((word: Word, from: BroadcastChannel) => {
    if (word.kind === 'who') say(from, of, { kind: 'hello' });
    if (word.kind === 'show') setShown(word);
    if (word.kind === 'move' && isMove(word.move)) onMove(word.move);
  });
  useEffect(() => {
    const opened = channelOf(archive);
    opened.addEventListener('message', ({ data }) => {
      if (isWordOf(of, data)) heard(data, opened);
    });
    const bye = () => say(opened, of, { kind: 'bye' });
    addEventListener('pagehide', bye);
    say(opened, of, { kind: 'hello' });
    channel.current = opened;
    return () => {
      removeEventListener('pagehide', bye);
      bye();
      opened.close();
    };
  }, [archive, of]);
  return {
    ...shown,
    take: (text: string) => say(channel.current, of, { kind: 'take', text }),
  };
}
