/** @module-tag slow */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, it, vi } from 'vitest';

const LIMIT = 150 * 1024;

it('loads at most 150 KB before the sign-in screen is shown', async () => {
  // As `npm run build` has it; the tests' own environment would build React's development half.
  vi.stubEnv('NODE_ENV', 'production');
  const built = await build({ logLevel: 'error', build: { write: false } });
  if (Array.isArray(built) || !('output' in built)) throw new Error('One build was expected.');
  const sizes = new Map<string, number>();
  const add = (name: string) => {
    if (sizes.has(name)) return;
    const file = built.output.find(({ fileName }) => fileName === name);
    if (!file) throw new Error(`${name} is not in the build.`);
    sizes.set(name, gzipSync(file.type === 'chunk' ? file.code : file.source).length);
    if (file.type === 'chunk') {
      for (const other of [...file.imports, ...(file.viteMetadata?.importedCss ?? [])]) add(other);
    }
  };
  const chunk = (test: (chunk: Rolldown.OutputChunk) => boolean) => {
    const found = built.output.find((file) => file.type === 'chunk' && test(file));
    if (!found) throw new Error('The chunk is not in the build.');
    add(found.fileName);
  };
  chunk(({ isEntry }) => isEntry);
  chunk(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/src/web/app/sign-in-page.tsx')));
  const script = gzipSync(await readFile('public/start.js')).length;
  const total = [...sizes.values()].reduce((sum, size) => sum + size, script);
  vi.unstubAllEnvs();
  expect(sizes.size).toBeGreaterThan(1);
  expect(total).toBeGreaterThan(80 * 1024);
  expect(total).toBeLessThanOrEqual(LIMIT);
});
