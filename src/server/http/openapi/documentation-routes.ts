import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { notFound } from '../error-answers.ts';
import { BASE } from '../paths.ts';
import { defineRead, type Answer, type AnyRoute } from '../route.ts';

/** What the documentation page may load; its script sets inline styles. */
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

const STATIC = `${BASE}docs/static`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Indexdesk: the REST interface</title>
<link rel="stylesheet" href="${STATIC}/swagger-ui.css">
<link rel="stylesheet" href="${STATIC}/index.css">
<link rel="icon" type="image/png" href="${STATIC}/favicon-32x32.png" sizes="32x32">
<link rel="icon" type="image/png" href="${STATIC}/favicon-16x16.png" sizes="16x16">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${STATIC}/swagger-ui-bundle.js"></script>
<script src="${STATIC}/swagger-initializer.js"></script>
</body>
</html>
`;

/** Without the top bar, in which other addresses can be entered. */
const INITIALIZER = `window.ui = SwaggerUIBundle(${JSON.stringify({
  url: `${BASE}docs/json`,
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  layout: 'BaseLayout',
  validatorUrl: null,
})});\n`;

/** The files of Swagger UI in the package (scripts/prepare-package.js); in a checkout they come from the dependency. */
const PACKAGED = new URL('swagger-ui/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Routes for the OpenAPI document of an app and a page to read it. */
export function documentationRoutes(app: FastifyInstance): AnyRoute[] {
  const page = (path: string, read: (file: string) => Promise<Answer>) =>
    defineRead({
      path,
      summary: 'This description as a page',
      target: 'none',
      answer: 'bytes',
      handle: (_db, { params }) => read(params['file'] ?? ''),
    });
  return [
    defineRead({
      path: 'openapi.json',
      summary: 'This description (OpenAPI 3.1)',
      target: 'none',
      answer: z.looseObject({ openapi: z.string() }),
      handle: async () => ({ body: app.swagger() }),
    }),
    page('docs', async () => content('text/html; charset=utf-8', PAGE)),
    page('docs/:file', async (file) => {
      if (file === 'json') return { body: app.swagger() };
      if (file === 'yaml') return content('application/x-yaml', app.swagger({ yaml: true }));
      throw notFound();
    }),
    page('docs/static/:file', async (file) => {
      const type = TYPES[extname(file)];
      if (type === undefined || !/^[\w.-]+$/.test(file)) throw notFound();
      if (file === 'swagger-initializer.js') return content(type, INITIALIZER);
      const folder = existsSync(PACKAGED)
        ? PACKAGED
        : new URL('static/', import.meta.resolve('@fastify/swagger-ui'));
      const bytes = await readFile(new URL(file, folder)).catch(() => {
        throw notFound();
      });
      return content(type, bytes);
    }),
  ];
}

function content(type: string, stream: string | Buffer): Answer {
  return {
    headers: { 'content-type': type, 'content-security-policy': POLICY },
    stream: Buffer.from(stream),
  };
}
