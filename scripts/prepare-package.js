// Makes room for what `prepack` compiles, and tells Node where the compiled modules find one another.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

for (const folder of ['dist/server', 'dist/shared'])
  rmSync(folder, { recursive: true, force: true });
mkdirSync('dist', { recursive: true });

const imports = { '#shared/*.ts': './shared/*.js', '#server/*.ts': './server/*.js' };
writeFileSync('dist/package.json', `${JSON.stringify({ type: 'module', imports }, null, 2)}\n`);
