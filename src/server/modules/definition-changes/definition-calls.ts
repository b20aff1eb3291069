import type { CollectionKind } from '#shared/rules/names.ts';
import type { CollectionRef } from '#server/database/records/columns.ts';
import * as definitionTexts from '#messages/service/definitions.ts';
import * as texts from '#messages/service/http.ts';
import type * as z from 'zod';
import type { Message } from '#shared/messages/message.ts';
import { requireValid } from '#server/http/query.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import {
  FOR_ADMINISTRATORS,
  type Answer,
  type PathParams,
  type RouteRequest,
} from '#server/http/route.ts';
import {
  changeArchiveBody,
  changeTableBody,
  createArchiveBody,
  createTableBody,
  type RequestedDefinition,
} from '#shared/contract/configuration-bodies.ts';
import {
  changedArchivesAnswer,
  changedTablesAnswer,
  definedArchivesAnswer,
  definedTablesAnswer,
} from '#shared/contract/configuration-definitions.ts';
import { etagOf } from '#shared/contract/etags.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { QueryReader, type QueryParameters } from '#shared/rules/query-reader.ts';
import { writerOf } from '../records/write-request.ts';
import { answerJob, changeByJob, previewChange } from './change.service.ts';
import { DefinitionChanged } from '../definitions/definitions.service.ts';
import {
  findDefinition,
  requireStoredDefinition,
  type StoredDefinition,
} from '../definitions/stored-definitions.ts';
import type { DefinitionJobRunner } from '../definition-jobs/job-runner.ts';
import type { DefinitionJob } from '../definition-jobs/job-rows.ts';
import { presentArchive, presentTable } from '../definitions/present-definition.ts';

type CreateBody =
  | { readonly archive: RequestedDefinition }
  | { readonly table: RequestedDefinition };
type ChangeBody = CreateBody & { readonly onMisfit?: 'keep' | undefined };

/** The differences between the calls about archives and those about tables. */
export const KINDS: Readonly<Record<CollectionKind, KindOfCalls>> = {
  archive: {
    path: 'configuration/archives',
    onePath: 'configuration/archives/:archive',
    parameter: 'archive',
    answer: definedArchivesAnswer,
    changedAnswer: changedArchivesAnswer,
    createBody: createArchiveBody,
    changeBody: changeArchiveBody,
    many: 'archives',
    missing: texts.noArchive,
    present: presentArchive,
  },
  table: {
    path: 'configuration/tables',
    onePath: 'configuration/tables/:guid',
    parameter: 'guid',
    answer: definedTablesAnswer,
    changedAnswer: changedTablesAnswer,
    createBody: createTableBody,
    changeBody: changeTableBody,
    many: 'tables',
    missing: texts.noTable,
    present: presentTable,
  },
};

interface KindOfCalls {
  readonly path: string;
  readonly onePath: string;
  /** of the path: the name or GUID */
  readonly parameter: string;
  readonly answer: z.core.$ZodType;
  readonly changedAnswer: z.core.$ZodType;
  readonly createBody: z.ZodType<CreateBody>;
  readonly changeBody: z.ZodType<ChangeBody>;
  /** the key of answers */
  readonly many: string;
  readonly missing: Message;
  readonly present: (db: Transaction, definition: StoredDefinition) => Promise<unknown>;
}

/** The definition in a body. */
export function requestedIn(body: CreateBody): RequestedDefinition {
  return 'archive' in body ? body.archive : body.table;
}

/** The common part of calls that change definitions. */
export const CHANGING = { ...FOR_ADMINISTRATORS, access: 'manage' } as const;

/** A parameter of calls that is `true` or `false`, the default. */
export function flagParameter(name: string, description: string) {
  /** @throws {ApiError} 400 of the query */
  const read = (query: QueryParameters): boolean => {
    const reader = new QueryReader(query, [name]);
    const isSet = reader.boolean(name, false);
    requireValid(reader);
    return isSet;
  };
  const schema = { type: 'string', enum: ['true', 'false'] };
  return { read, ofRoute: { parameters: { [name]: { description, schema } }, checkQuery: read } };
}

