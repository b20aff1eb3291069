import * as texts from '#messages/service/http.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import send, { type SendResult } from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '#shared/contract/errors.ts';
import { acceptsEncoding } from './encodings.ts';
import { escapeHtml } from './escape-html.ts';
import { notFound } from './error-answers.ts';
import { BASE, decodePart, pathOf, type Modules } from './paths.ts';

/** What the browser may load and run: only resources of this service, without inline scripts. */
const POLICY = [
  "default-src 'self'",
  // The decoders of images in PDFs (JBIG2, JPEG 2000, colours) are WebAssembly; this does not allow eval.
  "script-src 'self' 'wasm-unsafe-eval'",
  // Mantine inserts <style> elements into the page (MantineProvider its variables and classes, AppShell and responsive
  // properties their sizes, a modal the body's margin); mails and pages of documents have styles of their own, and
  // their frames (srcdoc) inherit this policy.
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
  'cross-origin-opener-policy': 'same-origin',
};
/** Scripts and styles run under the policy of their page. A page has dozens of them, so these headers are short. */
const PART_HEADERS = { 'content-security-policy': "frame-ancestors 'none'" };
/** Seconds. */
const YEAR = 365 * 24 * 60 * 60;

/** The folder of the built web admin in a language, in a checkout or an installed package. */
export function webFolderOf(language: string): string {
  const name = language === 'en' ? 'web' : `web-${language}`;
  return join(import.meta.dirname, '../../../dist', name);
}

/** The message for the operator if it is not built. */
export const NOT_BUILT = texts.webAdminNotBuilt;

export function isWebAdminBuilt(directory: string): boolean {
  return existsSync(join(directory, 'index.html'));
}

/** The settings that the page needs before its first request. */
interface PageSettings extends Modules {
  /** the provider with which people sign in */
  readonly oidc: { readonly name: string } | null;
  readonly passwordSignIn: boolean;
  /** the time zone in which the day of checks begins */
  readonly timeZone: string;
}

/**
 * Serves the built web admin: its files, and its page for every other path outside the interface (deep links).
 * @param directory of the build; if it is empty, every path is answered with 404 and a message
 */
export function registerWebAdmin(
  app: FastifyInstance,
  directory: string,
  settings: PageSettings,
): void {
  const files = listFiles(directory);
  const html = isWebAdminBuilt(directory)
    ? readPage(join(directory, 'index.html'), settings)
    : null;
  const page =
    html === null ? null : { plain: html, gzip: gzipSync(html), br: brotliCompressSync(html) };

  app.setNotFoundHandler(async (request, reply) => {
    const path = fileAt(request.raw.url);
    if (path !== 'index.html' && files.has(path)) return sendFile(request, reply, path);
    if (page === null) throw new ApiError('not_found', NOT_BUILT);
    if (!acceptsHtml(request)) throw notFound();
    reply
      .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store', vary: 'accept-encoding' })
      .type('text/html; charset=utf-8');
    if (acceptsEncoding(request, 'br')) return reply.header('content-encoding', 'br').send(page.br);
    if (acceptsEncoding(request, 'gzip'))
      return reply.header('content-encoding', 'gzip').send(page.gzip);
    return reply.send(page.plain);
  });

  const sendFile = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const encoding = ENCODINGS.find(
      ({ name, extension }) => acceptsEncoding(request, name) && files.has(path + extension),
    );
    const sent = await send(request.raw, encodeURI(path + (encoding?.extension ?? '')), {
      root: directory,
      index: false,
      dotfiles: 'ignore',
      cacheControl: false,
      contentType: false,
    });
    if (sent.type !== 'file') throw errorOf(sent);
    // The names of assets change with their content, so clients need not revalidate them.
    const hashed = path.startsWith('assets/');
    const { 'Last-Modified': changedAt, ...headers } = sent.headers;
    reply.code(sent.statusCode).headers(headers).type(contentTypeOf(path));
    if (!hashed && changedAt !== undefined) reply.header('last-modified', changedAt);
    reply.header('vary', 'accept-encoding');
    if (encoding) reply.header('content-encoding', encoding.name);
    reply.header('cache-control', hashed ? `public, max-age=${YEAR}, immutable` : 'no-cache');
    return reply.headers(isPart(path) ? PART_HEADERS : PAGE_HEADERS).send(sent.stream);
  };
}

/** The compressed files of the build, the smaller one first. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

function contentTypeOf(path: string): string {
  const type = send.mime.getType(path) ?? 'application/octet-stream';
  return send.isUtf8MimeType(type) ? `${type}; charset=utf-8` : type;
}

/** Converts a response of `@fastify/send` without a file to an error of the service. */
function errorOf({ statusCode, headers }: Pick<SendResult, 'statusCode' | 'headers'>): ApiError {
  if (statusCode === 412) {
    return new ApiError('changed_meanwhile', texts.fileChanged);
  }
  if (statusCode === 416) {
    return new ApiError('range_not_satisfiable', texts.noSuchRange, {
      headers: { 'content-range': headers['Content-Range'] ?? 'bytes */*' },
    });
  }
  return notFound();
}

/** Whether a file is a script or style of a page, and not a worker, which needs the policy of a page. */
function isPart(path: string): boolean {
  return /\.(?:js|css)$/.test(path) && !path.includes('worker');
}

/** The normalized path of the file for an address. */
function fileAt(url = ''): string {
  return (decodePart(pathOf(url)) ?? '').slice(1);
}

function listFiles(directory: string): Set<string> {
  try {
    return new Set(
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
        .filter((path) => !path.split(sep).some((part) => part.startsWith('.')))
        .map((path) => path.replaceAll(sep, '/')),
    );
  } catch {
    return new Set();
  }
}

const SETTINGS = /(<meta\s+name="indexdesk"\s+content=)(?:'[^']*'|"[^"]*")/;

/** The page with the settings of this installation, for its scripts (docs/interface/decisions.md, section 1). */
function readPage(
  path: string,
  { archiveModule, dataModule, oidc, passwordSignIn, timeZone }: PageSettings,
): string {
  const settings = JSON.stringify({
    base: BASE,
    archiveModule,
    dataModule,
    provider: oidc?.name ?? '',
    passwordSignIn,
    timeZone,
  });
  const html = readFileSync(path, 'utf8');
  if (!SETTINGS.test(html)) throw new Error(`${path} holds no <meta name="indexdesk" content=…>.`);
  return html.replace(SETTINGS, (_, start: string) => `${start}"${escapeHtml(settings)}"`);
}

function acceptsHtml({ headers: { accept } }: FastifyRequest): boolean {
  return accept === undefined || /text\/html|\*\/\*/i.test(accept);
}
