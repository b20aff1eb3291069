import { Group, Modal } from '@mantine/core';
import { useEffect } from 'react';
import * as texts from '#messages/common.ts';
import { createStore } from '#web/api/create-store.ts';
import { useStore } from '#web/api/use-store.ts';
import { Button } from './button.tsx';
import { ReasonList, type Reasons } from './reason-list.tsx';

/** The notice with reasons that is open; null: none. */
const shown = createStore<{ readonly title: string; readonly reasons: Reasons } | null>(null);

export function showReasons(title: string, reasons: Reasons): void {
  shown.set({ title, reasons });
}

const close = () => shown.set(null);

/** A notice with a list of reasons, which stays until it is closed. */
export function ReasonNotice() {
  const notice = useStore(shown);
  // It belongs to the page on which it appeared.
  useEffect(() => close, []);
  return (
    <Modal opened={notice !== null} size="lg" onClose={close} title={notice?.title}>
      {notice && <ReasonList {...notice.reasons} />}
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>
          {texts.close}
        </Button>
      </Group>
    </Modal>
  );
}
