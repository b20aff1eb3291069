import * as texts from '#messages/service/records.ts';
import type { Database } from '#server/database/database.ts';
import { formBody } from '#server/http/form.ts';
import { type Answer, type AnyRoute, definePreparedRoute, defineRead } from '#server/http/route.ts';
import * as answers from '#shared/contract/answers.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { SIGNATURE_BYTES } from '#server/http/content-signatures.ts';
import { fileHeaders, headersOfContent } from '#server/http/file-headers.ts';
import type { FileStore } from '../files/file-store.ts';
import { filesByRevision, readRemovedBefore, type StoredFile } from '../files/files.service.ts';
import { getRecord } from '../records/records.service.ts';
import { recordIdOf, writerOf } from '../records/write-request.ts';
import { DESCRIBED_DOCUMENT_FORM, readDocumentForm, type DocumentForm } from './document-form.ts';
import { createDocument, createRevision, type RevisionFile } from './new-revision.service.ts';
import { answerRecord } from '../checks/answer-record.ts';
import { zipOf } from './zip-of-files.ts';

const DOCUMENTS = '{archives}/:archive/documents';
const REVISION = `${DOCUMENTS}/:revisionId`;

/** The common part of calls that store a form. */
const STORING = {
  method: 'POST',
  target: 'archive',
  access: 'write',
  body: formBody,
  form: DESCRIBED_DOCUMENT_FORM,
  answer: answers.revisionsAnswer,
  status: 201,
} as const;

/** The calls that upload documents and download files (docs/interface/decisions.md, section 6). */
export function fileRoutes(store: FileStore): AnyRoute[] {
  return [
    fileRoute(store, 'file', { summary: 'The first file of a revision' }, ([first]) => first),
    fileRoute(store, 'files/:fileId', { summary: 'One file of a revision' }, (files, id) =>
      files.find((file) => String(file.id) === id),
    ),
    defineRead({
      path: `${REVISION}/files`,
      summary: 'All files of a revision, as a zip',
      target: 'archive',
      answer: 'bytes',
      async handle(db, request) {
        const { target } = request;
        const id = recordIdOf(request);
        const { createdAt } = await getRecord(db, target, id);
        const files = (await filesByRevision(db, target, [id])).get(id) ?? [];
        return {
          bytes: zipOf(store, files, new Date(createdAt)),
          headers: fileHeaders(`${target.name}-${id}.zip`, 'application/zip'),
        };
      },
    }),
    definePreparedRoute({
      ...STORING,
      path: DOCUMENTS,
      summary: 'Store a new document with its first revision',
      async prepare(database, request) {
        const form = readDocumentForm(request.body);
        const files = await storeFiles(database, store, form);
        const writer = writerOf(request);
        return async (db) => {
          const created = await createDocument(db, request.target, writer, { ...form, files });
          return answerRecord(db, request.target, created);
        };
      },
    }),
    definePreparedRoute({
      ...STORING,
      path: REVISION,
      summary: 'Store a new revision of a document',
      description: 'Values that are not sent are copied from the revision in the address.',
      async prepare(database, request) {
        const form = readDocumentForm(request.body);
        const id = recordIdOf(request);
        const files = await storeFiles(database, store, form);
        const writer = writerOf(request);
        const revision = { ...form, files, revisionId: id, ifMatch: request.ifMatch };
        return async (db) => {
          const created = await createRevision(db, request.target, writer, revision);
          return answerRecord(db, request.target, created);
        };
      },
    }),
  ];
}

/** The call that downloads one of a revision's files. */
function fileRoute(
  store: FileStore,
  path: string,
  { summary }: { readonly summary: string },
  choose: (files: readonly StoredFile[], fileId: string) => StoredFile | undefined,
): AnyRoute {
  return defineRead({
    path: `${REVISION}/${path}`,
    summary,
    target: 'archive',
    answer: 'bytes',
    async handle(db, request) {
      const { target, params } = request;
      const id = recordIdOf(request);
      await getRecord(db, target, id);
      const files = (await filesByRevision(db, target, [id])).get(id) ?? [];
      const file = choose(files, params['fileId'] ?? '');
      if (!file) throw new ApiError('not_found', texts.noFile);
      return fileAnswer(store, file);
    },
  });
}

/** Before the transaction: the response is sent when both bytes and commit are durable. */
async function storeFiles(
  database: Database,
  store: FileStore,
  { files, errors }: DocumentForm,
): Promise<RevisionFile[]> {
  if (files.length === 0 || Object.keys(errors).length > 0) return [];
  const digests = files.map(({ sha256 }) => sha256);
  const removed = await database.read((db) => readRemovedBefore(db, digests));
  const kept: RevisionFile[] = [];
  for (const file of files) {
    const { name, contentType, size, sha256 } = file;
    const location = await store.put(file);
    const removedBefore = removed.get(sha256) ?? null;
    kept.push({ name, contentType, size, sha256, location, removedBefore });
  }
  return kept;
}

function fileAnswer(
  store: FileStore,
  { name, contentType, size, sha256, location }: StoredFile,
): Answer {
  return {
    bytes: {
      size,
      etag: `"${sha256}"`,
      open: (range) => store.open(location, range),
      startHeaders: {
        bytes: SIGNATURE_BYTES,
        of: (start) => headersOfContent(name, contentType, start),
      },
    },
    headers: fileHeaders(name, contentType),
  };
}
