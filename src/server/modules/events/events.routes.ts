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
        'Events of the type `changed`, one for each change of a revision or dataset that the user may see, in the ' +
        'order of the history: as they were saved, loads after what people save at the same time. Their data is JSON: `archive` (the table name) or `table` (the GUID), ' +
        '`id` (the revisionId or jrid), `user` and `at`. The stream begins now, or after the event that ' +
        '`Last-Event-ID` names, however old. It ends when the session ends or its rights change, and after ten ' +
        'minutes: reconnect with the last `id`.',
      parameters: {
        [LAST_EVENT_ID]:
          'As the header `Last-Event-ID`, which comes first, for clients that cannot set it.',
        [VIEWERS]:
          '`true`: there are events of the type `viewers`, too, which have no `id` and are not repeated. They say who ' +
          'else has a revision or dataset open that this session has open, whenever that becomes another: `archive` or ' +
          '`table`, `id`, and `viewers` as its own call answers them.',
      },
      target: 'none',
      answer: 'events',
      cost: 'stream',
      async handle(db, { caller, query, lastEventId }) {
        // Of a repeated parameter the last value counts.
        const reader = new QueryReader([...new Map(query)], [LAST_EVENT_ID, VIEWERS]);
        const given = reader.text(LAST_EVENT_ID) ?? null;
        const showsViewers = reader.boolean(VIEWERS, false);
        reader.requireValid();
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
