/** A parameter of a message, as it is sent in JSON. */
type MessageParam =
  | string
  | number
  | boolean
  | null
  | readonly (string | number | boolean | null)[];

/** A message without its text: what another program needs to express it in another language. */
export interface CodedMessage {
  /** the subject and the name of the entry in the catalogue: `values.required` */
  readonly code: string;
  readonly params: Readonly<Record<string, MessageParam>>;
}

/** A message with its code, and its text in the language of this program (the service's is English). */
export interface Message extends CodedMessage {
  readonly message: string;
}

/** Messages by the path of what they are about, such as a field or a parameter. */
export type MessagesByPath = Record<string, Message[]>;

/** An entry of the catalogue that makes messages from parameters. */
export interface MessageEntry<Params> {
  (params: Params): Message;
  readonly code: string;
}

/**
 * Defines an entry of the catalogue whose code and parameters are sent with its text, such as an error of the service:
 * export const required = coded('values.required', 'A value is required.');
 * export const atLeast = coded('values.atLeast', ({ min }: { min: number }) => `The value must be at least ${min}.`);
 * @param code the name of the file and of the entry, which never changes: other programs depend on it
 */
export function coded(code: string, text: string): Message;
export function coded<Params extends CodedMessage['params']>(
  code: string,
  text: (params: Params) => string,
): MessageEntry<Params>;
/* @__NO_SIDE_EFFECTS__ */
export function coded<Params extends CodedMessage['params']>(
  code: string,
  text: string | ((params: Params) => string),
): Message | MessageEntry<Params> {
  if (typeof text === 'string') return { code, params: {}, message: text };
  return Object.assign((params: Params) => ({ code, params, message: text(params) }), { code });
}
