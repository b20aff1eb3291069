import * as texts from '#messages/service/lists.ts';
import type { Message, MessagesByPath } from '../messages/message.ts';

/** The parameters of a query string, decoded, in their order; a name may occur several times. */
export type QueryParameters = readonly (readonly [name: string, value: string])[];

/** Reads the parameters that a call accepts, each at most once, and collects every error by parameter. */
export class QueryReader<Name extends string> {
  // Without a prototype: a client may name a parameter `constructor` or `__proto__`.
  readonly errors: MessagesByPath = Object.create(null);
  /** the parameters that may be repeated */
  readonly repeated: (readonly [name: string, value: string])[] = [];
  readonly #values = new Map<string, string>();

  /**
   * @param names of the parameters that the call accepts
   * @param repeatable the names of those that may be repeated, such as `where[FIELD][OP]`
   */
  constructor(parameters: QueryParameters, names: readonly Name[], repeatable?: RegExp) {
    for (const [given, value] of parameters) {
      const isKnown = names.some((name) => name === given);
      if (value.includes('\u0000')) this.refuse(given, texts.hasNul);
      else if (repeatable?.test(given)) this.repeated.push([given, value]);
      else if (!isKnown) this.refuse(given, texts.unknownParameter);
      else if (this.#values.has(given)) {
        this.refuse(given, texts.parameterRepeated);
      } else this.#values.set(given, value);
    }
  }

  get isValid(): boolean {
    return Object.keys(this.errors).length === 0;
  }

  refuse(parameter: string, message: Message): void {
    (this.errors[parameter] ??= []).push(message);
  }

  has(name: Name): boolean {
    return this.#values.has(name);
  }

  text(name: Name): string | undefined {
    return this.#values.get(name);
  }

  /** @param initial the value if the parameter is not given */
  integer(name: Name, initial: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === undefined) return initial;
    const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : -1;
    if (number >= min && number <= max) return number;
    this.refuse(name, texts.notInRange({ min, max }));
    return initial;
  }

  /** @returns undefined if it is not given */
  oneOf<Value extends string>(name: Name, values: readonly Value[]): Value | undefined {
    const text = this.text(name);
    const value = values.find((known) => known === text);
    if (text !== undefined && value === undefined) {
      this.refuse(name, texts.notAnOption({ options: values.join(', ') }));
    }
    return value;
  }

  boolean(name: Name, initial: boolean): boolean {
    const text = this.text(name) ?? String(initial);
    if (text !== 'true' && text !== 'false') this.refuse(name, texts.notABoolean);
    return text === 'true' || (text !== 'false' && initial);
  }
}
