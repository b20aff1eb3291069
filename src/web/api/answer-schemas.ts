// First, as the schemas look at this setting when they are made.
import './without-eval.ts';

export * from '#shared/answers.ts';
export * from '#shared/desk.ts';
export { changedEventSchema, viewersEventSchema } from '#shared/events.ts';
