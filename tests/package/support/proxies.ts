import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { isExecutable } from '#tests/support/debian-package.ts';
import { freePort } from '#tests/support/free-port.ts';
import { eventually } from '#tests/support/service-client.ts';

const DEPLOY = resolve(import.meta.dirname, '../../../examples/deploy');
/** The name in the examples. */
const EXAMPLE_HOST = 'records.example';

/** A proxy that was started with an example of the project. */
export interface Proxy {
  /** `https://localhost:PORT` */
  readonly url: string;
  /** `http://localhost:PORT`, where browsers are redirected from */
  readonly plainUrl: string;
  /** the certificate of `url` */
  readonly certificate: string;
  stop(): Promise<void>;
}

export interface ProxyKind {
  readonly name: string;
  /** why it cannot run here, with the remedy; null where it can */
  readonly obstacle: string | null;
  /** @param servicePorts where processes of the service listen on 127.0.0.1 */
  start(folder: string, servicePorts: readonly number[]): Promise<Proxy>;
}

const NGINX = '/usr/sbin/nginx';
const CADDY = '/usr/bin/caddy';

function obstacleTo(program: string, name: string): string | null {
  if (isExecutable(program) && isExecutable('/usr/bin/openssl')) return null;
  return `${name} or openssl is missing. Debian, Ubuntu: sudo apt-get install ${name} openssl`;
}

export const PROXIES: readonly ProxyKind[] = [
  {
    name: 'nginx',
    obstacle: obstacleTo(NGINX, 'nginx'),
    async start(folder, servicePorts) {
      const { certificate, key } = makeCertificate(folder);
      const [http, https] = [await freePort(), await freePort()];
      const site = await adapt('nginx.conf', [
        ['listen [::]:80;', ''],
        ['listen [::]:443 ssl http2;', ''],
        ['listen 80;', `listen localhost:${http};`],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${https} ssl http2;`],
        [
          'server 127.0.0.1:8080 max_fails=0;',
          servicePorts.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join('\n'),
        ],
        [`/etc/ssl/certs/${EXAMPLE_HOST}.pem`, certificate],
        [`/etc/ssl/private/${EXAMPLE_HOST}.key`, key],
        [EXAMPLE_HOST, 'localhost'],
      ]);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder}/${kind};`,
      );
      const path = join(folder, 'nginx.conf');
      await writeFile(
        path,
        `daemon off; pid ${folder}/nginx.pid; error_log stderr;
        events {}
        http { access_log off; ${temporary.join(' ')}
        ${site} }`,
      );
      return run(NGINX, ['-p', folder, '-c', path], { http, https }, certificate);
    },
  },
  {
    name: 'caddy',
    obstacle: obstacleTo(CADDY, 'caddy'),
    async start(folder, servicePorts) {
      const { certificate, key } = makeCertificate(folder);
      const [http, https] = [await freePort(), await freePort()];
      const site = await adapt('Caddyfile', [
        [`http://${EXAMPLE_HOST} {`, `http://localhost:${http} {`],
        ['127.0.0.1:8080', servicePorts.map((port) => `127.0.0.1:${port}`).join(' ')],
        [`${EXAMPLE_HOST} {`, `https://localhost:${https} {\ntls ${certificate} ${key}`],
      ]);
      const path = join(folder, 'Caddyfile');
      await writeFile(path, `{\nadmin off\nauto_https disable_redirects\n}\n${site}`);
      return run(
        CADDY,
        ['run', '--config', path, '--adapter', 'caddyfile'],
        { http, https },
        certificate,
      );
    },
  },
];

/** An example of the project with other values. @throws {Error} where it does not contain what is replaced */
async function adapt(
  name: string,
  replacements: readonly (readonly [string, string])[],
): Promise<string> {
  let text = (await readFile(join(DEPLOY, name), 'utf8')).replace(/^\s*#.*$/gm, '');
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${name} does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** A certificate for `localhost` that signs itself. @returns the paths */
function makeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'localhost.pem'), join(folder, 'localhost.key')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const args = ['req', '-x509', ...kind, '-days', '2', ...subject];
  execFileSync('openssl', [...args, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return { certificate, key };
}

async function run(
  program: string,
  args: readonly string[],
  ports: { readonly http: number; readonly https: number },
  certificatePath: string,
): Promise<Proxy> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const killWithTests = () => child.kill('SIGKILL');
  process.once('exit', killWithTests);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const exit = once(child, 'exit');
  const proxy = {
    url: `https://localhost:${ports.https}`,
    plainUrl: `http://localhost:${ports.http}`,
    certificate: await readFile(certificatePath, 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await exit;
      process.off('exit', killWithTests);
    },
  };
  const isUp = () =>
    send(proxy, 'GET', '/healthz').then(
      ({ status }) => status === 200,
      () => false,
    );
  if (await eventually(isUp, 20_000)) return proxy;
  await proxy.stop();
  throw new Error(`${program} does not start.\n${log}`);
}

export interface ProxyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** A request as a browser on the page of the proxy sends it. */
export async function send(
  { url, certificate }: Pick<Proxy, 'url' | 'certificate'>,
  method: string,
  path: string,
  { json, headers }: { json?: unknown; headers?: Readonly<Record<string, string>> } = {},
): Promise<ProxyAnswer> {
  const { hostname, port } = new URL(url);
  const call = request({
    // The name may lead to ::1 first, where the proxy does not listen.
    host: '127.0.0.1',
    servername: hostname,
    port,
    method,
    path,
    ca: certificate,
    agent: false,
    headers: {
      host: `${hostname}:${port}`,
      origin: url,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  call.end(json === undefined ? undefined : JSON.stringify(json));
  const [answer] = await once(call, 'response');
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += part;
  return { status: answer.statusCode, headers: answer.headers, text };
}
