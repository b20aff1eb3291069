import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';

/** A process of the benchmark's own that answers one message at a time. */
export interface Child {
  readonly pid: number;
  /** @throws {Error} with what it could not do */
  ask(message: object): Promise<unknown>;
  stop(): Promise<void>;
}

const answerSchema = z.union([z.object({ answer: z.unknown() }), z.object({ error: z.string() })]);

/**
 * Starts a script of this folder.
 * @param under a program and its arguments that starts it in its own place
 */
export function startChild(script: string, under: readonly string[] = []): Child {
  const [program, ...args] = [...under, process.execPath, join(import.meta.dirname, script)];
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exit = once(child, 'exit');
  const ended = exit.then(([code]) => {
    throw new Error(`${script} ended with ${code}.`);
  });
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    async ask(message) {
      child.send(message);
      const [said] = await Promise.race([once(child, 'message'), ended]);
      const read = answerSchema.parse(said);
      if ('error' in read) throw new Error(`${script}: ${read.error}`);
      return read.answer;
    },
    async stop() {
      child.kill();
      await exit;
    },
  };
}

/** Answers what the parent asks, and ends with it. To be called by the script itself. */
export function answerParent(answer: (message: unknown) => Promise<unknown>): void {
  process.on('message', (message) => {
    answer(message).then(
      (answer) => process.send?.({ answer }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
