import type { LoadReport } from '#server/modules/loading/loading.service.ts';

/** Where a command writes: results to stdout, everything else to stderr. */
export interface Console {
  out(line: string): void;
  err(line: string): void;
}

export const CONSOLE: Console = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
};

/** Milliseconds between two states of a progress line, on a terminal and in a file. */
const PAUSE = { terminal: 100, file: 3_000 } as const;

/** Shows a load's progress on stderr, as one line that changes on a terminal, else as a line every few seconds. */
export function progressReport(
  console: Console,
  stderr: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown },
): LoadReport {
  const pause = stderr.isTTY ? PAUSE.terminal : PAUSE.file;
  let last = performance.now() - (stderr.isTTY ? pause : 0);
  let shown = false;
  const clear = () => {
    if (shown) stderr.write('\r\u001b[K');
    shown = false;
  };
  const tell = (write: (line: string) => void) => (line: string) => {
    clear();
    write(line);
  };
  return {
    progress(text) {
      if (performance.now() - last < pause) return;
      last = performance.now();
      if (!stderr.isTTY) {
        console.err(text);
        return;
      }
      clear();
      stderr.write(text.slice(0, Math.max(1, (stderr.columns ?? 80) - 1)));
      shown = true;
    },
    say: tell((line) => console.out(line)),
    warn: tell((line) => console.err(`Note: ${line}`)),
    fail: tell((line) => console.err(line)),
  };
}
