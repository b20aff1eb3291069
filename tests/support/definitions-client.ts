import {
  definedArchivesAnswer,
  definitionHistoryAnswer,
  planAnswer,
  type AnsweredPlan,
  type DefinedArchive,
} from '#shared/contract/configuration-definitions.ts';
import { revisionsAnswer as revisionsSchema } from '#shared/contract/answers.ts';
import type { TestAnswer, TestClient } from '#tests/support/app.ts';

type Fields = readonly Readonly<Record<string, unknown>>[];

/** Changes the definition of one archive as an administrator. */
export class ArchiveAdministration {
  readonly #client: TestClient;
  readonly table: string;
  readonly path: string;
  readonly records: string;

  constructor(client: TestClient, table: string) {
    this.#client = client;
    this.table = table;
    this.path = `configuration/archives/${table}`;
    this.records = `application/archiveapp/archives/${table}`;
  }

  async get(): Promise<DefinedArchive> {
    const [archive] = definedArchivesAnswer.parse(
      (await this.#client.get(this.path)).body,
    ).archives;
    if (!archive) throw new Error('There is no archive.');
    return archive;
  }

  /** Sends the definition with these index fields. */
  async put(
    indexFields: Fields,
    more: Readonly<Record<string, unknown>> = {},
    query = '',
  ): Promise<TestAnswer> {
    const { indexFields: _, ...archive } = await this.get();
    const headers = { 'if-match': `"${archive.version}"` };
    const { onMisfit, ...rest } = more;
    const body = {
      archive: { ...archive, ...rest, indexFields },
      ...(onMisfit !== undefined && { onMisfit }),
    };
    return this.#client.put(this.path + query, body, { headers });
  }

  /** Renames an index field, and moves it before all others. */
  async rename(from: string, to: string): Promise<void> {
    const fields = (await this.get()).indexFields;
    const renamed = fields
      .filter(({ name }) => name === from)
      .map((field) => ({ ...field, name: to, renamedFrom: from }));
    const others = fields.filter(({ name }) => name !== from);
    const { status, text } = await this.put([...renamed, ...others]);
    if (status !== 200) throw new Error(text);
  }

  async plan(
    indexFields: Fields,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<AnsweredPlan> {
    const answer = await this.put(indexFields, more, '?dryRun=true');
    return planAnswer.parse(answer.body).plan;
  }

  /** The values of a revision, by field. */
  async values(id: string | number): Promise<Record<string, unknown>> {
    const { body } = await this.#client.get(`${this.records}/documents/${id}`);
    return valuesIn(body);
  }

  /** The history of the definition, newest first. */
  async definitionHistory() {
    const { body } = await this.#client.get(`${this.path}/history`);
    return definitionHistoryAnswer.parse(body).history;
  }

  async history(id: string | number): Promise<unknown> {
    return (await this.#client.get(`${this.records}/documents/${id}/history`)).body;
  }
}

/** The values of the only revision of an answer, by field. */
function valuesIn(body: unknown): Record<string, unknown> {
  const { archivedocumentrevisions } = revisionsSchema.parse(body);
  const [revision] = archivedocumentrevisions;
  return Object.fromEntries(revision?.indexFields.map(({ name, value }) => [name, value]) ?? []);
}
