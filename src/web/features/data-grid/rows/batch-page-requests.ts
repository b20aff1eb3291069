interface PageRequest<P> {
  readonly page: number;
  readonly signal: AbortSignal;
  readonly resolve: (page: P) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines simultaneous requests for adjacent pages into one: the visible rows often belong to two. The request is
 * aborted once none of its pages is needed.
 * @param read returns `count` pages from the page `first` on
 */
export function batchPageRequests<P>(
  read: (first: number, count: number, signal: AbortSignal) => Promise<readonly P[]>,
): (page: number, signal: AbortSignal) => Promise<P> {
  let queue: PageRequest<P>[] = [];

  const readRun = async (run: readonly PageRequest<P>[]): Promise<void> => {
    const controller = new AbortController();
    const onAbort = () => {
      if (run.every(({ signal }) => signal.aborted)) controller.abort();
    };
    for (const { signal } of run) signal.addEventListener('abort', onAbort, { once: true });
    try {
      const pages = await read(run[0]?.page ?? 0, run.length, controller.signal);
      for (const [i, { resolve, reject }] of run.entries()) {
        const page = pages[i];
        if (page === undefined) reject(new Error('The answer holds too few pages.'));
        else resolve(page);
      }
    } catch (error) {
      for (const { reject } of run) reject(error);
    }
  };

  const start = () => {
    const wanted = queue.filter(({ signal }) => !signal.aborted).sort((a, b) => a.page - b.page);
    queue = [];
    for (let from = 0; from < wanted.length;) {
      let to = from + 1;
      while (wanted[to]?.page === (wanted[to - 1]?.page ?? 0) + 1) to++;
      void readRun(wanted.slice(from, to));
      from = to;
    }
  };

  return (page, signal) =>
    new Promise((resolve, reject) => {
      if (queue.push({ page, signal, resolve, reject }) === 1) queueMicrotask(start);
    });
}
