import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { matches } from '#web/ui/shortcuts.ts';
import { REVIEW_KEYS } from './review-keys.ts';

/** Records per page. */
const GROUP_SIZE = 24;

/**
 * The record whose card has the focus or had it last, and the group of records that is shown with it.
 * @param list contains the cards
 */
export function useCurrentCard(list: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const [current, setCurrent] = useState(0);
  const group = Math.floor(current / GROUP_SIZE);
  const first = group * GROUP_SIZE;
  /** the record to focus once it is rendered */
  const pendingFocusId = useRef<string | null>(ids[0] ?? null);
  useEffect(() => {
    const id = pendingFocusId.current;
    if (id === null) return;
    pendingFocusId.current = null;
    cardOf(list.current, id)?.focus();
  });
  const goTo = (at: number) => {
    const to = Math.max(0, Math.min(ids.length - 1, at));
    const id = ids[to];
    if (id === undefined) return;
    const card = cardOf(list.current, id);
    if (card) card.focus();
    else pendingFocusId.current = id;
    setCurrent(to);
  };
  return {
    /** its position */
    current,
    /** the position of the first record that is shown */
    first,
    /** the ids of the records that are shown */
    shown: ids.slice(first, first + GROUP_SIZE),
    /** A card has received the focus. */
    entered: (id: string) => setCurrent(Math.max(0, ids.indexOf(id))),
    step: (id: string, by: 1 | -1) => goTo(ids.indexOf(id) + by),
    goToId: (id: string | null) => {
      if (id !== null) goTo(ids.indexOf(id));
    },
    stepGroup: (by: 1 | -1) => {
      const to = first + by * GROUP_SIZE;
      if (to >= 0 && to < ids.length) goTo(to);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.target instanceof HTMLElement)) return;
      if (event.target.dataset['card'] === undefined) return;
      const by = stepOf(event, columnsOf(list.current));
      if (by === null) return;
      event.preventDefault();
      goTo(current + by);
    },
  };
}

function cardOf(list: HTMLElement | null, id: string): HTMLElement | undefined {
  return [...(list?.querySelectorAll<HTMLElement>('[data-card]') ?? [])].find(
    ({ dataset }) => dataset['card'] === id,
  );
}

/** The number of cards per row. */
function columnsOf(list: HTMLElement | null): number {
  if (!list) return 1;
  return getComputedStyle(list).gridTemplateColumns.split(' ').length;
}

/** The number of cards by which a key moves; null: it does not move. */
function stepOf(event: KeyboardEvent, columns: number): number | null {
  if (matches(REVIEW_KEYS.next, event) || matches('ArrowRight', event)) return 1;
  if (matches(REVIEW_KEYS.previous, event) || matches('ArrowLeft', event)) return -1;
  if (matches('ArrowDown', event)) return columns;
  return matches('ArrowUp', event) ? -columns : null;
}
