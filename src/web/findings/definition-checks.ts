import type { BuiltInCheck } from '#shared/rules/check-words.ts';

/** The built-in checks that the definition of a field answers for. */
export const DEFINITION_CHECKS: readonly BuiltInCheck[] = ['_required', '_rules'];
