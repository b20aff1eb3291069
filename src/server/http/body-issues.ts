import type * as z from 'zod';
import * as texts from '#messages/service/http.ts';
import { knownKeysOf, valueAt } from '#server/lib/zod-issues.ts';
import type { Message } from '#shared/messages/message.ts';
import { JsonNumber } from '#shared/values/json.ts';

type Issue = z.core.$ZodIssue;
export type Path = readonly PropertyKey[];

/** How many unknown keys of one object are named. */
const MAX_KEYS = 50;

/**
 * The error map for parsing bodies, where a schema has no message of its own: for unknown keys, the message lists the known
 * keys.
 */
export function bodyMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys':
      return knownKeysOf(issue);
    case 'too_small':
      return texts.tooSmall({ of: issue.origin, limit: Number(issue.minimum) });
    case 'too_big':
      return texts.tooLarge({ of: issue.origin, limit: Number(issue.maximum) });
    case 'invalid_format':
      return texts.formInvalid;
    case 'invalid_key':
      return issue.issues[0]?.message;
    default:
      return undefined;
  }
}

/**
 * The message for an issue of a body, one readable sentence per fault.
 * @param issue of a parse with the error map `bodyMessage`
 * @param formatLocation names the location of a path: entries of a batch are checked in slices
 */
export function describeIssue(
  issue: Issue,
  base: Path,
  body: unknown,
  formatLocation: (path: Path) => string,
): Message[] {
  const path = [...base, ...issue.path];
  const found = valueAt(body, path);
  // Our JSON parser's numbers are objects to the schemas.
  const object = issue.code === 'unrecognized_keys' ? path : path.slice(0, -1);
  if (valueAt(body, object) instanceof JsonNumber)
    return [mustBe(object, 'object', formatLocation)];
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = issue.message;
      return issue.keys
        .slice(0, MAX_KEYS)
        .map((key) =>
          path.length === 0
            ? texts.bodyHasUnknownKey({ key: shorten(key), known })
            : texts.unknownKey({ place: formatLocation(path), key: shorten(key), known }),
        );
    }
    case 'invalid_union':
      if (found === undefined && path.length > 0) return [missing(path, formatLocation)];
      if (found instanceof JsonNumber) return [mustBe(path, 'object', formatLocation)];
      return describeUnion(issue.errors, path, body, formatLocation);
    case 'invalid_type':
      return [
        found === undefined
          ? missing(path, formatLocation)
          : mustBe(path, issue.expected, formatLocation),
      ];
    case 'invalid_value': {
      if (found === undefined) return [missing(path, formatLocation)];
      const values = issue.values.map(String);
      return [
        path.length === 0
          ? texts.bodyMustBeOneOf({ values })
          : texts.mustBeOneOf({ place: formatLocation(path), values }),
      ];
    }
    default: {
      if (found === undefined && path.length > 0) return [missing(path, formatLocation)];
      const { message: problem } = issue;
      return [
        path.length === 0
          ? texts.problemOfBody({ problem })
          : texts.problemAt({ place: formatLocation(path), problem }),
      ];
    }
  }
}

/** Describes the alternative that the body is closest to; all of them if several are equally close. */
function describeUnion(
  alternatives: readonly Issue[][],
  path: Path,
  body: unknown,
  formatLocation: (path: Path) => string,
): Message[] {
  const scored = alternatives.map((issues) => ({
    issues,
    distance: distanceFrom(issues, path, body),
  }));
  const minDistance = Math.min(...scored.map(({ distance }) => distance));
  const closest = scored
    .filter(({ distance }) => distance === minDistance)
    .map(({ issues }) => issues);
  const [only] = closest;
  const describe = (issue: Issue) => describeIssue(issue, path, body, formatLocation);
  if (only && closest.length === 1) return only.flatMap(describe);
  // Of each alternative the first key that is missing.
  const missingPaths = closest.flatMap((issues) => {
    const isMissing = (within: Path) =>
      within.length > 0 && valueAt(body, [...path, ...within]) === undefined;
    const within = issues.map((issue) => issue.path).find(isMissing);
    return within ? [within] : [];
  });
  if (missingPaths.length === closest.length) {
    const keys = [...new Set(missingPaths.map(formatPath))];
    const [within = []] = missingPaths;
    if (keys.length === 1) return [missing([...path, ...within], formatLocation)];
    return [
      path.length === 0
        ? texts.bodyNeedsOneKey({ keys })
        : texts.oneKeyNeeded({ place: formatLocation(path), keys }),
    ];
  }
  return (only ?? []).flatMap(describe);
}

/** The distance of a body from an alternative: an unknown or missing key at the top level counts most. */
function distanceFrom(issues: readonly Issue[], path: Path, body: unknown): number {
  return issues.reduce((sum, issue) => {
    if (issue.path.length > 1) return sum + 1;
    if (issue.code === 'unrecognized_keys') return sum + 100 * issue.keys.length;
    return sum + (valueAt(body, [...path, ...issue.path]) === undefined ? 100 : 10);
  }, 0);
}

function mustBe(path: Path, expected: string, formatLocation: (path: Path) => string): Message {
  return path.length === 0
    ? texts.bodyMustBe({ expected })
    : texts.mustBe({ place: formatLocation(path), expected });
}

function missing(path: Path, formatLocation: (path: Path) => string): Message {
  if (path.length === 0) return texts.bodyNeeded;
  const key = shorten(String(path.at(-1)));
  return path.length === 1
    ? texts.bodyLacksKey({ key })
    : texts.keyMissing({ place: formatLocation(path.slice(0, -1)), key });
}

/** The location of a path, as named in messages: `revisions[0].values`. */
export function formatPath(path: Path): string {
  return shorten(
    path
      .map((key, i) =>
        typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`,
      )
      .join(''),
  );
}

function shorten(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length > 120 ? `${wellFormed.slice(0, 120)}…` : wellFormed;
}
