import { Group, Modal } from '@mantine/core';
import { useEffect } from 'react';
import * as texts from '#messages/common.ts';
import { createStore } from '#web/api/create-store.ts';
import { useStore } from '#web/api/use-store.ts';
import { Button } from './button.tsx';
import { ReasonList, type Reasons } from './reason-list.tsx';

interface ShownNotice {
  readonly opened: boolean;
  readonly title: string;
  readonly reasons: Reasons;
}

const NONE: ShownNotice = {
  opened: false,
  title: '',
  reasons: { label: '', message: '', items: [] },
};

/** The last notice with reasons. */
const shown = createStore(NONE);

export function showReasons(title: string, reasons: Reasons): void {
  shown.set({ opened: true, title, reasons });
}

/** A notice with a list of reasons, which stays until it is closed. */
export function ReasonNotice() {
  const { opened, title, reasons } = useStore(shown);
  // It belongs to the page on which it appeared.
  useEffect(() => () => shown.set(NONE), []);
  const close = () => shown.set({ opened: false, title, reasons });
  return (
    <Modal opened={opened} size="lg" onClose={close} title={title}>
      <ReasonList {...reasons} />
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>
          {texts.close}
        </Button>
      </Group>
    </Modal>
  );
}
