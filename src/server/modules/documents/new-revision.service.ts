import type { Transaction } from '#server/database/database.ts';
import { readRecord } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { changedFields, copyExceptions } from '#server/database/records/check-exceptions.ts';
import {
  lockRevisionsOfDocument,
  newestRevision,
} from '#server/database/records/document-revisions.ts';
import { EntryErrors } from '#shared/contract/errors.ts';
import type { MessagesByPath } from '#shared/messages/message.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { fullCollectionOf } from '#server/database/records/collection-view.ts';
import { addFiles, filesByRevision, filesChange, type NewFile } from '../files/files.service.ts';
import {
  noRecord,
  planCreations,
  singleRecord,
  readForWriting,
  type SentRecord,
  type Writer,
} from '../records/records.service.ts';
import { executePlan } from '../records/write-plan.ts';
import { SINGLE_PATHS } from './documents.service.ts';

/** A stored file. */
export type RevisionFile = Omit<NewFile, 'rowId' | 'position'>;

/** The content of a form with a new revision. */
interface NewContent {
  readonly sent: SentRecord;
  readonly files: readonly RevisionFile[];
  /** what is wrong with the form itself, by path */
  readonly errors: Readonly<MessagesByPath>;
}

/**
 * Creates a document with its first revision.
 * @returns the revision
 * @throws {ApiError} 422
 */
export function createDocument(
  db: Transaction,
  archive: Archive,
  writer: Writer,
  { sent, files, errors }: NewContent,
): Promise<StoredRecord> {
  const fullCollection = fullCollectionOf(archive);
  const initial = {
    values: fullCollection.fields.map(() => null),
    keywords: fullCollection.keywordFields.map(() => []),
  };
  const document = { documentId: null, revision: 1 };
  return create(db, archive, writer, { sent, initial, document, files }, new EntryErrors(errors));
}

interface RevisionToAdd extends NewContent {
  readonly revisionId: number;
  /** the expected version of that revision; null: any */
  readonly ifMatch: string | null;
}

/**
 * Creates a new revision of a revision's document; index fields, keyword fields and files that are not given are copied
 * from it. The document's revisions are locked before it is read, so that it cannot change in between.
 * @throws {ApiError} 404; 423 if another user has locked that revision; 412; 422
 */
export async function createRevision(
  db: Transaction,
  archive: Archive,
  writer: Writer,
  { revisionId, sent, files, errors: ofForm, ifMatch }: RevisionToAdd,
): Promise<StoredRecord> {
  await lockRevisionsOfDocument(db, archive, revisionId);
  // Of this run: the transaction may be repeated.
  const errors = new EntryErrors(ofForm);
  const target = { id: revisionId, paths: SINGLE_PATHS, ifMatch };
  const found = await readForWriting(db, archive, writer, [target], errors);
  const base = found.get(revisionId);
  if (!base) throw noRecord(archive, revisionId);
  const documentId = base.document?.documentId ?? revisionId;
  const revision = (await newestRevision(db, archive, documentId)) + 1;
  const copied =
    files.length > 0
      ? files
      : ((await filesByRevision(db, archive, [revisionId])).get(revisionId) ?? []);
  const added = { sent, initial: base, document: { documentId, revision }, files: copied };
  const created = await create(db, archive, writer, added, errors);
  const fullCollection = fullCollectionOf(archive);
  const after = await readRecord(db, fullCollection, created.id);
  const changed = after ? changedFields(fullCollection, [{ before: base, after }]) : [];
  await copyExceptions(db, fullCollection, base.id, created.id, changed);
  return created;
}

interface NewRevision {
  readonly sent: SentRecord;
  /** the source of values that are not sent */
  readonly initial: Pick<StoredRecord, 'values' | 'keywords'>;
  /** the document's id is null if it is its first revision */
  readonly document: { readonly documentId: number | null; readonly revision: number };
  readonly files: readonly RevisionFile[];
}

async function create(
  db: Transaction,
  archive: Archive,
  writer: Writer,
  { sent, initial, document, files }: NewRevision,
  errors: EntryErrors,
): Promise<StoredRecord> {
  const names = files.map(({ name }) => name);
  const { documentId, revision } = document;
  const otherChanges = [
    // A first revision's document has the revision's own number.
    ...(documentId === null
      ? []
      : [
          { name: 'document.documentId', before: null, after: String(documentId) },
          { name: 'document.revision', before: null, after: revision },
        ]),
    ...(names.length > 0 ? [filesChange([], names)] : []),
  ];
  const entry = { paths: SINGLE_PATHS, sent, initial, document, otherChanges };
  const plan = await planCreations(db, archive, writer, [entry], { single: true, errors });
  const record = singleRecord(await executePlan(db, plan));
  const added = files.map((file, position) => ({ ...file, rowId: record.id, position }));
  await addFiles(db, archive, added);
  return record;
}
