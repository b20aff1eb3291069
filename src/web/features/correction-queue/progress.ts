import type { QueueNews } from './queue.queries.ts';

type Tell = (news: QueueNews) => Promise<unknown>;

/**
 * Tells the service how far one is, one call after the other. While one is under way the news gather; none is lost,
 * and the last place is told last.
 */
export function createTeller(tell: Tell, onError: (error: unknown) => void) {
  let waiting: QueueNews | null = null;
  let busy = false;
  const send = async () => {
    if (busy) return;
    busy = true;
    while (waiting) {
      const news = waiting;
      waiting = null;
      try {
        await tell(news);
      } catch (error) {
        // What was not told goes with what comes next.
        waiting = joined(news, waiting);
        onError(error);
        break;
      }
    }
    busy = false;
  };
  return {
    tell(news: QueueNews): void {
      waiting = waiting ? joined(waiting, news) : news;
      void send();
    },
  };
}

function joined(before: QueueNews, after: QueueNews | null): QueueNews {
  if (!after) return before;
  const states = new Map(before.states.map((each) => [each.revisionId, each]));
  for (const each of after.states) states.set(each.revisionId, each);
  return { ...after, states: [...states.values()] };
}
