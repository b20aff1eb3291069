import * as texts from '#messages/service/http.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { QueryParameters, QueryReader } from '#shared/rules/query-reader.ts';
import { decodePart } from './paths.ts';

/**
 * The parameters of an address's query string, decoded, in their order.
 * @throws {ApiError} 400 if the percent-encoding is malformed or not UTF-8
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

function decode(text: string): string {
  const decoded = decodePart(text.replaceAll('+', ' '));
  if (decoded === undefined) {
    throw new ApiError('malformed', texts.queryNotUtf8);
  }
  return decoded;
}

/** @throws {ApiError} 400 with all errors of the parameters, if there are some */
export function requireValid({ isValid, errors }: Pick<QueryReader<string>, 'isValid' | 'errors'>) {
  if (!isValid) throw new ApiError('malformed', errors);
}
