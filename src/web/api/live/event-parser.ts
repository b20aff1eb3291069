/** One server-sent event. */
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
}

/** Parses server-sent events from chunks of any size. */
export function createEventParser() {
  let incompleteLine = '';
  let data: string[] = [];
  let type = '';
  let id: string | null = null;
  let lastId: string | null = null;
  let wait: number | null = null;

  const parseLine = (line: string) => {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data.push(value);
    else if (name === 'event') type = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) wait = Number(value);
  };

  return {
    /** The events that a chunk of the stream completes. */
    parse(chunk: string): ServerEvent[] {
      const events: ServerEvent[] = [];
      // A CRLF may be split as well: a trailing CR waits for the next chunk.
      const lines = (incompleteLine + chunk).split(/\r\n|\n|\r(?!$)/);
      incompleteLine = lines.pop() ?? '';
      for (const line of lines) {
        if (line !== '') {
          parseLine(line);
          continue;
        }
        if (id !== null) lastId = id;
        if (data.length > 0) events.push({ type: type || 'message', data: data.join('\n') });
        data = [];
        type = '';
      }
      return events;
    },
    /** the id of the last complete event; null: none had an id */
    lastId: () => lastId,
    /** the reconnection time that the server requests, in milliseconds; null: none */
    wait: () => wait,
  };
}
