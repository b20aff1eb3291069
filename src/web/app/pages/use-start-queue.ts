import * as texts from '#messages/workspaces.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import { queueText } from '#web/api/queues.queries.ts';
import { createQueue, type QueueContent } from '#web/features/correction-queue/queue.mutations.ts';
import { earlierQueue } from '#web/features/correction-queue/queue.queries.ts';
import { notify } from '#web/ui/notify.ts';

/** Starts queues of an archive, and opens those that exist. */
export function useStartQueue(archive: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { mutateAsync: create } = useMutation(createQueue(archive));
  const open = (queueId: string) =>
    void navigate({ to: '/archives/$archive/queue/$queueId', params: { archive, queueId } });
  const isStarting = useRef(false);
  /** Starts one queue at a time. @param content its revisions, or what reads them */
  const start = async (content: QueueContent | (() => Promise<QueueContent>)) => {
    if (isStarting.current) return;
    isStarting.current = true;
    try {
      const queue = await create(typeof content === 'function' ? await content() : content);
      open(queue.queueId);
      const earlier = await earlierQueue(client, archive, queue);
      if (!earlier) return;
      notify(texts.newQueue(queueText(earlier)), {
        label: texts.resumeThere,
        onPress: () => open(earlier.queueId),
      });
    } catch (error) {
      notify(texts.queueNotMade(summary(toFailure(error))));
    } finally {
      isStarting.current = false;
    }
  };
  return { open, start };
}
