// `npm run -s sbom`: writes the packages that run to stdout, as CycloneDX. npm itself knows only some of the server's:
// libraries of the web admin and the client of buckets are development dependencies, as the package contains them already built.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

const PROJECT = resolve(import.meta.dirname, '..');
/** Marks build tools, for programs that look for weak packages. */
const DEVELOPMENT = 'cdx:npm:package:development';

/** Packages of which the package contains files (scripts/prepare-package.js), and that are not installed with it. */
const COPIED: ReadonlySet<string> = new Set(['@fastify/swagger-ui']);
/** Packages that a module of the service contains, with their own dependencies (scripts/bundle-s3-client.ts). */
const BUNDLED: ReadonlySet<string> = new Set(['@aws-sdk/client-s3', '@aws-sdk/lib-storage']);

const component = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  scope: z.string().optional(),
  properties: z.array(z.looseObject({ name: z.string() })).optional(),
});
const bomSchema = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
const packageSchema = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

/** Names of the packages that the sources of the web admin import. */
async function importedByWebAdmin(): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const entry of await readdir(join(PROJECT, 'src/web'), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!/\.(?:tsx?|css)$/.test(entry.name)) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    const imports = text.matchAll(/(?:from|import)\s*\(?\s*['"]((?:@[\w.-]+\/)?[\w][\w.-]*)/g);
    for (const [, name = ''] of imports) names.add(name);
  }
  return names;
}

/** A package without the marks of a build tool, `scope: optional` among them. */
function required({ properties = [], scope, ...one }: z.infer<typeof component>) {
  const others = properties.filter(({ name }) => name !== DEVELOPMENT);
  const isMarked = others.length < properties.length;
  return { ...one, scope: isMarked ? 'required' : scope, properties: others };
}

const options = { cwd: PROJECT, maxBuffer: 64 * 1024 * 1024 };
const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
const { stdout } = await promisify(execFile)('npm', args, options);
const bom = bomSchema.parse(JSON.parse(stdout));
const { dependencies, devDependencies } = packageSchema.parse(
  JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')),
);
const imported = await importedByWebAdmin();
const direct = new Set([
  ...Object.keys(dependencies),
  ...Object.keys(devDependencies).filter(
    (name) => imported.has(name) || COPIED.has(name) || BUNDLED.has(name),
  ),
]);

const root = bom.metadata.component['bom-ref'];
const nameOf = new Map(bom.components.map((one) => [one['bom-ref'], one.name]));
const dependsOn = new Map(
  bom.dependencies.map(({ ref, dependsOn: needed }) => [
    ref,
    COPIED.has(nameOf.get(ref) ?? '') ? [] : needed,
  ]),
);
const running = new Set(
  (dependsOn.get(root) ?? []).filter((reference) => direct.has(nameOf.get(reference) ?? '')),
);
dependsOn.set(root, [...running]);
// A set may grow while it is read.
for (const reference of running) {
  for (const needed of dependsOn.get(reference) ?? []) running.add(needed);
}

process.stdout.write(
  `${JSON.stringify(
    {
      ...bom,
      components: bom.components.filter((one) => running.has(one['bom-ref'])).map(required),
      dependencies: [root, ...running].map((ref) => ({ ref, dependsOn: dependsOn.get(ref) ?? [] })),
    },
    null,
    2,
  )}\n`,
);
