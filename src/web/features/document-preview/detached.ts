import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { isMove, type Move, useMoveKeys } from './moves.ts';

/*
 * A document in a window of its own follows what the main window shows, and hands selected text back to its form.
 * The windows are of one browser and one user; they speak through a channel of this archive.
 */

type Word =
  /** what the main window shows; null: nothing */
  | { readonly kind: 'show'; readonly revisionId: string | null; readonly aheadId: string | null }
  /** the other window is there and wants to know what to show */
  | { readonly kind: 'hello' }
  | { readonly kind: 'take'; readonly text: string }
  /** a key of the form moves the document */
  | { readonly kind: 'move'; readonly move: Move }
  | { readonly kind: 'bye' };

const channelOf = (archive: string) => new BroadcastChannel(`indexdesk-document ${archive}`);

function say(channel: BroadcastChannel | null, word: Word): void {
  // A channel is no window: it reaches this origin alone.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(word);
}

function isWord(data: unknown): data is Word {
  return typeof data === 'object' && data !== null && 'kind' in data;
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
      say(from, shown);
    }
    if (word.kind === 'take') onTake(word.text);
    if (word.kind === 'bye') setDetached(false);
  });
  useEffect(() => {
    const opened = channelOf(archive);
    opened.addEventListener('message', ({ data }) => {
      if (isWord(data)) heard(data, opened);
    });
    channel.current = opened;
    return () => opened.close();
  }, [archive]);
  useEffect(() => {
    if (detached) say(channel.current, shown);
  }, [detached, shown]);
  useMoveKeys((move) => say(channel.current, { kind: 'move', move }), detached);
  return {
    detached,
    /** A browser that opens no windows leaves the documents where they are. */
    detach: () => {
      const address = `/archives/${encodeURIComponent(archive)}/document`;
      const opened = window.open(
        address,
        `indexdesk-document-${archive}`,
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
  const channel = useRef<BroadcastChannel>(null);
  const heard = useEffectEvent((word: Word) => {
    if (word.kind === 'show') setShown(word);
    if (word.kind === 'move' && isMove(word.move)) onMove(word.move);
  });
  useEffect(() => {
    const opened = channelOf(archive);
    opened.addEventListener('message', ({ data }) => {
      if (isWord(data)) heard(data);
    });
    const bye = () => say(opened, { kind: 'bye' });
    addEventListener('pagehide', bye);
    say(opened, { kind: 'hello' });
    channel.current = opened;
    return () => {
      removeEventListener('pagehide', bye);
      bye();
      opened.close();
    };
  }, [archive]);
  return {
    ...shown,
    take: (text: string) => say(channel.current, { kind: 'take', text }),
  };
}
