import { createPortal } from 'react-dom';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { RecordPanelProps } from './record-panel.tsx';

const RecordPanel = lazyComponent(async () => (await import('./record-panel.tsx')).RecordPanel, {
  place: 'pane',
});

/** The form of the open record, rendered where the page has space for it. */
export function RecordBeside({
  place,
  ...props
}: RecordPanelProps & { readonly place: HTMLElement | null }) {
  const { jrid } = props.opened;
  return place && jrid !== null
    ? createPortal(<RecordPanel {...props} jrid={jrid} />, place)
    : null;
}
