/**
 * Throttles an action: runs it `wait` after the first request, and not again before `rest` has passed since the last
 * run; in milliseconds.
 */
export function throttle(
  work: () => Promise<unknown>,
  { wait, rest }: { readonly wait: number; readonly rest: number },
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let earliestStart = 0;
  let isRunning = false;
  let isRequestedAgain = false;
  let isStopped = false;

  const run = async () => {
    timer = undefined;
    isRunning = true;
    try {
      await work();
    } finally {
      isRunning = false;
      earliestStart = Date.now() + rest;
      if (isRequestedAgain) request();
    }
  };
  const request = () => {
    isRequestedAgain = isRunning;
    if (isStopped || isRunning || timer !== undefined) return;
    timer = setTimeout(() => void run(), Math.max(wait, earliestStart - Date.now()));
  };
  return {
    /** Requests a run. */
    request,
    /** Cancels the pending run; there are no more. */
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
