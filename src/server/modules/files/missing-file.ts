/** The store does not contain the bytes of a revision's file. */
export class MissingFileError extends Error {
  override readonly name = 'MissingFileError';

  constructor(location: string, cause: unknown) {
    super(`The store of the files does not have ${location}.`, { cause });
  }
}
