/** The texts of the service about event streams. */
import { coded } from '#shared/messages/message.ts';

export const eventIdUnknown = coded(
  'events.eventIdUnknown',
  'This is not the id of an event of this service.',
);
export const stopping = coded('events.stopping', 'The service is stopping.');
export const tooManyClients = coded(
  'events.tooManyClients',
  'Too many clients already receive notices of changes.',
);
export const tooManyOfSession = coded(
  'events.tooManyOfSession',
  ({ max }: { max: number }) => `A session has at most ${max} streams of events at once.`,
);
export const tooManyOfUser = coded(
  'events.tooManyOfUser',
  ({ max }: { max: number }) => `A person has at most ${max} streams of events at once.`,
);
