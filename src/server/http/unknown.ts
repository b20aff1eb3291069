import type { FastifyRequest } from 'fastify';
import { ApiError } from '#shared/errors.ts';
import { clientOf } from './client.ts';
import { nothingHere } from './error-answers.ts';
import { hasUnknownVersion, matchPath, pathOf } from './paths.ts';
import type { RegisteredCall } from './register.ts';
import { admit, refuseCrossSite, requireSession, type Service } from './service.ts';

/**
 * Tells what is wrong with a request of the interface for which there is no route, or none of its method,
 * in the decided order (interface decisions, section 3).
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
  const here = calls.flatMap((call) => {
    const params = matchPath(call.pattern, path);
    return params ? [{ call, params }] : [];
  });
  const [first] = here;
  if (!first) {
    await service.database.read((db) => requireSession(service, db, request, client));
    throw nothingHere();
  }
  const { call, params } = first;
  await service.database.read((db) =>
    admit(service, db, request, client, params, { target: call.target, access: null }),
  );
  const methods = new Set(here.map((one): string => one.call.route.method));
  if (methods.has('GET')) methods.add('HEAD');
  throw new ApiError('method_not_allowed', `${request.method} is not possible at this address.`, {
    headers: { allow: [...methods].sort().join(', ') },
  });
}
