import type { BuiltInCheck } from '#shared/rules/check-words.ts';

/** The built-in checks that repeat a field's definition. */
export const DEFINITION_CHECKS: readonly BuiltInCheck[] = ['_required', '_rules'];
