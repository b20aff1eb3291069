import * as texts from '#messages/service/loading.ts';
import type * as z from 'zod';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { knownKeysOf, valueAt } from '#server/lib/zod-issues.ts';
import { nameKey } from '#shared/rules/names.ts';

/**
 * Parses a definition file or a part of it.
 * @param name the name of the file or part, for errors
 * @returns its content, or its errors, one sentence each, with their positions
 */
export function parseDefinition<Known>(
  schema: z.ZodType<Known>,
  given: unknown,
  name = texts.wholeFile,
):
  | { readonly ok: true; readonly known: Known }
  | { readonly ok: false; readonly problems: readonly string[] } {
  const parsed = schema.safeParse(given, {
    reportInput: true,
    error: (issue) => knownKeysOf(issue) || undefined,
  });
  if (parsed.success) return { ok: true, known: parsed.data };
  const problems = parsed.error.issues.flatMap(issuesOfForm).map((issue) =>
    texts.problemAt({
      path: issue.path.length === 0 ? name : pathTextOf(issue.path, given),
      problem: sentence(issue),
    }),
  );
  return { ok: false, problems };
}

/** The issues of the one form among several that the value seems to have; the issue itself if that is not clear. */
function issuesOfForm(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const isObject = typeof issue.input === 'object' && issue.input !== null;
  const possible = issue.errors.filter((issues) => {
    const whole = issues.find(({ path }) => path.length === 0);
    const isOfKind = whole?.code !== 'invalid_type' && whole?.code !== 'invalid_value';
    return isObject ? isOfKind : whole?.code === 'invalid_value';
  });
  const [issues = []] = possible;
  if (possible.length !== 1) return [issue];
  return issues.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** `archives[0] (INVOICES), indexFields[2] (AMOUNT), type` */
function pathTextOf(path: readonly PropertyKey[], file: unknown): string {
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
        keys: issue.keys.map((key) => key.toWellFormed()),
        known: issue.message,
      });
    case 'invalid_value':
      return texts.notAnOption(issue.values.map(String).join(', '));
    case 'too_small':
      return texts.tooSmall({ of: issue.origin, limit: issue.minimum });
    case 'too_big':
      return texts.tooLarge({ of: issue.origin, limit: issue.maximum });
    case 'invalid_union':
      return texts.noKnownForm;
    default:
      return issue.message;
  }
}

/** Names that a definition file defines twice. */
export function repeatedNames(file: DefinitionFile): string[] {
  const { guid, archive, table, user } = texts.definedTwice;
  const archives = file.archives.map(({ definition }) => definition);
  const tables = file.tables.map(({ definition }) => definition);
  return [
    ...repetitions(archives.map((one) => one.guid)).map(guid),
    ...repetitions(tables.map((one) => one.guid)).map(guid),
    ...repetitions(archives.map((one) => one.table)).map(archive),
    ...repetitions(tables.map((one) => one.name)).map(table),
    ...repetitions(file.users.map((one) => one.username)).map(user),
  ];
}

/** The names that come after an equal one. */
function repetitions(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const isRepeated = seen.has(nameKey(name));
    seen.add(nameKey(name));
    return isRepeated;
  });
}
