import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { nothingHere } from './error-answers.ts';
import { BASE } from './paths.ts';
import type { RegisteredCall } from './register.ts';
import { defineRoute, type Answer, type AnyRoute } from './route.ts';

/** What the page of the documentation may load; its styles are set by its script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The interface's own description and a page to read it. Both are made when they are first asked for.
 * @param calls all calls, complete by the time of the first request
 */
export function documentationRoutes(calls: readonly RegisteredCall[]): AnyRoute[] {
  let description: Promise<Record<string, unknown>> | undefined;
  const describe = () =>
    (description ??= import('./documentation.ts').then(({ describeCalls }) =>
      describeCalls(calls),
    ));

  let pages: Promise<FastifyInstance> | undefined;
  const openPages = () => (pages ??= describe().then(startPages));
  const page = async (path: string): Promise<Answer> => {
    const answer = await (await openPages()).inject(`${BASE}docs${path}`);
    // Its own body of an error is not the decided one (docs/interface/decisions.md, section 3).
    if (answer.statusCode !== 200) throw nothingHere();
    const type = answer.headers['content-type'];
    return {
      headers: {
        'content-type': typeof type === 'string' ? type : 'application/octet-stream',
        'content-security-policy': POLICY,
      },
      stream: answer.rawPayload,
    };
  };
  const pageRoute = (path: string, file: (params: Readonly<Record<string, string>>) => string) =>
    defineRoute({
      method: 'GET',
      path,
      summary: 'A page to read this description',
      target: 'none',
      access: 'read',
      query: 'none',
      body: null,
      answer: 'bytes',
      status: 200,
      mode: 'read',
      handle: (_db, { params }) => page(file(params)),
    });

  return [
    defineRoute({
      method: 'GET',
      path: 'openapi.json',
      summary: 'This description (OpenAPI 3.1)',
      target: 'none',
      access: 'read',
      query: 'none',
      body: null,
      answer: z.looseObject({ openapi: z.string() }),
      status: 200,
      mode: 'read',
      async handle() {
        return { body: await describe() };
      },
    }),
    pageRoute('docs', () => ''),
    pageRoute('docs/:file', ({ file = '' }) => `/${encodeURIComponent(file)}`),
    pageRoute('docs/static/:file', ({ file = '' }) => `/static/${encodeURIComponent(file)}`),
  ];
}

/** A small server of its own, so that what it is made of is not loaded before it is needed. */
async function startPages(document: Record<string, unknown>): Promise<FastifyInstance> {
  const [{ fastify }, { default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('fastify'),
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ]);
  const app = fastify({ logger: false, routerOptions: { ignoreTrailingSlash: true } });
  const info = { title: 'Indexdesk', version: '2' };
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.0.0', info, paths: {} } },
  });
  await app.register(swaggerUi, {
    routePrefix: `${BASE}docs`,
    transformSpecification: () => document,
    transformSpecificationClone: false,
    // Without the bar on top, which asks for other addresses.
    uiConfig: { layout: 'BaseLayout', displayRequestDuration: true },
    theme: { title: 'Indexdesk: the REST interface' },
  });
  await app.ready();
  return app;
}
