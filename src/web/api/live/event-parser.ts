/** One server-sent event. */
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
}

/** Reads the format of server-sent events, however the stream is cut into pieces. */
export function createEventParser() {
  let rest = '';
  let data: string[] = [];
  let type = '';
  let id: string | null = null;
  let lastId: string | null = null;
  let wait: number | null = null;

  const field = (line: string) => {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data.push(value);
    else if (name === 'event') type = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) wait = Number(value);
  };

  return {
    /** The events that a piece of the stream completes. */
    take(piece: string): ServerEvent[] {
      const events: ServerEvent[] = [];
      // A line break may be cut in two as well: what ends with CR waits for what comes.
      const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line !== '') {
          field(line);
          continue;
        }
        if (id !== null) lastId = id;
        if (data.length > 0) events.push({ type: type || 'message', data: data.join('\n') });
        data = [];
        type = '';
      }
      return events;
    },
    /** of the last event that was complete; null: none had one */
    lastId: () => lastId,
    /** how long the server asks to wait before one comes back, in milliseconds; null: it has not said */
    wait: () => wait,
  };
}
