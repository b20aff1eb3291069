import * as texts from '#messages/service/audit.ts';
import { Readable } from 'node:stream';
import type { Database } from '#server/database/database.ts';
import { defineRead, type Answer, type AnyRoute, FOR_ADMINISTRATORS } from '#server/http/route.ts';
import { auditAnswer, auditEntryAnswer } from '#shared/contract/audit.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { fileHeaders } from '#server/http/file-headers.ts';
import { exportCsv, exportJsonl } from './audit-export.ts';
import { AUDIT_PARAMETERS, readAuditQuery } from './audit-query.ts';
import { historyIdSchema } from '#shared/contract/requests.ts';
import { idParameter } from '../records/write-request.ts';
import { answerAuditInWorker, answerEntryInWorker } from './audit.reads.ts';

const CSV = 'text/csv';
const JSONL = 'application/x-ndjson';

/** The calls of the audit (docs/interface/administration.md, section 4). */
export function auditRoutes(): AnyRoute[] {
  return [
    defineRead({
      path: 'configuration/audit',
      summary: 'Everything that happened, newest first',
      description:
        'Data, definitions, users and rights, sign-ins and refusals. `meta.chain` is the end of the hash chain that holds ' +
        'the entries; `meta.pagination.next` continues as `after`. As `csv` or `jsonl` all entries that the filter wants ' +
        'are streamed; the lines of `jsonl` after the entries prove that none was altered (docs/guides/audit.md).',
      ...FOR_ADMINISTRATORS,
      parameters: AUDIT_PARAMETERS,
      answer: auditAnswer,
      fileTypes: [CSV, JSONL],
      async handle(db, { query }) {
        const { filter, format, after, limit } = await readAuditQuery(db, query);
        switch (format) {
          case 'csv':
            return fileAnswer('audit.csv', CSV, (database) => exportCsv(database, filter));
          case 'jsonl':
            return fileAnswer('audit.jsonl', JSONL, (database) => exportJsonl(database, filter));
          case 'json': {
            const body = await answerAuditInWorker(db, filter, after, limit);
            if (!body) throw new ApiError('malformed', { after: [texts.noSuchEntry] });
            return { body };
          }
        }
        return format satisfies never;
      },
    }),
    defineRead({
      path: 'configuration/audit/:historyId',
      summary: 'One entry of the audit, with the state of its record at that time',
      ...FOR_ADMINISTRATORS,
      answer: auditEntryAnswer,
      async handle(db, { params }) {
        const id = idParameter(historyIdSchema, params['historyId'], texts.noSuchEntry);
        const body = await answerEntryInWorker(db, id);
        if (!body) throw new ApiError('not_found', texts.noSuchEntry);
        return { body };
      },
    }),
  ];
}

function fileAnswer(
  name: string,
  type: string,
  bytes: (database: Database) => AsyncIterable<Buffer>,
): Answer {
  return {
    stream: async (database) => Readable.from(bytes(database), { objectMode: false }),
    headers: fileHeaders(name, type),
  };
}
