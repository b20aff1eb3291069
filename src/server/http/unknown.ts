import type { FastifyRequest } from 'fastify';
import { ApiError } from '#shared/errors.ts';
import { clientOf } from './client.ts';
import { nothingHere } from './error-answers.ts';
import { hasUnknownVersion, isMoreSpecific, matchPath, pathOf } from './paths.ts';
import type { RegisteredCall } from './register.ts';
import { admit, refuseCrossSite, requireSession, type Service } from './service.ts';

/**
 * Tells what is wrong with a request of the interface for which there is no route, or none of its method,
 * in the decided order (docs/interface/decisions.md, section 3).
 * @throws {ApiError} always
 */
export async function refuseUnknown(
  service: Service,
  calls: readonly RegisteredCall[],
  request: FastifyRequest,
): Promise<never> {
  const path = pathOf(request.raw.url ?? '');
  if (hasUnknownVersion(path)) {
    throw new ApiError('unknown_version', 'The interface is served in version v2 alone.');
  }
  refuseCrossSite(request);
  const client = clientOf(request);
  const matching = calls.flatMap((call) => {
    const params = matchPath(call.pattern, path);
    return params ? [{ call, params }] : [];
  });
  const here = matching.filter(
    ({ call }) => !matching.some((other) => isMoreSpecific(other.call.pattern, call.pattern)),
  );
  const [first] = here;
  if (!first) {
    await service.database.read((db) => requireSession(service, db, request, client));
    throw nothingHere();
  }
  const { call, params } = first;
  await service.database.read((db) =>
    admit(service, db, request, client, params, { target: call.target, access: null }),
  );
  const methods = new Set(here.flatMap((one): string[] => methodsOf(one.call)));
  throw new ApiError('method_not_allowed', `${request.method} is not possible at this address.`, {
    headers: { allow: [...methods].sort().join(', ') },
  });
}

function methodsOf({ route }: RegisteredCall): string[] {
  return route.method === 'GET' && route.cost !== 'stream' ? ['GET', 'HEAD'] : [route.method];
}

/**
 * Finds requests that the router passes to a call with a parameter where a more specific path, which has other methods,
 * reserves that segment: PUT of `…/datasets/count` is no PUT of the dataset `count`.
 * @param calls complete by the time of the first request
 */
export function findReservedPaths(
  calls: readonly RegisteredCall[],
): (request: FastifyRequest) => boolean {
  let byCall: Map<string, string[]> | undefined;
  const build = () => {
    const patterns = [...new Set(calls.map(({ pattern }) => pattern))];
    return new Map(
      calls.flatMap((call): [string, string[]][] => {
        const reserved = patterns.filter((pattern) => isMoreSpecific(pattern, call.pattern));
        if (reserved.length === 0) return [];
        return methodsOf(call).map((method) => [`${method} ${call.pattern}`, reserved]);
      }),
    );
  };
  return (request) => {
    const reserved = (byCall ??= build()).get(`${request.method} ${request.routeOptions.url}`);
    if (!reserved) return false;
    const path = pathOf(request.raw.url ?? '');
    return reserved.some((pattern) => matchPath(pattern, path) !== undefined);
  };
}
