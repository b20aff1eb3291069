import '#web/api/zod-without-eval.ts';

/** Schemas of forms: the small build of zod, and the resolver that checks a form by one. */
export * as z from 'zod/mini';
export { zodResolver } from '@hookform/resolvers/zod';
