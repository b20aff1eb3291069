import type { Viewer } from '#shared/contract/workspace-answers.ts';
import type { ChangedEvent } from '#shared/contract/events.ts';
import { answers } from '../load-answer-schemas.ts';
import { apiPaths, type CollectionRef } from '../api-paths.ts';
import { firstSession, request } from '../request.ts';
import { sessionGate } from '../session-gate.ts';
import { createStore } from '../create-store.ts';
import { connectHub } from './connect-hub.ts';
import type { FromHub, ToHub } from './hub.ts';
import { takeOwnEvent } from './own-writes.ts';

/** A record that was created, changed or deleted. */
interface Change {
  readonly collection: CollectionRef;
  /** revisionId or jrid */
  readonly id: string;
  readonly user: string;
  readonly at: string;
}

/** Changes to report; null: events were missed, so all data must be refetched. */
export type ReportedChanges = readonly Change[] | null;

/** `off`: not supported, or signed out; `lost`: changes by others are not received at present. */
export const liveState = createStore<'off' | 'starting' | 'open' | 'lost'>('off');

const listeners = new Set<(changes: ReportedChanges) => void>();

/**
 * Subscribes to changes by other users and by the user's other windows. A hidden tab receives them when it becomes
 * visible.
 */
export function onChanges(listener: (changes: ReportedChanges) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const ownWriteListeners = new Set<(collection: CollectionRef) => void>();

/** Subscribes to the events of this tab's own writes. */
export function onOwnWrite(listener: (collection: CollectionRef) => void): () => void {
  ownWriteListeners.add(listener);
  return () => ownWriteListeners.delete(listener);
}

const presenceListeners = new Set<
  (collection: CollectionRef, id: string, viewers: readonly Viewer[]) => void
>();

/** Subscribes to who else has a record open that this browser has open, also in hidden tabs. */
export function onPresence(
  listener: (collection: CollectionRef, id: string, viewers: readonly Viewer[]) => void,
): () => void {
  presenceListeners.add(listener);
  return () => presenceListeners.delete(listener);
}

/** More changes than this are reported as `null`. */
const MAX_PENDING = 2_000;

/** Sends this tab's state to the hub; null: not supported; undefined: not connected yet. */
let sendTabState: (() => void) | null | undefined;
const url = () => new URL(`${apiPaths.events()}?viewers=true`, document.baseURI).href;
const signedOutState = (): ToHub => ({ user: null, url: url(), since: null });
let tabState = signedOutState;
let receive: (message: FromHub) => void = () => undefined;

/**
 * Keeps a signed-in user's tab up to date.
 * @param readAfter the event that all data of this tab includes; null: unknown
 * @returns ends it, when the user is signed out
 */
export function startLive(username: string, readAfter: string | null): () => void {
  /** the last event that this tab's data includes */
  let since = readAfter;
  const pending = new Map<string, Change>();
  let hasMissedEvents = false;
  let isStopped = false;

  const deliver = () => {
    if (isStopped || document.visibilityState === 'hidden') return;
    const changes = hasMissedEvents ? null : [...pending.values()];
    pending.clear();
    hasMissedEvents = false;
    if (changes?.length !== 0) for (const listener of listeners) listener(changes);
  };
  const reportMissedEvents = () => {
    hasMissedEvents = true;
    deliver();
  };
  const handleChanges = async (data: readonly string[]) => {
    const { changedEventSchema } = await answers();
    if (isStopped) return;
    for (const text of data) {
      const change = toChange(changedEventSchema.parse(JSON.parse(text)));
      const { collection, id, user } = change;
      if (user === username && takeOwnEvent(collection, id)) {
        for (const listener of ownWriteListeners) listener(collection);
        continue;
      }
      pending.set(`${collection.kind} ${collection.id} ${id}`, change);
    }
    if (pending.size > MAX_PENDING) hasMissedEvents = true;
    deliver();
  };

  const handleViewers = async (text: string) => {
    const { viewersEventSchema } = await answers();
    const event = viewersEventSchema.parse(JSON.parse(text));
    if (isStopped) return;
    for (const listener of presenceListeners)
      listener(collectionOf(event), event.id, event.viewers);
  };

  tabState = () => ({ user: username, url: url(), since });
  sendTabState ??= connectHub(
    (message) => receive(message),
    () => tabState(),
  );
  const send = sendTabState;
  if (!send) return () => undefined;
  receive = (message) => {
    if (message.user !== username) return;
    if (message.kind === 'changed') {
      if (liveState.get() === 'open') since = message.at;
      // A change that cannot be parsed, such as of a newer service, counts as missed.
      handleChanges(message.data).catch(reportMissedEvents);
      return;
    }
    if (message.kind === 'viewers') {
      // Presence that cannot be parsed is soon refetched anyway.
      handleViewers(message.data).catch(() => undefined);
      return;
    }
    if (message.kind === 'signed-out') {
      // Closes the gate, unless the user has signed in again in the meantime.
      request(apiPaths.sessions(), { method: 'GET', gate: true, parse: firstSession }).catch(
        () => undefined,
      );
      return;
    }
    if (message.kind === 'open') {
      // After a break, and for changes before the first event of this browser, events are missing.
      const receivedAll =
        liveState.get() === 'open' ||
        (liveState.get() === 'starting' && isNoLater(message.at, since));
      if (!receivedAll) reportMissedEvents();
      since = message.at;
    }
    liveState.set(message.kind);
  };
  liveState.set('starting');
  send();
  // The user has signed in again in the dialog over the page.
  const leaveGate = sessionGate.subscribe(() => {
    if (sessionGate.get().is === 'open') send();
  });
  document.addEventListener('visibilitychange', deliver);
  return () => {
    isStopped = true;
    receive = () => undefined;
    leaveGate();
    document.removeEventListener('visibilitychange', deliver);
    tabState = signedOutState;
    // If the page is only remounted, the same user subscribes again at once.
    queueMicrotask(send);
    liveState.set('off');
  };
}

/** Whether an event is known, and not later than the other one. */
function isNoLater(event: string | null, other: string | null): boolean {
  return event !== null && other !== null && Number(event) <= Number(other);
}

function toChange(event: ChangedEvent): Change {
  const { id, user, at } = event;
  return { collection: collectionOf(event), id, user, at };
}

function collectionOf(
  event: { readonly archive: string } | { readonly table: string },
): CollectionRef {
  return 'archive' in event
    ? { kind: 'archive', id: event.archive }
    : { kind: 'table', id: event.table };
}
