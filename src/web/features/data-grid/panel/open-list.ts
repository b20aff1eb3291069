/** Whether the keyboard is in an editor whose list of choices is open: Escape and Enter are then the list's. */
export function inOpenList(target: EventTarget): boolean {
  if (!(target instanceof Element) || target.getAttribute('aria-expanded') !== 'true') return false;
  const list = document.getElementById(target.getAttribute('aria-controls') ?? '');
  return list?.querySelector('[role=option]') != null;
}
