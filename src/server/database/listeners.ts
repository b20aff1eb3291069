import type { Listener } from './database.ts';

type Callback = (payload: string) => void;

/**
 * The listeners of this process. They are called directly, without the database, once a transaction of this process is
 * committed.
 */
export class LocalListeners {
  readonly #callbacks = new Set<Callback>();

  add(callback: Callback): Listener {
    this.#callbacks.add(callback);
    return {
      isReceiving: () => true,
      close: async () => void this.#callbacks.delete(callback),
    };
  }

  notify(payload: string): void {
    for (const callback of this.#callbacks) callback(payload);
  }
}
