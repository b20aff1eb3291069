import type { Listener } from './database.ts';

type Callback = (payload: string) => void;

/**
 * The listeners of this process. They are called directly, without the database, once a transaction of this process is
 * committed.
 */
export class Listeners {
  readonly #callbacks = new Set<Callback>();

  add(callback: Callback): Listener {
    this.#callbacks.add(callback);
    return {
      arrive: () => true,
      close: async () => void this.#callbacks.delete(callback),
    };
  }

  notify(payload: string): void {
    for (const callback of this.#callbacks) callback(payload);
  }
}
