/**
 * Whether the focused editor has an open list of choices, which then handles Escape and Enter. A list without choices
 * may be open but invisible.
 */
export function isInOpenListbox(target: EventTarget): boolean {
  // An editor of several lines has no `aria-expanded` while its list is closed.
  if (!(target instanceof Element) || target.getAttribute('aria-expanded') === 'false')
    return false;
  const list = document.getElementById(target.getAttribute('aria-controls') ?? '');
  return list?.querySelector('[role="option"]') != null;
}

/** Whether Escape first closes a question within the page, a menu or an open list of choices. */
export function escapeClosesPopup(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('[data-asks], [role="menu"]') !== null || isInOpenListbox(target);
}
