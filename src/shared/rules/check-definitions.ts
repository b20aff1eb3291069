import * as texts from '#messages/definitions.ts';
import * as z from 'zod';
import { addProblemTo, nameSchema, requireUniqueNames } from './name-schemas.ts';
import { textSchema } from './text-schemas.ts';
import {
  BUILT_IN_CHECKS,
  IGNORED_IN_DUPLICATES,
  SEVERITIES,
  type BuiltInCheck,
  type IgnoredInDuplicates,
  type Severity,
} from './check-words.ts';

/* Checks: rules over all stored records (docs/interface/checks.md, section 1). */

/** A check as it is defined; it has either `rule` or `duplicates`. */
export interface CheckDefinition {
  readonly name: string;
  readonly label: string;
  readonly severity: Severity;
  /** the condition that records must meet, in the language of checks */
  readonly rule?: string | undefined;
  /** the records that the rule applies to, in the same language; all if it is left out */
  readonly when?: string | undefined;
  /** the fields that a finding marks; all of the rule if it is left out */
  readonly fields?: readonly string[] | undefined;
  /** lists of fields: two records with the same values in all fields of one list are duplicates */
  readonly duplicates?: readonly (readonly string[])[] | undefined;
  readonly ignore?: readonly IgnoredInDuplicates[] | undefined;
}

/** The part of a definition of an archive or table that is about checks. */
export interface DefinedChecks {
  readonly checks?: readonly CheckDefinition[] | undefined;
  /** the built-in checks that are turned off */
  readonly checksOff?: readonly BuiltInCheck[] | undefined;
}

const MAX_CHECKS = 200;

/** `parseSyntax` limits its length, and reports the place in its error. */
const ruleSchema = textSchema.min(1);

const checkSchema = z
  .strictObject({
    name: nameSchema,
    label: textSchema.min(1).max(200).optional(),
    severity: z.enum(SEVERITIES).optional(),
    rule: ruleSchema.optional(),
    when: ruleSchema.optional(),
    fields: z.array(nameSchema).min(1).max(100).optional(),
    duplicates: z.array(z.array(nameSchema).min(1).max(16)).min(1).max(20).optional(),
    ignore: z.array(z.enum(IGNORED_IN_DUPLICATES)).optional(),
  })
  .superRefine((check, context) => {
    const addProblem = addProblemTo(context);
    const { rule, duplicates, severity, ignore } = check;
    if (rule === undefined && duplicates === undefined) addProblem(texts.checkWithoutRule, 'rule');
    if (rule !== undefined && duplicates !== undefined)
      addProblem(texts.checkWithBoth, 'duplicates');
    if (severity === 'block' && duplicates !== undefined) {
      addProblem(texts.duplicatesNeverBlock, 'severity');
    }
    if (ignore !== undefined && duplicates === undefined) addProblem(texts.ignoreAlone, 'ignore');
  })
  .transform(({ name, label, severity, ...rest }): CheckDefinition => ({
    name,
    label: label ?? name,
    severity: severity ?? 'warn',
    ...rest,
  }));

/** The keys of a definition that are about checks, without those that are left out. */
export const checksShape = {
  checks: z.array(checkSchema).max(MAX_CHECKS).superRefine(requireUniqueNames).optional(),
  checksOff: z.array(z.enum(BUILT_IN_CHECKS)).optional(),
};

/** The keys of a definition that are about checks, without empty ones. */
export function definedChecks({ checks = [], checksOff = [] }: DefinedChecks): DefinedChecks {
  return {
    ...(checks.length > 0 && { checks }),
    ...(checksOff.length > 0 && { checksOff: [...new Set(checksOff)] }),
  };
}
