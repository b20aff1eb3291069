/** The answers to requests that failed because of the database or its disk. */
import { coded } from '#shared/messages/message.ts';

export const diskFull = coded(
  'storageErrors.diskFull',
  'The disk of the service is full: nothing can be saved until there is room again. Nothing was saved. Tell the administrator.',
);
export const readOnly = coded(
  'storageErrors.readOnly',
  'The service may only read where its data is kept: nothing can be saved. Nothing was saved. Tell the administrator.',
);
export const diskFailed = coded(
  'storageErrors.diskFailed',
  'The disk of the service failed, so nothing was confirmed. Look whether the change is there before you repeat it. Tell the administrator.',
);
export const databaseDamaged = coded(
  'storageErrors.databaseDamaged',
  'A part of the database is damaged. What can still be read is shown, but nothing more is saved, to make it no worse. Tell the administrator.',
);
export const outcomeUnknown = coded(
  'storageErrors.outcomeUnknown',
  'The connection to the database broke while saving: it is not known whether the change was saved.',
);
export const fileStoreUnreachable = coded(
  'storageErrors.fileStoreUnreachable',
  'The store of the files cannot be reached. Nothing was saved.',
);
export const fileIsRemoved = coded(
  'storageErrors.fileIsRemoved',
  'A file with the same content is being permanently deleted. Nothing was saved; send the request again.',
);
export const fileStoreUnreadable = coded(
  'storageErrors.fileStoreUnreadable',
  'The store of the files cannot be reached.',
);
