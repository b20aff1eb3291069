import { requireValid } from '#server/http/query.ts';
import { type AnyRoute, defineRead } from '#server/http/route.ts';
import { QueryReader } from '#shared/rules/query-reader.ts';
import type { Events } from './events.service.ts';

const LAST_EVENT_ID = 'lastEventId';
const VIEWERS = 'viewers';

/** The stream of changes (docs/interface/decisions.md, section 8). */
export function eventRoutes(events: Events): AnyRoute[] {
  return [
    defineRead({
      path: 'application/events',
      summary: 'Changes as server-sent events',
      description:
        'Events of the type `changed`, one for each change of a revision or dataset that the user may see, in the order of ' +
        'the history: the order of saving, except that concurrent loads come last. Their data is JSON: `archive` (the ' +
        'table name) or `table` (the GUID), `id` (the revisionId or jrid), `user` and `at`. The stream begins with new ' +
        'events, or after the event of `Last-Event-ID`, however old. It ends with the session, when its rights change, and ' +
        'after ten minutes: reconnect with the last `id`.',
      parameters: {
        [LAST_EVENT_ID]:
          'Like the header `Last-Event-ID`, which takes precedence; for clients that cannot set headers.',
        [VIEWERS]:
          '`true`: the stream also has events of the type `viewers`, which have no `id` and are not repeated. They report ' +
          'changes in who else has a revision or dataset open that this session has open: `archive` or `table`, `id`, and ' +
          '`viewers` as in the answers of its own call.',
      },
      target: 'none',
      answer: 'events',
      cost: 'stream',
      async handle(db, { caller, query, lastEventId }) {
        // Of a repeated parameter the last value counts.
        const reader = new QueryReader([...new Map(query)], [LAST_EVENT_ID, VIEWERS]);
        const given = reader.text(LAST_EVENT_ID) ?? null;
        const showsViewers = reader.boolean(VIEWERS, false);
        requireValid(reader);
        return {
          stream: await events.open(db, caller, lastEventId ?? given, showsViewers),
          headers: {
            'content-type': 'text/event-stream; charset=utf-8',
            // A client that disappeared would keep the connection open after the stream.
            connection: 'close',
            // A proxy must not buffer the stream (nginx).
            'x-accel-buffering': 'no',
          },
        };
      },
    }),
  ];
}
