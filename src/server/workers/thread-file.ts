import { extname, join } from 'node:path';

/**
 * The file of a module that runs in a thread.
 * @param starter of the module that starts the thread, and is compiled like it
 * @param path relative to the starter, without an extension
 */
export function threadFile({ dirname, filename }: ImportMeta, path: string): string {
  return join(dirname, `${path}${extname(filename)}`);
}
