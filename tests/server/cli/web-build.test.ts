import { cp, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { buildFolder } from '#tests/support/load.ts';
import { digestWebSources } from '../../../scripts/web-build.ts';

let checkout: string;
beforeEach(async () => {
  checkout = buildFolder();
  for (const folder of ['src/web/ui', 'src/shared', 'public', 'scripts'])
    await mkdir(join(checkout, folder), { recursive: true });
  for (const file of [
    'index.html',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vite.config.ts',
    'scripts/catalogue-language.ts',
    'src/web/main.ts',
    'src/web/ui/a.ts',
  ])
    await writeFile(join(checkout, file), file);
});

const change: Record<string, (main: string) => Promise<void>> = {
  'of another content, and an old time': async (main) => {
    await writeFile(main, 'other');
    await utimes(main, 0, 0);
  },
  'that is removed': (main) => rm(main),
  'that is renamed': (main) => rename(main, `${main}x`),
  'that is added': (main) => cp(main, `${main}x`),
};

test.for(Object.entries(change))('a source %s asks for a build', async ([, apply]) => {
  const before = await digestWebSources(checkout);
  await apply(join(checkout, 'src/web/main.ts'));
  expect(await digestWebSources(checkout)).not.toBe(before);
});

test('a source of another time, or a file beside the sources, asks for none', async () => {
  const before = await digestWebSources(checkout);
  await utimes(join(checkout, 'src/web/main.ts'), new Date(), new Date());
  await writeFile(join(checkout, 'README.md'), 'not built from');
  expect(await digestWebSources(checkout)).toBe(before);
});
