import type { Listener } from './database.ts';

type Heard = (payload: string) => void;

/**
 * The listeners of this process. They are called directly, without the database, once a transaction of this process is
 * committed.
 */
export class Listeners {
  readonly #heard = new Set<Heard>();

  add(heard: Heard): Listener {
    this.#heard.add(heard);
    return {
      arrive: () => true,
      close: async () => void this.#heard.delete(heard),
    };
  }

  notify(payload: string): void {
    for (const heard of this.#heard) heard(payload);
  }
}
