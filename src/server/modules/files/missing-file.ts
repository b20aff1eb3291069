/** The store does not hold the bytes of a file that a revision names. */
export class MissingFileError extends Error {
  override readonly name = 'MissingFileError';

  constructor(location: string, cause: unknown) {
    super(`The store of the files does not have ${location}.`, { cause });
  }
}
