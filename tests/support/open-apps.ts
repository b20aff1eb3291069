const opened: (() => Promise<void>)[] = [];

/** Has something closed after the tests of the file that runs. */
export function closeAfterFile(close: () => Promise<void>): void {
  opened.push(close);
}

/** Closes what the tests of a file have opened. Called after each file (tests/support/setup.ts). */
export async function closeApps(): Promise<void> {
  for (const close of opened.splice(0)) await close();
}
