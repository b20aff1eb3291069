import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/key-sheet.ts';
import { Modal } from '@mantine/core';
import type { Ref } from 'react';
import { Kbd } from './kbd.tsx';
import classes from './key-sheet.module.css';
import type { KeySection } from './key-sheet.tsx';

interface KeySheetDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** the keys of the page */
  readonly sections: readonly KeySection[];
  readonly sheet: Ref<HTMLDivElement>;
}

const EVERYWHERE: KeySection = {
  title: texts.everywhere,
  keys: [
    { keys: 'mod+K', does: texts.goToKey },
    { keys: 'F1', does: texts.shortcutsKey },
    { keys: '?', does: texts.shortcutsOutsideFieldsKey },
  ],
};

/** The dialog of `KeySheet`. */
export function KeySheetDialog({ opened, onClose, sections, sheet }: KeySheetDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={commonTexts.keyboardShortcuts} size={860}>
      <div ref={sheet} className={classes.sheet}>
        {[...sections, EVERYWHERE].map(({ title, keys }) => (
          <section key={title} className={classes.section} aria-label={title}>
            <h3 className={classes.title}>{title}</h3>
            <dl>
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
