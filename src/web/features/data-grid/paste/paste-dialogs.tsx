import { useEffect, useEffectEvent } from 'react';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { Paste } from './use-paste.ts';

const PasteDialog = lazyComponent(async () => (await import('./paste-module.ts')).PasteDialog, {
  layout: 'overlay',
  buffersKeys: true,
});
const LargePasteDialog = lazyComponent(
  async () => (await import('./paste-module.ts')).LargePasteDialog,
  { layout: 'overlay', buffersKeys: true },
);

/** The dialogs of a paste over the grid. */
export function PasteDialogs({
  paste,
  tableLabel,
  onClosed,
}: {
  readonly paste: Paste;
  readonly tableLabel: string;
  /** the last of them was closed, and no element has the focus */
  readonly onClosed: () => void;
}) {
  const { preview, large, isAsking } = paste;
  const notifyClosed = useEffectEvent(() => {
    if (document.activeElement === document.body) onClosed();
  });
  useEffect(() => (isAsking ? () => notifyClosed() : undefined), [isAsking]);

  if (preview) return <PasteDialog paste={paste} preview={preview} tableLabel={tableLabel} />;
  if (!large.shown) return null;
  return <LargePasteDialog large={large} shown={large.shown} tableLabel={tableLabel} />;
}
