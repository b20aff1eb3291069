import * as texts from '#messages/service/cli.ts';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Environment } from './arguments.ts';

export interface NewPassword {
  readonly password: string;
  readonly generated: boolean;
}

/** A random password without letters that look alike. */
export function generatePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  return [...randomBytes(20)].map((byte) => letters[byte % letters.length]).join('');
}

/**
 * The password for a user: from the environment or the terminal; without a terminal it is generated.
 * @throws {Error} if the two inputs differ
 */
export async function obtainPassword(
  environment: Environment,
  username: string,
): Promise<NewPassword> {
  const given = environment['INDEXDESK_USER_PASSWORD'];
  if (given !== undefined && given !== '') return { password: given, generated: false };
  if (!process.stdin.isTTY) return { password: generatePassword(), generated: true };
  const password = await ask(texts.newPassword(username));
  if ((await ask(texts.onceMore)) !== password) throw new Error('The two passwords differ.');
  return { password, generated: false };
}

/** Asks on the terminal without echo. */
async function ask(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  try {
    return await terminal.question('', { signal: whenInterrupted(terminal) });
  } catch (error) {
    throw new Error('Nothing was changed.', { cause: error });
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

function whenInterrupted(terminal: ReturnType<typeof createInterface>): AbortSignal {
  const controller = new AbortController();
  for (const event of ['SIGINT', 'close']) terminal.once(event, () => controller.abort());
  return controller.signal;
}
