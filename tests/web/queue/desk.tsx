import { screen } from '@testing-library/react';
import { flagsAnswer, queuesAnswer } from '#shared/contract/workspace-answers.ts';
import { PASSWORD } from '#tests/support/app.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import type { ServiceFetch } from '#tests/support/service-fetch.ts';
import { openDesk } from '../archive/desk.tsx';

/** The archive's desk, with queues over it. */
export async function openQueueDesk() {
  const desk = await openDesk();
  return {
    ...desk,
    /** The ids of what anna has flagged. */
    async flagged(): Promise<string[]> {
      const anna = await desk.service.signedIn('anna');
      const path = `application/archiveapp/archives/${desk.table()}/flags`;
      return flagsAnswer.parse((await anna.get(path)).body).flags.map((flag) => flag.revisionId);
    },
    /** Makes a queue of anna's over all revisions in the order of their ids, and opens it. */
    async openQueue(filter = 'sort=revisionId', network?: (service: ServiceFetch) => void) {
      const anna = await desk.service.signedIn('anna');
      const base = `application/archiveapp/archives/${desk.table()}/queues`;
      const { status, body, text } = await anna.post(base, { filter });
      if (status !== 201) throw new Error(text);
      const [queue] = queuesAnswer.parse(body).queues;
      if (!queue) throw new Error('No queue was made.');
      /** the queue as the service keeps it */
      const kept = async () => {
        const answer = await anna.get(`${base}/${queue.queueId}`);
        return queuesAnswer.parse(answer.body).queues[0];
      };
      const path = `/archives/${desk.table()}/queue/${queue.queueId}`;
      const as = { username: 'anna', password: PASSWORD };
      const open = async () => {
        const rendered = await renderApp(desk.service.app, path, { as, network });
        return { ...rendered, kept, openAgain: open };
      };
      return open();
    },
  };
}

/** The revision whose form is shown; undefined: none. */
export function shownId(): string | undefined {
  const section = screen.queryByRole('region', { name: /^Form of revision/ });
  return section?.getAttribute('aria-label')?.replace('Form of revision ', '');
}

/** The end of the queue, if one is there. */
export function atEnd(): boolean {
  return screen.queryByText(/^You have been through/) !== null;
}
