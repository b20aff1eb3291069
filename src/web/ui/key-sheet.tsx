import { Modal } from '@mantine/core';
import { useRef, useState } from 'react';
import { Kbd } from './kbd.tsx';
import classes from './key-sheet.module.css';
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
  title: 'Everywhere',
  keys: [
    { keys: 'mod+K', does: 'Go to an archive, a table or a revision' },
    { keys: 'F1', does: 'Show the keys' },
    { keys: '?', does: 'Show the keys, where nothing is being typed' },
  ],
};

/** The sheet of all keys of a page; `?` and F1 open it. */
export function KeySheet({ sections }: { readonly sections: readonly KeySection[] }) {
  const [opened, setOpened] = useState(false);
  const toggle = () => setOpened(!opened);
  const sheet = useRef<HTMLDivElement>(null);
  useShortcut('?', toggle, { within: sheet });
  useShortcut('F1', toggle, { inFields: true, within: sheet });
  return (
    <Modal
      opened={opened}
      onClose={() => setOpened(false)}
      title="Keys"
      size={860}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div ref={sheet} className={classes.sheet}>
        {[...sections, EVERYWHERE].map(({ title, keys }) => (
          <section key={title} className={classes.section} aria-label={title}>
            <h3 className={classes.title}>{title}</h3>
            <dl className={classes.keys}>
              {keys.map((key) => (
                <div key={`${key.keys} ${key.does}`} className={classes.key}>
                  <dt>
                    <Kbd keys={key.keys} />
                  </dt>
                  <dd>{key.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
