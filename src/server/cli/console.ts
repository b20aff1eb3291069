import * as texts from '#messages/service/cli.ts';
import type { LoadReport } from '#server/modules/loading/load-report.ts';

/** Where a command writes: results to stdout, everything else to stderr. */
export interface Console {
  out(line: string): void;
  err(line: string): void;
}

export const CONSOLE: Console = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
};

/** Milliseconds between updates of the progress, on a terminal and in a file. */
const INTERVAL = { terminal: 100, file: 3_000 } as const;

/** Reports progress on stderr: on a terminal in one line that changes, otherwise in a line every few seconds. */
export function progressReport(
  console: Console,
  stderr: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown },
): LoadReport {
  const interval = stderr.isTTY ? INTERVAL.terminal : INTERVAL.file;
  let last = performance.now() - (stderr.isTTY ? interval : 0);
  let shown = false;
  const clear = () => {
    if (shown) stderr.write('\r\u001b[K');
    shown = false;
  };
  const afterClear = (write: (line: string) => void) => (line: string) => {
    clear();
    write(line);
  };
  return {
    progress(text) {
      if (performance.now() - last < interval) return;
      last = performance.now();
      if (!stderr.isTTY) {
        console.err(text);
        return;
      }
      clear();
      stderr.write(text.slice(0, Math.max(1, (stderr.columns ?? 80) - 1)));
      shown = true;
    },
    info: afterClear((line) => console.out(line)),
    warn: afterClear((line) => console.err(texts.note(line))),
    fail: afterClear((line) => console.err(line)),
  };
}
