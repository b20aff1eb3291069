// Imported first, because the schemas read this setting when they are created.
import './zod-without-eval.ts';

export * from '#shared/contract/answers.ts';
export { checksAnswer } from '#shared/contract/check-answers.ts';
export * from '#shared/contract/workspace-answers.ts';
export { changedEventSchema, viewersEventSchema } from '#shared/contract/events.ts';
