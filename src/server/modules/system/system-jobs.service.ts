import { hostname } from 'node:os';
import { resolve } from 'node:path';
import * as texts from '#messages/service/system.ts';
import type { Transaction } from '#server/database/database.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { BackupEntry, SystemJobEntry } from '#shared/contract/system-jobs.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { readBulkEditsUnderWay } from '../bulk-edits/bulk-edits-under-way.ts';
import { readDefinitionJobs } from '../definition-jobs/job-list.ts';
import { recordSystemHistory, type Actor } from '../history/history.service.ts';
import { backupDirectory, findBackup, listBackups, type BackupFile } from './backup-directory.ts';
import * as store from './system-jobs.store.ts';

const MAX_JOBS = 20;

/** A job in the form of the answer. */
function presentJob(job: store.SystemJob): SystemJobEntry {
  return {
    jobId: String(job.id),
    kind: job.kind,
    backup: job.backup,
    state: job.isInterrupted ? 'failed' : job.state,
    progress: job.progress,
    result: job.result,
    error: job.isInterrupted ? texts.interrupted : job.error,
    startedBy: job.actor.username,
    startedAt: isoTime(job.createdAt),
    finishedAt: isoTime(job.finishedAt),
  };
}

/** All background jobs, running and recent. */
export async function answerJobs(db: Transaction) {
  const last = await store.readLastVerification(db);
  return {
    jobs: (await store.readJobs(db, MAX_JOBS)).map(presentJob),
    definitionJobs: await readDefinitionJobs(db, MAX_JOBS),
    bulkEdits: await readBulkEditsUnderWay(db),
    lastVerification: last ? presentJob(last) : null,
  };
}

/** @throws {ApiError} 409 while another one runs */
export async function addJob(
  db: Transaction,
  job: Pick<store.SystemJob, 'kind' | 'backup' | 'actor'>,
  owner: string,
): Promise<SystemJobEntry> {
  const newest = await store.readJobs(db, MAX_JOBS);
  const isActive = newest.some(
    ({ state, isInterrupted }) => (state === 'running' || state === 'cancelling') && !isInterrupted,
  );
  if (isActive) throw new ApiError('conflict', texts.jobRunning);
  return presentJob(await store.insertSystemJob(db, job, owner));
}

/** @throws {ApiError} 404 */
export async function cancelSystemJob(db: Transaction, id: number): Promise<void> {
  if (!(await store.readSystemJob(db, id))) throw new ApiError('not_found', texts.noJob);
  await store.markCancelling(db, id);
}

/** The backups on this machine, with their known properties. */
export async function answerBackups(db: Transaction, dataDir: string) {
  const files = await listBackups(dataDir);
  const jobs = await store.readJobsOfBackups(
    db,
    files.map(({ name }) => name),
  );
  return {
    backups: files.map((file) => presentBackup(file, jobs)),
    host: hostname(),
    directory: resolve(backupDirectory(dataDir)),
  };
}

function presentBackup(
  { name, bytes, at }: BackupFile,
  jobs: readonly store.SystemJob[],
): BackupEntry {
  const made = jobs.find(({ kind, backup }) => kind === 'backup' && backup === name);
  const check = jobs.find(
    ({ kind, backup, finishedAt, state }) =>
      kind === 'backup-check' && backup === name && finishedAt !== null && state !== 'cancelled',
  );
  return {
    name,
    bytes,
    createdAt: isoTime(made?.createdAt ?? at.valueOf()),
    createdBy: made?.actor.username ?? null,
    missing: check?.result?.missing ?? made?.result?.missing ?? null,
    checkedAt: check?.finishedAt ? isoTime(check.finishedAt) : null,
    problem: check?.error ?? null,
  };
}

/** @throws {ApiError} 404 */
export async function requireBackup(dataDir: string, name: string): Promise<BackupFile> {
  const found = await findBackup(dataDir, name);
  if (!found) throw new ApiError('not_found', texts.noBackup({ name }));
  return found;
}

/** Adds to the audit that a user has downloaded or deleted a backup. */
export function recordBackup(
  db: Transaction,
  { userId, username, address, call }: Actor,
  name: string,
  action: 'change' | 'delete',
): Promise<void> {
  return recordSystemHistory(db, { userId, username, address, call }, Date.now(), {
    scope: 'system',
    kind: action,
    rowId: 0,
    before: action === 'delete' ? { backup: name } : null,
    after: action === 'delete' ? null : { downloaded: name },
  });
}
