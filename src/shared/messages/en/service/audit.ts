import { coded } from '#shared/messages/message.ts';
export const notATime = coded(
  'audit.notATime',
  'Enter a day as YYYY-MM-DD, or an instant with its offset, such as 2026-11-23T08:00:00Z.',
);
export const archiveOrTable = coded(
  'audit.archiveOrTable',
  'Name an archive or a table, not both.',
);
export const noSuchArchive = coded(
  'audit.noSuchArchive',
  ({ name }: { name: string }) => `There is no archive ${name}.`,
);
export const noSuchTable = coded(
  'audit.noSuchTable',
  ({ name }: { name: string }) => `There is no table ${name}.`,
);
export const noSuchEntry = coded('audit.noSuchEntry', 'There is no entry with this id.');
