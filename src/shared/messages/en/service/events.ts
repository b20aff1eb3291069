/** What the service says about streams of events. */
import { coded } from '#shared/messages/message.ts';

export const eventIdUnknown = coded(
  'events.eventIdUnknown',
  'This is not the id of an event of this service.',
);
export const stopping = coded('events.stopping', 'The service is stopping.');
export const tooManyClients = coded(
  'events.tooManyClients',
  'Too many clients are told of changes already.',
);
export const tooManyOfSession = coded(
  'events.tooManyOfSession',
  ({ max }: { max: number }) => `A session has at most ${max} streams of events at once.`,
);
export const tooManyOfUser = coded(
  'events.tooManyOfUser',
  ({ max }: { max: number }) => `A person has at most ${max} streams of events at once.`,
);
