import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import * as z from 'zod';
import { isExecutable } from '#tests/support/debian-package.ts';

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, '../../..');
const BUILDAH = '/usr/bin/buildah';

/** Why no image can be built and started here; null where one can. */
export function obstacleToImages(): string | null {
  if (!isExecutable(BUILDAH)) {
    return 'buildah is missing. Debian, Ubuntu: sudo apt-get install buildah';
  }
  if (process.getuid?.() !== 0) {
    return 'The image is started in namespaces of its own, which needs root: sudo npm run package:check';
  }
  try {
    execFileSync('unshare', ['--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'This system allows no new namespaces (unshare --mount --pid --fork). Use a virtual machine or a privileged container.';
  }
}

const configSchema = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      Entrypoint: z.array(z.string()),
      Cmd: z.array(z.string()),
      Volumes: z.record(z.string(), z.unknown()),
      Labels: z.record(z.string(), z.string()),
      StopSignal: z.string(),
      Healthcheck: z.object({ Test: z.array(z.string()) }),
    }),
  }),
});
export type ImageConfig = z.infer<typeof configSchema>['Docker']['config'];

const manifestSchema = z.object({
  config: z.object({ size: z.int() }),
  layers: z.array(z.object({ size: z.int() })),
});

/** Images and containers in a folder of their own. */
export class ImageStore {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#environment = {
      ...process.env,
      CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
      BUILDAH_ISOLATION: 'chroot',
    };
  }

  static async open(folder: string): Promise<ImageStore> {
    const settings = ['[storage]', 'driver = "vfs"'];
    for (const key of ['graphroot', 'runroot']) settings.push(`${key} = "${join(folder, key)}"`);
    await writeFile(join(folder, 'storage.conf'), `${settings.join('\n')}\n`);
    return new ImageStore(folder);
  }

  /** Runs `npm run image` with a packed package. @returns the name of the image */
  async build(tarball: string): Promise<string> {
    const args = ['run', '--silent', 'image', tarball];
    const options = { cwd: PROJECT, env: this.#environment };
    const { stdout } = await run('npm', args, options);
    return stdout.trim().split('\n').at(-1) ?? '';
  }

  async config(image: string): Promise<ImageConfig> {
    const text = await this.#buildah('inspect', '--type', 'image', image);
    return configSchema.parse(JSON.parse(text)).Docker.config;
  }

  /** Bytes of the manifest's configuration and compressed layers, as they go to a registry. */
  async pushedBytes(image: string): Promise<number> {
    const target = join(this.#folder, 'pushed');
    await this.#buildah('push', '--quiet', '--format=v2s2', image, `dir:${target}`);
    const text = await readFile(join(target, 'manifest.json'), 'utf8');
    await rm(target, { recursive: true });
    const { config, layers } = manifestSchema.parse(JSON.parse(text));
    return layers.reduce((sum, { size }) => sum + size, config.size);
  }

  /** @returns the folder with the files of a new container */
  async mount(image: string): Promise<string> {
    const container = await this.#buildah('from', image);
    return this.#buildah('mount', container);
  }

  async #buildah(...args: string[]): Promise<string> {
    const { stdout } = await run(BUILDAH, args, { env: this.#environment });
    return stdout.trim();
  }
}

/** The first process of a container. */
export interface RunningImage {
  readonly url: string;
  /** of node, as this machine counts */
  readonly pid: number;
  log(): string;
  /** Runs the image's health check beside it. @returns the exit code */
  checkHealth(): Promise<number>;
  /** The signal that the image names. @returns whether the container has ended by itself */
  stop(): Promise<number | null>;
}

/**
 * Starts an image as a container runtime does with `--read-only`: its user, environment and command, a mount and a process
 * namespace of its own, the root file system read-only, and one volume.
 * @param root a mounted container of the image
 */
export async function startImage(
  root: string,
  config: ImageConfig,
  volume: string,
  settings: Readonly<Record<string, string>>,
): Promise<RunningImage> {
  const [uid = '', gid = ''] = config.User.split(':');
  const [target = ''] = Object.keys(config.Volumes);
  await mkdir(volume, { mode: 0o755 });
  await chown(volume, Number(uid), Number(gid));
  for (const path of ['proc', 'dev']) await mkdir(join(root, path), { recursive: true });
  const environment = [
    ...config.Env,
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
  ];
  const enter = (command: readonly string[]) => [
    'env',
    '-i',
    ...environment,
    'chroot',
    `--userspec=${config.User}`,
    root,
    ...command,
  ];
  const script = [
    'set -e',
    'mount --bind "$0" "$0"',
    'mount -t proc proc "$0/proc"',
    'mount --rbind /dev "$0/dev"',
    `mount --bind "$1" "$0${target}"`,
    'mount -o remount,bind,ro "$0"',
    'shift',
    'exec "$@"',
  ].join('\n');
  const command = enter([...config.Entrypoint, ...config.Cmd]);
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  const child = spawn('unshare', [...namespaces, 'sh', '-c', script, root, volume, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithTests = () => child.kill('SIGKILL');
  process.once('exit', killWithTests);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const exit = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /^Indexdesk listening on http:\S+:(\d+)$/.exec(line) ?? [];
    if (port === undefined) continue;
    const children = `/proc/${child.pid}/task/${child.pid}/children`;
    const pid = Number((await readFile(children, 'utf8')).trim());
    return {
      url: `http://127.0.0.1:${port}`,
      pid,
      log: () => log,
      async checkHealth() {
        const [, ...check] = config.Healthcheck.Test;
        const [program = '', ...args] = enter(check);
        const health = spawn(program, args, { stdio: 'ignore' });
        const [code] = await once(health, 'exit');
        return Number(code);
      },
      async stop() {
        process.kill(pid, config.StopSignal);
        const [code] = await exit;
        process.off('exit', killWithTests);
        return code;
      },
    };
  }
  throw new Error(`The image did not start.\n${log}`);
}
