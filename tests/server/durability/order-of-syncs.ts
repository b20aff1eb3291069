import { dirname } from 'node:path';
import { bytesOf, pathsOf, targetOf, type SystemCall } from './tracing.ts';

/** A write that was answered, as its token marks it. */
export interface AnsweredWrite {
  readonly token: string;
  /** whether a file came with it, which holds the token too */
  readonly withFile: boolean;
}

/** What left too early, by the rule that it breaks. */
export interface Violation {
  readonly rule: 'commit' | 'file' | 'directory';
  readonly token: string;
  readonly what: string;
}

/**
 * Finds answers that left before what they tell of was on the disk. A write is on the disk when the
 * write-ahead log was synced after the frame that commits its transaction (the first whose pages hold its
 * token); its file has to be there, under its last name, before that frame is written at all.
 * @throws {Error} where the trace does not show an answer or a transaction that has to be in it
 */
export function findViolations(
  calls: readonly SystemCall[],
  writes: readonly AnsweredWrite[],
): Violation[] {
  const done = calls.filter(({ result }) => result >= 0);
  const frames = framesOf(done);
  const answers = calls.filter((call) => /^(?:TCP|socket)/.test(targetOf(call) ?? ''));
  const violations: Violation[] = [];
  for (const { token, withFile } of writes) {
    const answer = answers.find(({ args }) => args.includes(token));
    if (!answer) throw new Error(`The trace shows no answer with ${token}.`);
    const first = frames.findIndex(({ page }) => page.args.includes(token));
    const commit = frames.find(({ isCommit }, i) => first >= 0 && i >= first && isCommit);
    if (!commit) throw new Error(`The trace shows no transaction with ${token}.`);
    const log = targetOf(commit.page);
    if (!isSynced(done, log, commit.page.end, answer.begin)) {
      violations.push({ rule: 'commit', token, what: 'The log was not synced before the answer.' });
    }
    if (withFile) violations.push(...fileViolations(done, token, commit.header.begin));
  }
  return violations;
}

interface Frame {
  readonly header: SystemCall;
  readonly page: SystemCall;
  readonly isCommit: boolean;
}

/** The frames of the write-ahead log: 24 bytes of header, then the page (sqlite.org/fileformat2.html, 4.1). */
function framesOf(calls: readonly SystemCall[]): Frame[] {
  const frames: Frame[] = [];
  let header: SystemCall | undefined;
  for (const call of calls) {
    if (call.name !== 'pwrite64' || !targetOf(call)?.endsWith('-wal')) continue;
    if (call.result === 24) {
      header = call;
    } else if (header) {
      // Bytes 4 to 7: the size of the database after the commit, 0 in frames that commit nothing.
      const isCommit = bytesOf(header).readUInt32BE(4) !== 0;
      frames.push({ header, page: call, isCommit });
      header = undefined;
    }
  }
  return frames;
}

/** The file's bytes, its name and the names of directories that were made for it. */
function fileViolations(calls: readonly SystemCall[], token: string, before: number): Violation[] {
  const writes = calls.filter(
    (call) =>
      /^(?:write|pwrite)/.test(call.name) &&
      targetOf(call)?.includes('/files/') &&
      call.args.includes(token),
  );
  const last = writes.at(-1);
  const received = last && targetOf(last);
  if (!last || received === undefined) throw new Error(`The trace shows no file with ${token}.`);
  const violations: Violation[] = [];
  if (!isSynced(calls, received, last.end, before)) {
    violations.push({ rule: 'file', token, what: 'The file was not synced before the commit.' });
  }
  const naming = calls.find(
    (call) => /^(?:rename|link)/.test(call.name) && pathsOf(call)[0] === received,
  );
  const name = naming && pathsOf(naming)[1];
  if (!naming || name === undefined) throw new Error(`The file with ${token} was given no name.`);
  if (!isSynced(calls, dirname(name), naming.end, before)) {
    violations.push({
      rule: 'directory',
      token,
      what: 'The name was not synced before the commit.',
    });
  }
  for (const made of calls) {
    const [path = ''] = pathsOf(made);
    if (!made.name.startsWith('mkdir') || made.end > naming.begin) continue;
    if (!name.startsWith(`${path}/`) || isSynced(calls, dirname(path), made.end, before)) continue;
    violations.push({ rule: 'directory', token, what: `The name of ${path} was not synced.` });
  }
  return violations;
}

/** Whether a file or directory was synced wholly within a span of the trace. */
function isSynced(
  calls: readonly SystemCall[],
  path: string | undefined,
  after: number,
  before: number,
): boolean {
  return calls.some(
    (call) =>
      (call.name === 'fsync' || call.name === 'fdatasync') &&
      targetOf(call) === path &&
      call.begin > after &&
      call.end < before,
  );
}
