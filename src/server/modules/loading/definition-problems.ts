import * as texts from '#messages/service/loading.ts';
import type * as z from 'zod';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { kindInWords } from '#messages/service/http.ts';
import { valueAt } from '#server/zod-issues.ts';
import { nameKey } from '#shared/rules/names.ts';
import { keysAt } from './definition-schema.ts';

/** The errors of a definition file, one sentence each, with their positions. */
export function schemaProblems(error: z.ZodError, file: unknown): string[] {
  return error.issues.map((issue) => `${placeOf(issue.path, file)}: ${sentence(issue)}`);
}

/** `archives[0] (INVOICES), indexFields[2] (AMOUNT), type` */
function placeOf(path: readonly PropertyKey[], file: unknown): string {
  if (path.length === 0) return texts.file;
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
      return `${issue.input === undefined ? 'It is needed, and' : 'It'} must be ${issue.expected === 'string' ? 'text' : kindInWords(issue.expected)}.`;
    case 'unrecognized_keys':
      return texts.noSuchKeyKeysHere({
        value: issue.keys.map((key) => `“${key.toWellFormed()}”`).join(', '),
        value2: keysAt(issue.path).join(', '),
      });
    case 'invalid_value':
      return texts.one(issue.values.map(String).join(', '));
    case 'too_small':
      return texts.least(bound(issue.minimum, issue.origin));
    case 'too_big':
      return texts.most(bound(issue.maximum, issue.origin));
    case 'invalid_union':
      return texts.noneFormsKnownHere;
    default:
      return issue.message;
  }
}

function bound(limit: number | bigint, origin: string): string {
  if (origin === 'string') return `${limit} characters`;
  return origin === 'array' ? `${limit} entries` : `the value ${limit}`;
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
