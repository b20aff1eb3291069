import * as texts from '#messages/workspaces.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Queue } from '#shared/contract/workspace-answers.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { queueText } from '#web/api/queues.queries.ts';
import { createQueue, type QueueContent } from '#web/features/correction-queue/queue.mutations.ts';
import { earlierQueue } from '#web/features/correction-queue/queue.queries.ts';
import { useDeferredNavigation } from '#web/ui/use-deferred-navigation.ts';
import { notify, notifyFailure } from '#web/ui/notify.ts';

/** Starts queues of an archive, and opens those that exist. */
export function useStartQueue(archive: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { mutateAsync: create } = useMutation(createQueue(archive));
  const open = (queueId: string) =>
    void navigate({ to: '/archives/$archive/queue/$queueId', params: { archive, queueId } });
  const openNew = async (queue: Queue) => {
    open(queue.queueId);
    // If that is not known, the new queue is open all the same.
    const earlier = await earlierQueue(client, archive, queue).catch(() => undefined);
    if (!earlier) return;
    notify(texts.newQueue(queueText(earlier)), {
      label: texts.resumeThere,
      onPress: () => open(earlier.queueId),
    });
  };
  const requestOpening = useDeferredNavigation();
  const isStarting = useRef(false);
  /** Starts one queue at a time. @param content its revisions, or what reads them */
  const start = async (content: QueueContent | (() => Promise<QueueContent>)) => {
    if (isStarting.current) return;
    isStarting.current = true;
    const offer = requestOpening();
    try {
      const queue = await create(typeof content === 'function' ? await content() : content);
      offer({
        message: texts.queueReady(queueText(queue)),
        action: { label: texts.openQueue, onPress: () => void openNew(queue) },
      });
    } catch (error) {
      notifyFailure(texts.queueNotMade(summary(toFailure(error))));
    } finally {
      isStarting.current = false;
    }
  };
  return { open, start };
}
