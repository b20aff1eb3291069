import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { isFocusLost } from '#web/ui/focus-fallback.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { RecordPanelProps } from './record-panel.tsx';

const RecordPanel = lazyComponent(async () => (await import('./record-panel.tsx')).RecordPanel, {
  layout: 'pane',
});

/** The form of the open record, rendered where the page has space for it. */
export function RecordPortal({
  container,
  ...props
}: RecordPanelProps & { readonly container: HTMLElement | null }) {
  const { jrid, requests } = props.opened;
  useEffect(() => {
    // The element that requested the form may be removed, and the form not loaded yet. Without the focus in its container, the
    // fallback is the grid, and the form would follow the grid to another record.
    if (container && requests > 0 && isFocusLost()) container.focus();
  }, [container, requests]);
  return container && jrid !== null
    ? createPortal(<RecordPanel {...props} jrid={jrid} />, container)
    : null;
}
