import { viewIsReadOnly } from '#messages/service/http.ts';
import * as texts from '#messages/service/system.ts';
import type { Database } from '#server/database/database.ts';
import {
  type AnyRoute,
  definePreparedRoute,
  defineRead,
  FOR_ADMINISTRATORS,
} from '#server/http/route.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { countedIdSchema } from '#shared/contract/requests.ts';
import { backupsAnswer, systemJobAnswer, systemJobsAnswer } from '#shared/contract/system-jobs.ts';
import { idParameter } from '../records/write-request.ts';
import { deleteBackup, newBackupName, openBackupFile } from './backup-directory.ts';
import type { SystemJobRunner } from './system-jobs.runner.ts';
import {
  addJob,
  answerBackups,
  answerJobs,
  cancelSystemJob,
  recordBackup,
  requireBackup,
} from './system-jobs.service.ts';

const BACKUPS = 'configuration/system/backups';
const BACKUP = `${BACKUPS}/:name`;
const WRITE = { ...FOR_ADMINISTRATORS, access: 'manage' } as const;

/** Backups and checks as jobs, and all other background jobs (docs/interface/administration.md, section 5). */
export function systemJobRoutes(
  database: Database,
  dataDir: string,
  runner: SystemJobRunner,
): AnyRoute[] {
  return [
    ...jobRoutes(database, runner),
    ...backupRoutes(database, dataDir, runner),
    ...backupFileRoutes(database, dataDir),
  ];
}

/** Adds a job in its own transaction, after which it starts. */
async function startJob(
  database: Database,
  runner: SystemJobRunner,
  job: Parameters<typeof addJob>[1],
) {
  const added = await database.write((db) => addJob(db, job, runner.owner));
  runner.wake();
  return async () => ({ body: { jobs: [added] } });
}

function jobRoutes(database: Database, runner: SystemJobRunner): AnyRoute[] {
  return [
    defineRead({
      ...FOR_ADMINISTRATORS,
      path: 'configuration/system/jobs',
      summary: 'Running and recent jobs: backups, checks, changes of definitions and batches',
      answer: systemJobsAnswer,
      handle: async (db) => ({ body: await answerJobs(db) }),
    }),
    definePreparedRoute({
      ...WRITE,
      method: 'DELETE',
      path: 'configuration/system/jobs/:jobId',
      summary: 'Cancel a backup or check',
      answer: null,
      async prepare(_database, { params }) {
        const id = idParameter(countedIdSchema, params['jobId'], texts.noJob);
        await database.write((db) => cancelSystemJob(db, id));
        runner.wake();
        return async () => ({});
      },
    }),
    definePreparedRoute({
      ...WRITE,
      method: 'POST',
      path: 'configuration/system/verifications',
      summary: 'Verify the whole installation, as `indexdesk verify` does',
      description: 'The answer is a job (202), or 409 while another backup or check runs.',
      answer: systemJobAnswer,
      status: 202,
      prepare: (_database, { caller, call }) =>
        startJob(database, runner, {
          kind: 'verification',
          backup: null,
          actor: { ...caller, call },
        }),
    }),
  ];
}

/** Listing, creating and checking backups. */
function backupRoutes(database: Database, dataDir: string, runner: SystemJobRunner): AnyRoute[] {
  return [
    defineRead({
      ...FOR_ADMINISTRATORS,
      path: BACKUPS,
      summary: 'The backups on the machine of the answering process',
      answer: backupsAnswer,
      handle: async (db) => ({ body: await answerBackups(db, dataDir) }),
    }),
    definePreparedRoute({
      ...WRITE,
      method: 'POST',
      path: BACKUPS,
      summary: 'Create a backup, as `indexdesk backup` does',
      description: 'The answer is a job (202), or 409 while another backup or check runs.',
      answer: systemJobAnswer,
      status: 202,
      prepare: (_database, { caller, call }) =>
        startJob(database, runner, {
          kind: 'backup',
          backup: newBackupName(new Date()),
          actor: { ...caller, call },
        }),
    }),
    definePreparedRoute({
      ...WRITE,
      method: 'POST',
      path: `${BACKUP}/checks`,
      summary: 'Check that a backup is complete, as `indexdesk restore --check` does',
      description: 'The answer is a job (202), or 409 while another backup or check runs.',
      answer: systemJobAnswer,
      status: 202,
      async prepare(_database, { caller, call, params }) {
        const { name } = await requireBackup(dataDir, params['name'] ?? '');
        return startJob(database, runner, {
          kind: 'backup-check',
          backup: name,
          actor: { ...caller, call },
        });
      },
    }),
  ];
}

/** Downloading and deleting the file of a backup. */
function backupFileRoutes(database: Database, dataDir: string): AnyRoute[] {
  return [
    defineRead({
      ...FOR_ADMINISTRATORS,
      path: BACKUP,
      summary: 'Download a backup',
      description: 'Each download is recorded in the audit.',
      answer: 'bytes',
      cost: 'heavy',
      async handle(_db, { caller, call, params }) {
        if (caller.viewer) throw new ApiError('forbidden', viewIsReadOnly);
        const { name, bytes, at } = await requireBackup(dataDir, params['name'] ?? '');
        return {
          bytes: {
            size: bytes,
            etag: `"${bytes}-${at.valueOf()}"`,
            async open(range) {
              await database.write((db) => recordBackup(db, { ...caller, call }, name, 'change'));
              return openBackupFile(dataDir, name, range);
            },
          },
          headers: {
            'content-type': 'application/x-tar',
            'content-disposition': `attachment; filename="${name}"`,
          },
        };
      },
    }),
    definePreparedRoute({
      ...WRITE,
      method: 'DELETE',
      path: BACKUP,
      summary: 'Delete a backup',
      answer: null,
      idempotency: 'none',
      async prepare(_database, { caller, call, params }) {
        const { name } = await requireBackup(dataDir, params['name'] ?? '');
        // Committed first: nothing can be deleted without its entry in the audit, or by a transaction that fails.
        await database.write((db) => recordBackup(db, { ...caller, call }, name, 'delete'));
        await deleteBackup(dataDir, name);
        return async () => ({});
      },
    }),
  ];
}
