import * as texts from '#messages/service/storage.ts';
/** The store does not contain the bytes of a revision's file. */
export class MissingFileError extends Error {
  override readonly name = 'MissingFileError';

  constructor(location: string, cause: unknown) {
    super(texts.fileNotStored(location), { cause });
  }
}
