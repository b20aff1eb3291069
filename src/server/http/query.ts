import { ApiError, type ErrorMessages } from '#shared/errors.ts';
import { decodePart } from './paths.ts';

export type QueryParameters = readonly (readonly [string, string])[];

/**
 * The parameters of an address's query string, decoded, in their order.
 * @throws {ApiError} 400 where the percent-encoding is broken or no UTF-8
 */
export function readQuery(url: string): QueryParameters {
  const start = url.indexOf('?');
  if (start < 0) return [];
  const text = url.slice(start + 1).split('#', 1)[0] ?? '';
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      return [name, equals < 0 ? '' : decode(pair.slice(equals + 1))] as const;
    });
}

/** @throws {ApiError} 400 naming every parameter: the call takes none */
export function refuseParameters(query: QueryParameters): void {
  if (query.length === 0) return;
  const errors: ErrorMessages = Object.create(null);
  for (const [name] of query) errors[name] = ['This parameter is not known here.'];
  throw new ApiError('malformed', errors);
}

function decode(text: string): string {
  const decoded = decodePart(text.replaceAll('+', ' '));
  if (decoded === undefined) {
    throw new ApiError('malformed', 'The query string is not percent-encoded UTF-8.');
  }
  return decoded;
}
