import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** How often it is tried whether notices arrive, and how long one may take, in milliseconds. */
const TRY_EVERY = 10_000;
const LONGEST_WAY = 2_000;
/** The pause before a new connection, in milliseconds. */
const RECONNECT_AFTER = 2_000;

const TRIAL = 'trial ';

/** What other processes tell by NOTIFY. */
export interface Notices {
  /** Whether they arrive: a pooler that gives connections to others after each transaction loses them. */
  arrive(): boolean;
  close(): Promise<void>;
}

/**
 * Listens on a connection of its own, made anew whenever it breaks.
 * @param databaseUrl of PostgreSQL itself
 * @param notify sends a notice, on any connection
 * @param heard is called with the payload of each notice, and with null whenever it is known that they arrive again
 */
export function listen(
  databaseUrl: string,
  channel: string,
  notify: (payload: string) => Promise<unknown>,
  heard: (payload: string | null) => void,
): Notices {
  const own = `${TRIAL}${randomUUID()}`;
  let arriving = false;
  let closed = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let late: NodeJS.Timeout | undefined;

  const onNotice = (payload: string | undefined) => {
    if (payload === own) {
      clearTimeout(late);
      if (arriving) return;
      arriving = true;
      heard(null);
    } else if (payload !== undefined && !payload.startsWith(TRIAL)) heard(payload);
  };
  const attempt = () => {
    late = setTimeout(lose, LONGEST_WAY);
    notify(own).catch(lose);
    timer = setTimeout(attempt, TRY_EVERY);
  };
  const lose = () => {
    const lost = client;
    if (!lost) return;
    client = undefined;
    arriving = false;
    clearTimeout(timer);
    clearTimeout(late);
    lost.removeAllListeners('end');
    lost.end().catch(() => undefined);
    if (!closed) timer = setTimeout(() => void connect(), RECONNECT_AFTER);
  };
  const connect = async () => {
    const made = new Client({
      connectionString: databaseUrl,
      fallback_application_name: 'indexdesk notices',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client = made;
    made.on('error', lose);
    made.on('end', lose);
    made.on('notification', ({ payload }) => onNotice(payload));
    try {
      await made.connect();
      await made.query(`listen ${channel}`);
    } catch {
      if (client === made) lose();
      return;
    }
    if (client === made) attempt();
  };
  void connect();

  return {
    arrive: () => arriving,
    async close() {
      closed = true;
      const last = client;
      client = undefined;
      arriving = false;
      clearTimeout(timer);
      clearTimeout(late);
      await last?.end().catch(() => undefined);
    },
  };
}
