/**
 * Throttles an action: runs it `wait` after the first request, and not again before `rest` has passed since the last
 * run; in milliseconds.
 */
export function throttle(
  work: () => Promise<unknown>,
  { wait, rest }: { readonly wait: number; readonly rest: number },
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restedAt = 0;
  let working = false;
  let again = false;

  const run = async () => {
    timer = undefined;
    working = true;
    try {
      await work();
    } finally {
      working = false;
      restedAt = Date.now() + rest;
      if (again) ask();
    }
  };
  const ask = () => {
    again = working;
    if (working || timer !== undefined) return;
    timer = setTimeout(() => void run(), Math.max(wait, restedAt - Date.now()));
  };
  return {
    /** Requests a run. */
    ask,
    /** Cancels the pending run. */
    stop: () => clearTimeout(timer),
  };
}
