import { userInfo } from 'node:os';
import type { Actor } from '#server/modules/history/history.service.ts';

/**
 * Who runs a command, for the history: the user of the operating system, told apart from those of the service.
 * @param call the command with what names its subject, never with a password
 */
export function commandActor(call: string): Actor {
  return { userId: null, username: `${systemUser()} (command line)`, address: null, call };
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have a number alone.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
