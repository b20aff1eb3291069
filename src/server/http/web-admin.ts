import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '#shared/errors.ts';
import { takes } from './encodings.ts';
import { nothingHere, sendError } from './error-answers.ts';
import { BASE, decodePart, pathOf, type Modules } from './paths.ts';

/** What the browser may load and do: what comes from here, without inline scripts. */
const POLICY = [
  "default-src 'self'",
  // The decoders of images in PDFs (JBIG2, JPEG 2000, colours) are WebAssembly; this allows no eval.
  "script-src 'self' 'wasm-unsafe-eval'",
  // Mantine puts <style> elements into the page (MantineProvider its variables and classes, AppShell and
  // responsive properties their sizes, a modal the body's margin); mail and pages shown from documents bring
  // styles of their own, and their frames (srcdoc) are under this policy too.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "frame-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
};
/** What is neither a page nor a worker has no policy of its own: it is loaded under that of whoever loads it. */
const PART_HEADERS = { 'x-content-type-options': 'nosniff' };
/** Seconds. */
const YEAR = 365 * 24 * 60 * 60;

/** Where the web admin is built, in a checkout as in an installed package. */
export const WEB_DIR = join(import.meta.dirname, '../../../dist/web');

/** What an operator has to know where it is not built. */
export const NOT_BUILT =
  'The web admin is not built: only the REST interface is served. Run “npm run build” and start the service again, or start it with “npm start”.';

export function isWebAdminBuilt(directory: string): boolean {
  return existsSync(join(directory, 'index.html'));
}

export interface WebAdmin {
  /** Answers a GET or HEAD of anything that is not the interface's. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Loads what the first request needs. */
  warm(): Promise<void>;
}

/**
 * The web admin as it was built: its files, and its page for every other path (deep links).
 * @param directory of the build; where it holds none, every path is answered 404, saying so
 */
export function openWebAdmin(directory: string, modules: Modules): WebAdmin {
  const files = listFiles(directory);
  const html = isWebAdminBuilt(directory) ? readPage(join(directory, 'index.html'), modules) : null;
  const page =
    html === null ? null : { plain: html, gzip: gzipSync(html), br: brotliCompressSync(html) };
  let sender: Promise<FastifyInstance> | undefined;
  const openSender = () => (sender ??= startSender(directory));

  return {
    async answer(request, reply) {
      const path = fileAt(request.raw.url);
      if (path !== 'index.html' && files.has(path)) {
        const server = await openSender();
        reply.hijack();
        server.routing(request.raw, reply.raw);
        return reply;
      }
      if (page === null) throw new ApiError('not_found', NOT_BUILT);
      if (!acceptsHtml(request)) throw nothingHere();
      reply
        .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store', vary: 'accept-encoding' })
        .type('text/html; charset=utf-8');
      if (takes(request, 'br')) return reply.header('content-encoding', 'br').send(page.br);
      if (takes(request, 'gzip')) return reply.header('content-encoding', 'gzip').send(page.gzip);
      return reply.send(page.plain);
    },
    async warm() {
      if (page !== null) await openSender();
    },
  };
}

/** Its own small server, so that what it is made of is not loaded before it is needed. */
async function startSender(directory: string): Promise<FastifyInstance> {
  const [{ fastify }, { default: serveFiles }] = await Promise.all([
    import('fastify'),
    import('@fastify/static'),
  ]);
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    // Only paths of files that are there come here: in whatever form one was asked for, it is served.
    rewriteUrl: ({ url }) => `/${fileAt(url).split('/').map(encodeURIComponent).join('/')}`,
  });
  app.setErrorHandler((error, request, reply) => sendError(toldPlainly(error), request, reply));
  app.setNotFoundHandler((request, reply) => sendError(nothingHere(), request, reply));
  await app.register(serveFiles, {
    root: directory,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders(response, path) {
      const headers = isPart(path) ? PART_HEADERS : PAGE_HEADERS;
      for (const [name, value] of Object.entries(headers)) response.header(name, value);
      // The names of assets change with their content.
      const hashed = path.includes(`${sep}assets${sep}`);
      response.header('cache-control', hashed ? `public, max-age=${YEAR}, immutable` : 'no-cache');
    },
  });
  await app.ready();
  return app;
}

/** Scripts and styles of pages: there are dozens of them, and each of the other headers comes with each. */
function isPart(path: string): boolean {
  return /\.(?:js|css)(?:\.br|\.gz)?$/.test(path) && !path.includes('worker');
}

/** The path of the file for which an address asks, in its one form. */
function fileAt(url = ''): string {
  return (decodePart(pathOf(url)) ?? '').slice(1);
}

/** What the sender of files refuses, as errors of ours. */
function toldPlainly(error: unknown): unknown {
  if (!(error instanceof Error) || !('statusCode' in error)) return error;
  if (error.statusCode === 412) {
    return new ApiError('changed_meanwhile', 'The file is another one than the request is for.');
  }
  if (error.statusCode === 416) {
    const headers: unknown = 'headers' in error ? error.headers : undefined;
    return new ApiError('range_not_satisfiable', 'The file has no such part.', {
      headers: { 'content-range': contentRangeIn(headers) },
    });
  }
  return error;
}

function contentRangeIn(headers: unknown): string {
  const range: unknown =
    typeof headers === 'object' && headers !== null ? Reflect.get(headers, 'Content-Range') : null;
  return typeof range === 'string' ? range : 'bytes */*';
}

function listFiles(directory: string): Set<string> {
  try {
    return new Set(
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
        .filter((path) => !path.split(sep).some((part) => part.startsWith('.')))
        .map((path) => path.replaceAll(sep, '/')),
    );
  } catch {
    return new Set();
  }
}

const SETTINGS = /(<meta\s+name="indexdesk"\s+content=)(?:'[^']*'|"[^"]*")/;

/**
 * The page with the settings of this installation, which its scripts read (docs/interface/decisions.md, section
 * 1).
 */
function readPage(path: string, { archiveModule, dataModule }: Modules): string {
  const settings = JSON.stringify({ base: BASE, archiveModule, dataModule });
  const escaped = settings
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  const html = readFileSync(path, 'utf8');
  if (!SETTINGS.test(html)) throw new Error(`${path} holds no <meta name="indexdesk" content=…>.`);
  return html.replace(SETTINGS, (_, start: string) => `${start}"${escaped}"`);
}

function acceptsHtml({ headers: { accept } }: FastifyRequest): boolean {
  return accept === undefined || /text\/html|\*\/\*/i.test(accept);
}
