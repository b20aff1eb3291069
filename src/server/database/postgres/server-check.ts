import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/database.ts';
import { sql } from 'kysely';
import type { PostgresConnection, PostgresConnections } from './connection-pool.ts';
import { postgresSettings } from './postgres-adapter.ts';
import { PostgresTransaction } from './postgres-transaction.ts';
import { messageOf } from '#server/lib/caught-errors.ts';

const OLDEST_VERSION = 14;

/**
 * Rejects a server that would not store or return data faithfully.
 * @throws {OperatorError} without the password
 */
export async function assertSuitableServer(connections: PostgresConnections): Promise<void> {
  let connection: PostgresConnection;
  try {
    connection = await connections.acquire('read');
  } catch (error) {
    throw new OperatorError(texts.postgresUnreachable(messageOf(error)), { cause: error });
  }
  try {
    await new PostgresTransaction(connection, null).run(async (db) => {
      const { rows } = await sql<Record<'version' | 'encoding' | 'client' | 'dates', string>>`
        select current_setting('server_version_num') as version,
          current_setting('server_encoding') as encoding,
          current_setting('client_encoding') as client,
          current_setting('DateStyle') as dates`.execute(db.k);
      const [settings] = rows;
      if (!settings) throw new Error('PostgreSQL did not return its settings.');
      if (Number(settings.version) < OLDEST_VERSION * 10_000) {
        throw new OperatorError(texts.postgresTooOld(OLDEST_VERSION));
      }
      if (settings.encoding !== 'UTF8' || settings.client !== 'UTF8') {
        throw new OperatorError(texts.encodingUnsuitable(settings));
      }
      if (!settings.dates.startsWith('ISO')) {
        throw new OperatorError(texts.dateStyleUnsuitable(settings.dates));
      }
    }, postgresSettings(false));
  } finally {
    connection.release(false);
  }
}
