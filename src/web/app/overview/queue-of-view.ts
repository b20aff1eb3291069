import type { OpenQueue } from '#shared/contract/workspace-answers.ts';

/** Whether a queue was created from a work list: it has the same name. */
export function isQueueOf(
  queue: OpenQueue,
  archive: string,
  { name }: { readonly name: string },
): boolean {
  return queue.archive === archive && queue.name === name;
}
