import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { ImageStore, obstacleToImages, startImage, type ImageConfig } from './support/image.ts';
import { PASSWORD, useService } from './support/use-service.ts';

const MEGABYTE = 1_000_000;
const MAX_PUSHED = 70 * MEGABYTE;
const USER_ID = 65532;

describe.skipIf(isMissing(obstacleToImages()))('the image of the Containerfile', () => {
  let folder = '';
  let store: ImageStore;
  let image = '';
  let config: ImageConfig;
  let root = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'indexdesk-image-'));
    store = await ImageStore.open(folder);
    image = await store.build(inject('tarball'));
    config = await store.config(image);
    root = await store.mount(image);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('has at most 70 MB of compressed layers', async () => {
    const bytes = await store.pushedBytes(image);
    console.log(`Compressed as pushed: ${(bytes / MEGABYTE).toFixed(1)} MB.`);
    expect(bytes).toBeLessThanOrEqual(MAX_PUSHED);
  });

  it('has node as its one program, no shell, and one volume', async () => {
    const programs: string[] = [];
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const path = relative(root, join(entry.parentPath, entry.name));
      if (/(?:^|\/)s?bin\//.test(path) && !path.startsWith('opt/')) programs.push(path);
      expect(basename(path)).not.toMatch(/^(?:(?:ba|da|z|a|k)?sh|busybox|npm|npx)$/);
    }
    expect(programs).toEqual(['usr/local/bin/node']);
    expect(Object.keys(config.Volumes)).toEqual(['/data']);
    expect(config.User).toBe(`${USER_ID}:${USER_ID}`);
  });

  it('is labelled with its version and commit', () => {
    const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'Indexdesk',
      'org.opencontainers.image.licenses': 'MIT',
      'org.opencontainers.image.version': image.split(':').at(-1),
      'org.opencontainers.image.revision': commit.trim(),
    });
  });

  it('serves with a read-only root, is signed in to, saves, and stops with 0', async () => {
    const running = await startImage(root, config, join(folder, 'volume'), {
      INDEXDESK_PORT: String(await freePort()),
      INDEXDESK_ADMIN_PASSWORD: PASSWORD,
      INDEXDESK_DRAIN_SECONDS: '0',
    });
    try {
      const status = await readFile(`/proc/${running.pid}/status`, 'utf8');
      expect(status).toMatch(/^NSpid:.*\t1$/m);
      expect(status).toMatch(new RegExp(`^Uid:\t${USER_ID}\t`, 'm'));
      expect(await readlink(`/proc/${running.pid}/exe`)).toMatch(/\/usr\/local\/bin\/node$/);
      const mounts = await readFile(`/proc/${running.pid}/mounts`, 'utf8');
      expect(mounts).toMatch(/^\S+ \/ \S+ ro,/m);
      await useService(running.url);
      expect(await running.checkHealth()).toBe(0);
    } finally {
      expect(await running.stop()).toBe(0);
    }
    expect(running.log()).toContain('"msg":"service stopped"');
    expect(await running.checkHealth()).toBe(1);
  });
});
