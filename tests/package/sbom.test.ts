import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as z from 'zod';

const bomSchema = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(
    z.looseObject({
      'bom-ref': z.string(),
      name: z.string(),
      version: z.string(),
      licenses: z.array(z.unknown()).optional(),
      hashes: z.array(z.unknown()).min(1),
    }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

it('lists what runs in the service and in the web admin, and no build tools', async () => {
  const args = ['run', '--silent', 'sbom'];
  const { stdout } = await promisify(execFile)('npm', args, { maxBuffer: 64 * 1024 * 1024 });
  const { metadata, components, dependencies } = bomSchema.parse(JSON.parse(stdout));
  const scopes = new Map(components.map(({ name, scope }) => [name, scope]));
  for (const name of ['fastify', 'pg', 'pg-protocol', 'react', '@mantine/core', 'dompurify']) {
    expect([name, scopes.get(name)]).toEqual([name, 'required']);
  }
  expect(components.filter(({ licenses }) => !licenses).map(({ name }) => name)).toEqual([]);
  for (const name of ['vite', 'vitest', 'typescript', 'oxlint', 'node']) {
    expect([...scopes.keys()]).not.toContain(name);
  }
  const references = new Set([
    metadata.component['bom-ref'],
    ...components.map((one) => one['bom-ref']),
  ]);
  expect(new Set(dependencies.map(({ ref }) => ref))).toEqual(references);
  for (const { dependsOn } of dependencies) {
    for (const reference of dependsOn) expect(references).toContain(reference);
  }
});
