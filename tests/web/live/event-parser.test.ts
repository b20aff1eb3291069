import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventParser, type ServerEvent } from '#web/api/live/event-parser.ts';

const read = (pieces: readonly string[]) => {
  const parser = createEventParser();
  return { events: pieces.flatMap((piece) => parser.parse(piece)), parser };
};

const line = fc.stringMatching(/^[a-zäß 0-9{}":]{1,12}$/);
const event = fc.record({
  type: fc.constantFrom('changed', 'message', 'other'),
  data: fc.array(line, { minLength: 1, maxLength: 3 }),
  id: fc.option(fc.integer({ min: 1, max: 999 })),
  comment: fc.boolean(),
});

describe('the format of server-sent events', () => {
  it('is read alike however the stream is cut and with whichever line breaks', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat({ max: 400 })),
        (events, end, cuts) => {
          const lines = events.flatMap(({ type, data, id, comment }) => [
            ...(comment ? [': still here'] : []),
            ...(type === 'message' ? [] : [`event: ${type}`]),
            ...(id === null ? [] : [`id:${id}`]),
            ...data.map((text) => `data: ${text}`),
            '',
          ]);
          // One more line, so that a CR at the end is known to stand alone.
          const text = [...lines, ': end', ''].join(end);
          const places = [0, ...cuts.filter((at) => at < text.length).sort((a, b) => a - b)];
          const pieces = places.map((at, i) => text.slice(at, places[i + 1] ?? text.length));
          const { events: found, parser } = read(pieces);
          expect(found).toEqual(
            events.map(({ type, data }): ServerEvent => ({ type, data: data.join('\n') })),
          );
          const ids = events.flatMap(({ id }) => (id === null ? [] : [String(id)]));
          expect(parser.lastId()).toBe(ids.at(-1) ?? null);
        },
      ),
    );
  });

  it('leaves out what is not complete, and knows its id only when it is', () => {
    const { events, parser } = read(['id: 7\ndata: a\n\nid: 8\ndata: b\n']);
    expect(events).toEqual([{ type: 'message', data: 'a' }]);
    expect(parser.lastId()).toBe('7');
    expect(parser.parse('\n')).toEqual([{ type: 'message', data: 'b' }]);
    expect(parser.lastId()).toBe('8');
  });

  it('hears how long to wait, and takes a position without data', () => {
    const { events, parser } = read(['retry: 1500\nretry: soon\nid: 12\n\n']);
    expect(events).toEqual([]);
    expect([parser.wait(), parser.lastId()]).toEqual([1500, '12']);
  });
});
