import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Listener, Transaction } from '../database.ts';

/** How often a probe is sent, and after how long it counts as lost, in milliseconds. */
const PROBE_INTERVAL = 10_000;
const PROBE_TIMEOUT = 2_000;
/** The pause before reconnecting, in milliseconds. */
const RECONNECT_DELAY = 2_000;

const PROBE = 'probe ';

/** The channel of all processes on a database. */
const CHANNEL = 'indexdesk_history';

/** `Transaction.notify` */
export async function notify(db: Transaction, payload: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(db.k);
}

/**
 * `Database.listen`, on a separate connection, which is replaced when it breaks. A probe is sent regularly,
 * because a pooler may lose notifications without an error.
 * @param databaseUrl of PostgreSQL itself
 * @param notify sends a notification, on any connection
 */
export function openListener(
  databaseUrl: string,
  notify: (payload: string) => Promise<unknown>,
  callback: (payload: string | null) => void,
): Listener {
  const own = `${PROBE}${randomUUID()}`;
  let isArriving = false;
  let closed = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let probeTimer: NodeJS.Timeout | undefined;

  const onNotification = (payload: string | undefined) => {
    if (payload === own) {
      clearTimeout(probeTimer);
      if (isArriving) return;
      isArriving = true;
      callback(null);
    } else if (payload !== undefined && !payload.startsWith(PROBE)) callback(payload);
  };
  const probe = () => {
    probeTimer = setTimeout(reconnect, PROBE_TIMEOUT);
    notify(own).catch(reconnect);
    timer = setTimeout(probe, PROBE_INTERVAL);
  };
  const reconnect = () => {
    const lost = client;
    if (!lost) return;
    client = undefined;
    isArriving = false;
    clearTimeout(timer);
    clearTimeout(probeTimer);
    lost.removeAllListeners('end');
    lost.end().catch(() => undefined);
    if (!closed) timer = setTimeout(() => void connect(), RECONNECT_DELAY);
  };
  const connect = async () => {
    const opened = new Client({
      connectionString: databaseUrl,
      fallback_application_name: 'indexdesk notifications',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client = opened;
    opened.on('error', reconnect);
    opened.on('end', reconnect);
    opened.on('notification', ({ payload }) => onNotification(payload));
    try {
      await opened.connect();
      await opened.query(`listen ${CHANNEL}`);
    } catch {
      if (client === opened) reconnect();
      return;
    }
    if (client === opened) probe();
  };
  void connect();

  return {
    isReceiving: () => isArriving,
    async close() {
      closed = true;
      const last = client;
      client = undefined;
      isArriving = false;
      clearTimeout(timer);
      clearTimeout(probeTimer);
      await last?.end().catch(() => undefined);
    },
  };
}
