import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { fastify, type FastifyRequest } from 'fastify';
import * as z from 'zod';
import { answerParent } from '../child.ts';

/*
 * Floors (a) and (b): what Fastify alone answers, and what it does with a token check and the bare statement, one
 * commit per request, on a table without indexes, history, rights and search. A process of its own, as the service.
 */

const TOKEN = 'a token of the floor';
const digest = (token: string) => createHash('sha256').update(token).digest('hex');
const sessions = new Map([[digest(TOKEN), 'clerk']]);
const app = fastify({ logger: false });

const authorised = ({ headers }: FastifyRequest) => {
  const token = /floor=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
  if (!sessions.has(digest(decodeURIComponent(token)))) throw new Error('Who is this?');
};

app.post('/echo', async ({ body }) => body);

type Values = Record<string, SQLInputValue>;
interface Requests {
  Params: { id: string };
  Body: { dataset: Values; indexFields: { name: string; value: SQLInputValue }[] };
}

function serve(prefix: string, file: string, synchronous: 'FULL' | 'NORMAL'): void {
  const database = new DatabaseSync(file, { timeout: 1000 });
  database.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}`);
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const run = (sql: string, values: SQLInputValue[]) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement.run(...values);
  };
  const update = (table: string, id: string, values: Values) => {
    const names = Object.keys(values).map((name) => `${name} = ?`);
    run(`update ${table} set ${names.join(', ')} where id = ?`, [
      ...Object.values(values),
      Number(id),
    ]);
  };
  const change = async (request: FastifyRequest<Requests>) => {
    authorised(request);
    const { body, params } = request;
    const values = Object.fromEntries(body.indexFields.map(({ name, value }) => [name, value]));
    update('revisions', params.id, values);
    return { archivedocumentrevisions: [{ revisionId: params.id, ...body }] };
  };
  app.patch<Requests>(`${prefix}/revisions/:id`, change);
  app.put<Requests>(`${prefix}/revisions/:id`, change);
  app.put<Requests>(`${prefix}/records/:id`, async (request) => {
    authorised(request);
    update('records', request.params.id, request.body.dataset);
    return { datasets: [{ jrid: request.params.id, ...request.body.dataset }] };
  });
  app.post<Requests>(`${prefix}/records`, async (request) => {
    authorised(request);
    const { dataset } = request.body;
    const names = Object.keys(dataset);
    const places = names.map(() => '?').join(', ');
    const { lastInsertRowid } = run(
      `insert into records (${names.join(', ')}) values (${places})`,
      Object.values(dataset),
    );
    return { datasets: [{ jrid: String(lastInsertRowid), ...dataset }] };
  });
}

/** Files that are flushed, named by their digest, and committed as a row each, as the service stores them. */
async function storeFiles(folder: string): Promise<void> {
  await mkdir(folder);
  const database = new DatabaseSync(join(folder, 'files.sqlite'));
  database.exec('pragma journal_mode = wal; pragma synchronous = FULL');
  database.exec('create table files (id integer primary key, digest text not null)');
  const insert = database.prepare('insert into files (digest) values (?)');
  app.addContentTypeParser(
    'application/pdf',
    { parseAs: 'buffer' },
    async (_: unknown, body: Buffer) => body,
  );
  app.post<{ Body: Buffer }>('/files', async ({ body }, reply) => {
    const received = join(folder, randomUUID());
    const file = await open(received, 'wx');
    await file.writeFile(body);
    await file.sync();
    await file.close();
    const name = createHash('sha256').update(body).digest('hex');
    const directory = join(folder, name.slice(0, 2));
    await mkdir(directory, { recursive: true });
    await rename(received, join(directory, name));
    const entries = await open(directory);
    await entries.sync();
    await entries.close();
    const { lastInsertRowid } = insert.run(name);
    return reply.code(201).send({ id: String(lastInsertRowid) });
  });
}

const askedSchema = z.object({
  /** the database of the statements */
  file: z.string().optional(),
  /** what `/answer/NAME` answers as JSON */
  answers: z.record(z.string(), z.unknown()).optional(),
  /** the file that `/bytes` answers */
  bytes: z.string().optional(),
  /** the directory that it makes for what is sent to `/files` */
  folder: z.string().optional(),
});
answerParent(async (message) => {
  const { file, answers = {}, bytes, folder } = askedSchema.parse(message);
  if (file !== undefined) {
    serve('/full', file, 'FULL');
    serve('/normal', file, 'NORMAL');
  }
  for (const [name, answer] of Object.entries(answers))
    app.get(`/answer/${name}`, async () => answer);
  if (bytes !== undefined) {
    app.get('/bytes', (_request, reply) =>
      reply.header('content-length', statSync(bytes).size).send(createReadStream(bytes)),
    );
  }
  if (folder !== undefined) await storeFiles(folder);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, cookie: `floor=${encodeURIComponent(TOKEN)}` };
});
