/** Whether the keyboard is in an editor whose list of choices is open: Escape and Enter are then the list's. One without choices is open, but nobody sees it. */
export function inOpenList(target: EventTarget): boolean {
  // Of an editor of several lines it is not said that its list is closed: it then has none.
  if (!(target instanceof Element) || target.getAttribute('aria-expanded') === 'false')
    return false;
  const list = document.getElementById(target.getAttribute('aria-controls') ?? '');
  return list?.querySelector('[role="option"]') != null;
}
