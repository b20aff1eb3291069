import * as texts from '#messages/common.ts';
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

const EVERYWHERE: KeySection = {
  title: texts.everywhere,
  keys: [
    { keys: 'mod+K', does: texts.goToKey },
    { keys: 'F1', does: texts.shortcutsKey },
    { keys: '?', does: texts.shortcutsOutsideFieldsKey },
  ],
};

const KeySheetDialog = lazyDialog(
  async () => (await import('./key-sheet-dialog.tsx')).KeySheetDialog,
);

/** The sheet of all keys of a page; `?` and F1 open it. */
export function KeySheet({ sections }: { readonly sections: readonly KeySection[] }) {
  const [opened, setOpened] = useState(false);
  const toggle = () => setOpened(!opened);
  const sheet = useRef<HTMLDivElement>(null);
  useShortcut('?', toggle, { within: sheet });
  useShortcut('F1', toggle, { inFields: true, within: sheet });
  return (
    <KeySheetDialog
      opened={opened}
      onClose={() => setOpened(false)}
      sections={[...sections, EVERYWHERE]}
      sheet={sheet}
    />
  );
}
