import type * as z from 'zod';
import { JsonNumber } from '#shared/values/json.ts';
import { kindOf, valueAt } from '#server/zod-issues.ts';

export type Issue = z.core.$ZodIssue;
export type Path = readonly PropertyKey[];

/** Of the unknown keys of one object, so many are named. */
const MAX_KEYS = 50;

/** What an issue of a body says, a readable sentence for each fault. */
export function describeIssue(issue: Issue, base: Path, body: unknown): string[] {
  const path = [...base, ...issue.path];
  const found = valueAt(body, path);
  // A number of our parser is an object to the schemas.
  const object = issue.code === 'unrecognized_keys' ? path : path.slice(0, -1);
  if (valueAt(body, object) instanceof JsonNumber)
    return [`${subjectAt(object)} must be an object.`];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, MAX_KEYS)
        .map((key) => `${inside(path)}the key “${short(key)}” is not known.`);
    case 'invalid_union':
      if (found instanceof JsonNumber) return [`${subjectAt(path)} must be an object.`];
      return describeUnion(issue.errors, path, body);
    case 'invalid_type':
      return found === undefined
        ? [missing(path)]
        : [`${subjectAt(path)} must be ${kindOf(issue.expected)}.`];
    case 'invalid_value':
      return found === undefined
        ? [missing(path)]
        : [`${subjectAt(path)} must be ${issue.values.map(String).join(' or ')}.`];
    default:
      if (found === undefined && path.length > 0) return [missing(path)];
      return path.length === 0 ? [issue.message] : [`${inside(path)}${issue.message}`];
  }
}

/** Describes the alternative that the body is closest to; all of them where several are equally close. */
function describeUnion(alternatives: readonly Issue[][], path: Path, body: unknown): string[] {
  const scored = alternatives.map((issues) => ({
    issues,
    strange: strangeness(issues, path, body),
  }));
  const least = Math.min(...scored.map(({ strange }) => strange));
  const closest = scored.filter(({ strange }) => strange === least).map(({ issues }) => issues);
  const [only] = closest;
  if (only && closest.length === 1)
    return only.flatMap((issue) => describeIssue(issue, path, body));
  const keys = closest.flatMap((issues) =>
    issues.flatMap((issue) => {
      const whole = [...path, ...issue.path];
      const last = whole.at(-1);
      return last !== undefined && valueAt(body, whole) === undefined ? [String(last)] : [];
    }),
  );
  if (keys.length >= closest.length) {
    return [
      `${inside(path)}one of the keys ${keys.map((key) => `“${key}”`).join(' and ')} is needed.`,
    ];
  }
  return (only ?? []).flatMap((issue) => describeIssue(issue, path, body));
}

/** How far a body is from an alternative: a key too many or missing at its top counts most. */
function strangeness(issues: readonly Issue[], path: Path, body: unknown): number {
  return issues.reduce((sum, issue) => {
    if (issue.path.length > 1) return sum + 1;
    if (issue.code === 'unrecognized_keys') return sum + 100 * issue.keys.length;
    return sum + (valueAt(body, [...path, ...issue.path]) === undefined ? 100 : 10);
  }, 0);
}

/** The place of a path, as the subject of a sentence. */
export function subjectAt(path: Path): string {
  return path.length === 0 ? 'The body' : `“${place(path)}”`;
}

function inside(path: Path): string {
  return path.length === 0 ? 'In the body, ' : `In “${place(path)}”: `;
}

function missing(path: Path): string {
  return path.length === 0
    ? 'A body is needed.'
    : `${inside(path.slice(0, -1))}the key “${short(String(path.at(-1)))}” is missing.`;
}

function place(path: Path): string {
  return short(
    path
      .map((key, i) =>
        typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`,
      )
      .join(''),
  );
}

function short(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length > 120 ? `${wellFormed.slice(0, 120)}…` : wellFormed;
}
