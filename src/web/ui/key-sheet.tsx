import { useRef, useState } from 'react';
import { lazyDialog } from './lazy-component.tsx';
import { type Shortcut, useShortcut } from './shortcuts.ts';

export interface KeyInWords {
  readonly keys: Shortcut;
  readonly does: string;
}

export interface KeySection {
  readonly title: string;
  readonly keys: readonly KeyInWords[];
}

const KeySheetDialog = lazyDialog(
  async () => (await import('./key-sheet-dialog.tsx')).KeySheetDialog,
);

interface KeySheetProps {
  /** the keys of the page */
  readonly sections?: readonly KeySection[];
  /** the dialog, if it adds sections that are loaded with it */
  readonly Dialog?: typeof KeySheetDialog;
}

/** The sheet of all keys of a page; `?` and F1 open it. */
export function KeySheet({ sections = [], Dialog = KeySheetDialog }: KeySheetProps) {
  const [opened, setOpened] = useState(false);
  const toggle = () => setOpened(!opened);
  const sheet = useRef<HTMLDivElement>(null);
  useShortcut('?', toggle, { within: sheet });
  useShortcut('F1', toggle, { inFields: true, within: sheet });
  return (
    <Dialog opened={opened} onClose={() => setOpened(false)} sections={sections} sheet={sheet} />
  );
}
