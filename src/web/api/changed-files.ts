import { CallError } from './failure.ts';

/** Browsers do not send a file that was saved again after it was chosen. @throws {CallError} if a form has one */
export async function requireUnchangedFiles(form: FormData): Promise<void> {
  const files = [...form.values()].filter((value) => typeof value !== 'string');
  await Promise.all(files.map(requireUnchanged));
}

async function requireUnchanged(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (error) {
    if (error instanceof DOMException) throw new CallError({ kind: 'changed-file' });
  }
}
