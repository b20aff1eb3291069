import type { Viewer } from '#shared/desk.ts';
import type { ChangedEvent } from '#shared/events.ts';
import { answers } from '../answers.ts';
import { apiPaths, type ListPlace } from '../paths.ts';
import { sessionGate } from '../session-gate.ts';
import { watched } from '../watched.ts';
import { connectHub, type Tell } from './connect.ts';
import type { FromHub } from './hub.ts';
import { isOwn } from './own-writes.ts';

/** A record that somebody has created, changed or deleted. */
interface Change {
  readonly place: ListPlace;
  /** revisionId or jrid */
  readonly id: string;
  readonly user: string;
  readonly at: string;
}

/** What a tab hears: changes, or `null`: anything may have changed, as nothing was heard for a while. */
export type News = readonly Change[] | null;

/** `off`: the browser cannot, or nobody is signed in; `lost`: what others change is not heard at present. */
export const liveState = watched<'off' | 'starting' | 'open' | 'lost'>('off');

const listeners = new Set<(news: News) => void>();

/** Hears what others change, and what oneself changes in other windows. In a hidden tab it waits until that is looked at. */
export function onNews(listener: (news: News) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const viewersListeners = new Set<
  (place: ListPlace, id: string, viewers: readonly Viewer[]) => void
>();

/** Hears who else has a record open that this browser has, in hidden tabs too. */
export function onViewers(
  listener: (place: ListPlace, id: string, viewers: readonly Viewer[]) => void,
): () => void {
  viewersListeners.add(listener);
  return () => viewersListeners.delete(listener);
}

/** More than this is told as `null`. */
const MOST_WAITING = 2_000;

/** How long a page is being opened, in milliseconds. */
const OPENED = 1_500;

/** This tab's line to the hub, kept as what is said must come in its order; null: the browser has none. */
let line: Tell | null | undefined;
let hear: (message: FromHub) => void = () => undefined;

/** Keeps a signed-in user's tab live. @returns ends it, when nobody is signed in here any more */
export function startLive(username: string): () => void {
  const waiting = new Map<string, Change>();
  let anything = false;
  let ended = false;

  const deliver = () => {
    if (ended || document.visibilityState === 'hidden') return;
    const news = anything ? null : [...waiting.values()];
    waiting.clear();
    anything = false;
    if (news?.length !== 0) for (const listener of listeners) listener(news);
  };
  const deliverAnything = () => {
    anything = true;
    deliver();
  };
  const take = async (data: readonly string[]) => {
    const { changedEventSchema } = await answers();
    if (ended) return;
    for (const text of data) {
      const change = toChange(changedEventSchema.parse(JSON.parse(text)));
      const { place, id, user } = change;
      if (user === username && isOwn(place, id)) continue;
      waiting.set(`${place.kind} ${place.id} ${id}`, change);
    }
    if (waiting.size > MOST_WAITING) anything = true;
    deliver();
  };

  const show = async (text: string) => {
    const { viewersEventSchema } = await answers();
    const event = viewersEventSchema.parse(JSON.parse(text));
    if (ended) return;
    for (const listener of viewersListeners) listener(placeOf(event), event.id, event.viewers);
  };

  line ??= connectHub((message) => hear(message));
  const tell = line;
  if (!tell) return () => undefined;
  hear = (message) => {
    if (message.user !== username) return;
    if (message.kind === 'changed') {
      take(message.data).catch(() => {
        // Something changed that cannot be read, such as by a newer service.
        anything = true;
        deliver();
      });
      return;
    }
    if (message.kind === 'viewers') {
      // What cannot be read is asked for again in time.
      show(message.data).catch(() => undefined);
      return;
    }
    // What happened before it was open, nobody has told.
    if (message.kind === 'open' && liveState.get() !== 'open') {
      // A page that is being opened has just read what it shows, and must not do so twice at that time.
      if (liveState.get() === 'starting') setTimeout(deliverAnything, OPENED);
      else deliverAnything();
    }
    liveState.set(message.kind);
  };
  const url = new URL(`${apiPaths.events()}?viewers=true`, document.baseURI).href;
  const here = () => tell({ user: username, url });
  liveState.set('starting');
  here();
  // Somebody has signed in again over the page.
  const leaveGate = sessionGate.subscribe(() => {
    if (sessionGate.get().is === 'open') here();
  });
  document.addEventListener('visibilitychange', deliver);
  return () => {
    ended = true;
    hear = () => undefined;
    leaveGate();
    document.removeEventListener('visibilitychange', deliver);
    tell({ user: null, url });
    liveState.set('off');
  };
}

function toChange(event: ChangedEvent): Change {
  const { id, user, at } = event;
  return { place: placeOf(event), id, user, at };
}

function placeOf(event: { readonly archive: string } | { readonly table: string }): ListPlace {
  return 'archive' in event
    ? { kind: 'archive', id: event.archive }
    : { kind: 'table', id: event.table };
}
