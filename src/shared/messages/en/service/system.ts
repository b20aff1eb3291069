import { coded } from '#shared/messages/message.ts';

/** Backups and checks that administrators start in the browser. */
export const endedEarly = 'The job has ended early.';
export const interrupted = 'The process that did it has ended.';
export const noBackup = coded(
  'system.noBackup',
  ({ name }: { name: string }) => `There is no backup ${name} on this machine.`,
);
export const noJob = coded('system.noJob', 'There is no job of this id.');
export const jobRunning = coded(
  'system.jobRunning',
  'Another backup or check is running. Wait for its end, or cancel it.',
);
