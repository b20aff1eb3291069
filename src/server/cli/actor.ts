import { userInfo } from 'node:os';
import type { Actor } from '#server/modules/history/history.service.ts';

/**
 * The author of a command in the history: the user of the operating system, marked to differ from users of the service.
 * @param call the command with its subject, never with a password
 */
export function commandActor(call: string): Actor {
  return { userId: null, username: `${systemUser()} (command line)`, address: null, call };
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
