import type { FastifyInstance } from 'fastify';
import { BackgroundLoop } from '#server/lib/background-loop.ts';

/** Milliseconds. */
const INTERVAL = 30_000;
/** Rounds between two runs of infrequent tasks: 50 minutes. */
const INFREQUENT_ROUNDS = 100;

type Task = () => Promise<void>;

/** Regularly removes data that is no longer needed. */
export class Housekeeping {
  readonly #tasks: { readonly run: Task; readonly every: number }[] = [];

  /** Adds a task; a failure is logged and does not affect other tasks. */
  add(run: Task, frequency: 'frequent' | 'infrequent' = 'frequent'): void {
    this.#tasks.push({ run, every: frequency === 'infrequent' ? INFREQUENT_ROUNDS : 1 });
  }

  /** Starts in 30 seconds, and stops with the app. */
  start(app: FastifyInstance): void {
    let rounds = 0;
    const loop = new BackgroundLoop({
      name: 'housekeeping',
      log: app.log,
      firstPause: INTERVAL,
      run: async () => {
        const due = this.#tasks.filter(({ every }) => rounds % every === 0);
        rounds += 1;
        for (const { run } of due) {
          await run().catch((error: unknown) =>
            app.log.warn({ err: error }, 'housekeeping failed'),
          );
        }
        return INTERVAL;
      },
    });
    app.addHook('onClose', () => loop.close());
  }
}