/** Whether a change is only to be previewed. */
export const DRY_RUN = flagParameter(
  'dryRun',
  '`true`: nothing changes, and the answer is the plan',
);

export type Request = RouteRequest<'none', unknown>;

/**
 * Previews or applies a change of a definition.
 * @throws {ApiError} 400 of the query; 404; 412; 428; and what the change is refused with
 */
export async function answerRequestedChange(
  database: Database,
  runner: DefinitionJobRunner,
  kind: CollectionKind,
  request: Request,
  {
    wanted,
    onMisfit,
  }: { readonly wanted: RequestedDefinition; readonly onMisfit?: 'keep' | undefined },
): Promise<(db: Transaction) => Promise<Answer>> {
  const isDryRun = DRY_RUN.read(request.query);
  const { ifMatch } = request;
  const { id } = await definitionOf(database, kind, request);
  const keepsMisfits = onMisfit === 'keep';
  const change = { kind, id, wanted, keepsMisfits, actor: writerOf(request), ifMatch };
  if (isDryRun) {
    const plan = await rejectIfChanged(database, change, () => previewChange(database, change));
    return () => Promise.resolve({ body: { plan } });
  }
  if (ifMatch === null) throw new ApiError('precondition_required', definitionTexts.ifMatchMissing);
  return answerChange(database, change, () => changeByJob(database, runner, change));
}

/** Answers the job that changes a definition if it has not ended; else the changed definition, or `done`. */
export async function answerChange(
  database: Database,
  { kind, id }: CollectionRef,
  work: () => Promise<DefinitionJob | null>,
  done = async (db: Transaction): Promise<Answer> =>
    answerOne(db, kind, await requireStoredDefinition(db, kind, id)),
): Promise<(db: Transaction) => Promise<Answer>> {
  const job = await rejectIfChanged(database, { kind, id }, work);
  if (!job) return done;
  return () => Promise.resolve({ status: 202, body: { jobs: [answerJob(job)] } });
}

/** @throws {ApiError} 412 with the definition if it has another version than the caller expects */
async function rejectIfChanged<Result>(
  database: Database,
  { kind, id }: CollectionRef,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DefinitionChanged)) throw error;
    const current = await database.read(async (db) =>
      KINDS[kind].present(db, await requireStoredDefinition(db, kind, id)),
    );
    throw new ApiError('changed_meanwhile', definitionTexts.changedMeanwhile, { current });
  }
}

export async function answerOne(
  db: Transaction,
  kind: CollectionKind,
  one: StoredDefinition,
): Promise<Answer> {
  return {
    body: await presentDefinitions(db, kind, [one]),
    headers: { etag: etagOf(one.state.version) },
  };
}

export async function presentDefinitions(
  db: Transaction,
  kind: CollectionKind,
  definitions: readonly StoredDefinition[],
) {
  const { many, present } = KINDS[kind];
  const presented = [];
  for (const definition of definitions) presented.push(await present(db, definition));
  return { [many]: presented };
}

/** The common part of calls about one definition. */
export function aboutDefinition(kind: CollectionKind) {
  return {
    checkPath: (db: Transaction, params: PathParams) => requireDefinition(db, kind, params),
  };
}

/** The definition that the path names. @throws {ApiError} 404 */
export function definitionOf(
  database: Database,
  kind: CollectionKind,
  { params }: Pick<Request, 'params'>,
): Promise<StoredDefinition> {
  return database.read((db) => requireDefinition(db, kind, params));
}

/** The same in a transaction. @throws {ApiError} 404 */
export async function requireDefinition(
  db: Transaction,
  kind: CollectionKind,
  params: PathParams,
): Promise<StoredDefinition> {
  const { parameter, missing } = KINDS[kind];
  const found = await findDefinition(db, kind, params[parameter] ?? '');
  if (!found) throw new ApiError('not_found', missing);
  return found;
}
