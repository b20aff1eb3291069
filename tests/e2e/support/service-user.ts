import { expect } from '@playwright/test';
import {
  type Dataset,
  datasetListAnswer,
  datasetsAnswer,
  type HistoryEntry,
  historyAnswer,
  type RevisionDetail,
  revisionDetailAnswer,
  revisionIdsAnswer,
} from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { ServiceClient, type ServiceRequest } from '#tests/support/service-client.ts';
import { INVOICES, SUPPLIERS, type Username } from './content.ts';
import { PASSWORD } from '#tests/support/password.ts';

type Values = Readonly<Record<string, Scalar>>;

/** A revision as the service has it, its index data by field. */
export interface StoredRevision {
  readonly values: Values;
  readonly revision: RevisionDetail;
  readonly etag: string | null;
}

/** Somebody who uses the service by a program of their own, beside the browser. */
export class ServiceUser {
  readonly #client: ServiceClient;

  private constructor(client: ServiceClient) {
    this.#client = client;
  }

  static async signedIn(url: string, username: Username): Promise<ServiceUser> {
    const client = new ServiceClient(url);
    // The failed sign-ins of an earlier test delay those from the same address.
    await expect(() => client.signIn(username, PASSWORD)).toPass();
    return new ServiceUser(client);
  }

  async revision(archive: string, revisionId: string | number): Promise<StoredRevision> {
    const answer = await this.#ask({ method: 'GET', path: pathOf(archive, revisionId) });
    const [revision] = revisionDetailAnswer.parse(answer.body).archivedocumentrevisions;
    if (!revision) throw new Error(`There is no revision ${revisionId}.`);
    const values = Object.fromEntries(revision.indexFields.map(({ name, value }) => [name, value]));
    return { values, revision, etag: answer.headers.get('etag') };
  }

  /** The ids of all that match a list's query. @param query without its `?` */
  async ids(archive: string, query: string): Promise<readonly string[]> {
    const path = `application/archiveapp/archives/${archive}/index/ids?${query}`;
    const { body } = await this.#ask({ method: 'GET', path });
    return revisionIdsAnswer.parse(body).revisionIds;
  }

  /** Newest first. */
  async history(archive: string, revisionId: string | number): Promise<HistoryEntry[]> {
    const path = `${pathOf(archive, revisionId)}/history`;
    const { body } = await this.#ask({ method: 'GET', path });
    return historyAnswer.parse(body).history;
  }

  async correct(archive: string, revisionId: string | number, values: Values): Promise<void> {
    const indexFields = Object.entries(values).map(([name, value]) => ({ name, value }));
    const path = `${pathOf(archive, revisionId)}/indexdata`;
    await this.#ask({ method: 'PATCH', path, json: { indexFields } });
  }

  async delete(archive: string, revisionId: string | number): Promise<void> {
    await this.#ask({ method: 'DELETE', path: pathOf(archive, revisionId) }, 204);
  }

  async lock(archive: string, revisionId: string | number, locked: boolean): Promise<void> {
    await this.#ask({ method: 'PATCH', path: pathOf(archive, revisionId), json: { locked } });
  }

  async flag(archive: string, revisionId: string | number, note: string): Promise<void> {
    const path = `${pathOf(archive, revisionId)}/flag`;
    await this.#ask({ method: 'PUT', path, json: { note } });
  }

  /** The records of the suppliers' table that match. @param query with its `?` */
  async suppliers(query = ''): Promise<Dataset[]> {
    const path = `application/dataapp/tables/${SUPPLIERS}/datasets${query}`;
    const { body } = await this.#ask({ method: 'GET', path });
    return datasetListAnswer.parse(body).datasets;
  }

  async changeSupplier(jrid: string, values: Values): Promise<Dataset | undefined> {
    const path = `application/dataapp/tables/${SUPPLIERS}/datasets/${jrid}`;
    const { body } = await this.#ask({ method: 'PUT', path, json: { dataset: values } });
    return datasetsAnswer.parse(body).datasets[0];
  }

  async createSupplier(values: Values): Promise<Dataset> {
    const path = `application/dataapp/tables/${SUPPLIERS}/datasets`;
    const { body } = await this.#ask({ method: 'POST', path, json: { dataset: values } });
    const [created] = datasetsAnswer.parse(body).datasets;
    if (!created) throw new Error('Nothing was created.');
    return created;
  }

  /** The invoices and the suppliers are next opened as they are, and not in the view in which they were left. */
  async forgetViews(): Promise<void> {
    for (const place of [`archiveapp/archives/${INVOICES}`, `dataapp/tables/${SUPPLIERS}`]) {
      const path = `application/${place}/lastview`;
      await this.#ask({ method: 'PUT', path, json: { search: '' } });
    }
  }

  async #ask(request: ServiceRequest, status = 200) {
    const answer = await this.#client.send(request);
    if (answer.status !== status) {
      throw new Error(
        `${request.method} ${request.path}: ${answer.status} ${answer.bytes.toString()}`,
      );
    }
    return answer;
  }
}

function pathOf(archive: string, revisionId: string | number): string {
  return `application/archiveapp/archives/${archive}/documents/${revisionId}`;
}
