import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { RecordPanelProps } from './record-panel.tsx';

const RecordPanel = lazyComponent(async () => (await import('./record-panel.tsx')).RecordPanel);

/** The form of the open record, rendered where the page has space for it. */
export function RecordPortal({
  container,
  ...props
}: RecordPanelProps & { readonly container: HTMLElement | null }) {
  const { jrid, requests } = props.opened;
  const focusedFor = useRef(0);
  useEffect(() => {
    // The form may not be loaded yet, and the element that requested it be removed. If the grid had the focus, for
    // example as the fallback for that element, the form would follow it to another record.
    if (!container || focusedFor.current === requests) return;
    focusedFor.current = requests;
    if (!container.contains(document.activeElement)) container.focus();
  }, [container, requests]);
  return container && jrid !== null
    ? createPortal(<RecordPanel {...props} jrid={jrid} />, container)
    : null;
}
