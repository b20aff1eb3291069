import { coded } from '#shared/messages/message.ts';

/** Backups and checks that administrators start in the browser. */
export const endedEarly = 'The job ended before it was complete.';
export const interrupted = 'The process of the job has ended.';
export const noBackup = coded(
  'system.noBackup',
  ({ name }: { name: string }) => `There is no backup ${name} on this machine.`,
);
export const noJob = coded('system.noJob', 'There is no job with this id.');
export const jobRunning = coded(
  'system.jobRunning',
  'Another backup or check is running. Wait until it ends, or cancel it.',
);
