import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { newIdempotencyKey } from '#web/api/request.ts';
import { isMove, type Move, useMoveKeys } from './moves.ts';

/*
 * A document in a window of its own follows what the main window shows, and hands selected text back to its form.
 * The windows are of one browser and one user; they speak through a channel of this archive, on which others of its
 * windows speak as well: each word is for the main window that opened the other, and for nobody else.
 */

/** `of`: the main window, in the name under which it opens the other */
type Word = { readonly of: string } & Said;
type Said =
  /** what the main window shows; null: nothing */
  | { readonly kind: 'show'; readonly revisionId: string | null; readonly aheadId: string | null }
  /** the main window has come, perhaps anew, and wants to know whether there is another */
  | { readonly kind: 'who' }
  /** the other window is there and wants to know what to show */
  | { readonly kind: 'hello' }
  | { readonly kind: 'take'; readonly text: string }
  /** a key of the form moves the document */
  | { readonly kind: 'move'; readonly move: Move }
  | { readonly kind: 'bye' };

const channelOf = (archive: string) => new BroadcastChannel(`indexdesk-document ${archive}`);

function say(channel: BroadcastChannel | null, of: string, said: Said): void {
  const word: Word = { of, ...said };
  // A channel is no window: it reaches this origin alone.
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

/** The name of this window, also after it was loaded anew. What is opened from it, or copied from it, gets another. */
function ownName(): string {
  if (named !== undefined) return named;
  const [navigation] = performance.getEntriesByType('navigation');
  const again = navigation !== undefined && 'type' in navigation && navigation.type === 'reload';
  try {
    named = (again ? sessionStorage.getItem(KEY) : null) ?? newIdempotencyKey();
    sessionStorage.setItem(KEY, named);
  } catch {
    // Storage may be forbidden: then a window that is loaded anew is another.
    named ??= newIdempotencyKey();
  }
  return named;
}

interface FollowedProps {
  readonly archive: string;
  readonly revisionId: string | undefined;
  /** the one that will probably be next */
  readonly aheadId: string | undefined;
  readonly onTake: (text: string) => void;
}

/** The main window's side: whether its documents are in a window of their own, and the way to put them there. */
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
    /** A browser that opens no windows leaves the documents where they are. */
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

/** The other window's side: which revision's documents it shows, and how the form's keys move them. */
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
