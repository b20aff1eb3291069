import type { OpenQueue, View } from '#shared/contract/workspace-answers.ts';

/** Whether a queue was made of a view: it has its name. */
export function isQueueOf(queue: OpenQueue, archive: string, { name }: View): boolean {
  return queue.archive === archive && queue.name === name;
}
