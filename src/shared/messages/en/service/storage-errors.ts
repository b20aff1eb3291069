/** The answers to requests that failed because of the database or its disk. */
import { coded } from '#shared/messages/message.ts';

export const diskFull = coded(
  'storageErrors.diskFull',
  'The disk of the service is full. Nothing was saved. Tell the administrator.',
);
export const readOnly = coded(
  'storageErrors.readOnly',
  'The storage of the service is read-only. Nothing was saved. Tell the administrator.',
);
export const diskFailed = coded(
  'storageErrors.diskFailed',
  'The disk of the service failed, so the change may be lost. Check whether it was saved before you repeat it. Tell the administrator.',
);
export const databaseDamaged = coded(
  'storageErrors.databaseDamaged',
  'A part of the database is damaged. Data can still be read in part, but nothing is saved, to prevent further damage. Tell the administrator.',
);
export const outcomeUnknown = coded(
  'storageErrors.outcomeUnknown',
  'The connection to the database broke while saving: it is not known whether the change was saved. Check it before you repeat the change.',
);
export const fileStoreUnreachable = coded(
  'storageErrors.fileStoreUnreachable',
  'The file storage cannot be reached. Nothing was saved.',
);
export const fileIsRemoved = coded(
  'storageErrors.fileIsRemoved',
  'A file with the same content is being permanently deleted. Nothing was saved; send the request again.',
);
export const fileStoreUnreadable = coded(
  'storageErrors.fileStoreUnreadable',
  'The file storage cannot be reached.',
);
