import * as texts from '#messages/service/loading.ts';
import type * as z from 'zod';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { valueAt } from '#server/zod-issues.ts';
import { nameKey } from '#shared/rules/names.ts';
import { keysAt } from './definition-schema.ts';

/** The errors of a definition file, one sentence each, with their positions. */
export function schemaProblems(error: z.ZodError, file: unknown): string[] {
  return error.issues.map((issue) =>
    texts.problemAt({ place: placeOf(issue.path, file), problem: sentence(issue) }),
  );
}

/** `archives[0] (INVOICES), indexFields[2] (AMOUNT), type` */
function placeOf(path: readonly PropertyKey[], file: unknown): string {
  if (path.length === 0) return texts.wholeFile;
  const parts: string[] = [];
  let at = file;
  for (const key of path) {
    at = valueAt(at, [key]);
    if (typeof key === 'number') {
      const name = nameOf(at);
      parts.push(`${parts.pop() ?? ''}[${key}]${name ? ` (${name})` : ''}`);
    } else parts.push(String(key));
  }
  return parts.join(', ');
}

function nameOf(entry: unknown): string | undefined {
  for (const key of ['table', 'name', 'username']) {
    const name = valueAt(entry, [key]);
    if (typeof name === 'string') return name.toWellFormed().slice(0, 63);
  }
  return undefined;
}

function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'string') {
        return issue.input === undefined ? texts.textNeeded : texts.mustBeText;
      }
      return (issue.input === undefined ? texts.neededAs : texts.mustBe)(issue.expected);
    case 'unrecognized_keys':
      return texts.unknownKeys({
        value: issue.keys.map((key) => `“${key.toWellFormed()}”`).join(', '),
        value2: keysAt(issue.path).join(', '),
      });
    case 'invalid_value':
      return texts.notAnOption(issue.values.map(String).join(', '));
    case 'too_small':
      return texts.tooSmall(bound(issue.minimum, issue.origin));
    case 'too_big':
      return texts.tooLarge(bound(issue.maximum, issue.origin));
    case 'invalid_union':
      return texts.noKnownForm;
    default:
      return issue.message;
  }
}

function bound(limit: number | bigint, origin: string): string {
  if (origin === 'string') return texts.lengthBound(limit);
  return origin === 'array' ? texts.entriesBound(limit) : texts.valueBound(limit);
}

/** Names that a definition file defines twice. */
export function nameProblems(file: DefinitionFile): string[] {
  const [archives, tables] = [file.archives, file.tables].map((collections) =>
    collections.map(({ definition }) => definition.guid),
  );
  return [
    ...twice('GUID', archives ?? []),
    ...twice('GUID', tables ?? []),
    ...twice(
      'archive',
      file.archives.map(({ definition }) => definition.table),
    ),
    ...twice(
      'table',
      file.tables.map(({ definition }) => definition.name),
    ),
    ...twice(
      'user',
      file.users.map(({ username }) => username),
    ),
  ];
}

function twice(what: string, names: readonly string[]): string[] {
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const name of names) {
    if (seen.has(nameKey(name))) problems.push(texts.definedTwice({ what, name }));
    seen.add(nameKey(name));
  }
  return problems;
}
