import * as texts from '#messages/service/http.ts';
import findMyWay from 'find-my-way';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '#shared/contract/errors.ts';
import { clientOf } from './client.ts';
import { notFound } from './error-answers.ts';
import { hasUnknownVersion, isApiPath, pathOf } from './paths.ts';
import type { RegisteredCall } from './request-pipeline.ts';
import { authorize } from './authorization.ts';
import type { HttpServices } from './http-services.ts';
import { requireSameSite, requireSession } from './session.ts';

/** The calls that are registered on an app, by path. */
class CallsByPath {
  /** matches paths whatever the method, which Fastify's router cannot */
  readonly #router = findMyWay({ maxParamLength: 100_000 });
  readonly #patterns = new Map<unknown, string>();
  readonly #calls = new Map<string, RegisteredCall[]>();

  add(call: RegisteredCall): void {
    const others = this.#calls.get(call.pattern);
    if (others) {
      others.push(call);
      return;
    }
    const handler = () => undefined;
    this.#calls.set(call.pattern, [call]);
    this.#patterns.set(handler, call.pattern);
    this.#router.on('GET', call.pattern, handler);
  }

  /** The most specific pattern that matches a path, and its parameters. */
  find(path: string) {
    const found = this.#router.find('GET', path);
    const pattern = this.#patterns.get(found?.handler);
    if (!found || pattern === undefined) return undefined;
    return { pattern, params: found.params, calls: this.#calls.get(pattern) ?? [] };
  }
}

/**
 * Answers requests of the interface that match no route, or none with their method, in the decided order
 * (docs/interface/decisions.md, section 3). This includes requests that the router passes to a call with a parameter
 * although a more specific path has other methods: PUT of `…/datasets/count` is not a PUT of the dataset `count`.
 * @returns rejects with the error for a request that matches no route
 */
export function rejectUnmatched(
  app: FastifyInstance,
  services: HttpServices,
): (request: FastifyRequest) => Promise<never> {
  const registered = new CallsByPath();
  app.addHook('onRoute', ({ method, config }) => {
    if (config?.call && method !== 'HEAD') registered.add(config.call);
  });
  const refuse = async (request: FastifyRequest): Promise<never> => {
    const path = pathOf(request.raw.url ?? '');
    if (!isApiPath(path)) throw notFound();
    if (hasUnknownVersion(path)) {
      throw new ApiError('unknown_version', texts.unknownVersion);
    }
    requireSameSite(request);
    const client = clientOf(request);
    const found = registered.find(path);
    const [call] = found?.calls ?? [];
    if (!found || !call) {
      await services.database.read((db) => requireSession(services, db, request, client));
      throw notFound();
    }
    const isForAdministrators = found.calls.every((one) => one.isForAdministrators);
    const wanted = {
      target: call.target,
      isForAdministrators,
      access: null,
      method: 'GET',
    } as const;
    const params = Object.fromEntries(
      Object.entries(found.params).map(([name, value = '']) => [name, value]),
    );
    await services.database.read(async (db) => {
      const { caller } = await authorize(services, db, request, {
        client,
        params,
        call: wanted,
      });
      await call.route.checkPath?.(db, params, caller);
    });
    const methods = new Set(found.calls.flatMap(methodsOf));
    throw new ApiError('method_not_allowed', texts.methodNotAllowed({ method: request.method }), {
      headers: { allow: [...methods].sort().join(', ') },
    });
  };
  app.addHook('onRequest', async (request) => {
    const { url, config } = request.routeOptions;
    const path = pathOf(request.raw.url ?? '');
    if (request.is404) {
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (!reads || isApiPath(path)) await refuse(request);
    } else if (config.call && registered.find(path)?.pattern !== url) await refuse(request);
  });
  return refuse;
}

function methodsOf({ route, session }: RegisteredCall): string[] {
  return route.method === 'GET' && session && route.cost !== 'stream'
    ? ['GET', 'HEAD']
    : [route.method];
}
