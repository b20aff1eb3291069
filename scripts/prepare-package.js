// Runs before `prepack` compiles: empties its target, tells Node where the compiled modules find each other, and stores
// the commit, which an installed package cannot ask of git.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

// Other builds of the web admin, such as that of the pseudo-language, must not be packed.
rmSync('dist', { recursive: true, force: true });
mkdirSync('dist', { recursive: true });
// The compiler copies modules alone.
const passwords = 'server/modules/passwords/common-passwords.bin';
cpSync(`src/${passwords}`, `dist/${passwords}`);
// The page that shows the interface needs the files of its package, and nothing that would be installed with it.
const swagger = 'node_modules/@fastify/swagger-ui';
cpSync(`${swagger}/static`, 'dist/server/http/openapi/swagger-ui', { recursive: true });
cpSync(`${swagger}/LICENSE`, 'dist/server/http/openapi/swagger-ui/LICENSE');

// Texts of PDFs are extracted without the rest of the package, which draws.
const pdf = 'dist/server/modules/page-texts/pdfjs';
for (const part of [
  'legacy/build/pdf.min.mjs',
  'legacy/build/pdf.worker.min.mjs',
  'cmaps',
  'LICENSE',
]) {
  cpSync(`node_modules/pdfjs-dist/${part}`, `${pdf}/${part}`, { recursive: true });
}

const write = (path, content) => writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
const imports = {
  '#shared/*.ts': './shared/*.js',
  '#messages/*.ts': './shared/messages/en/*.js',
  '#server/*.ts': './server/*.js',
};
write('dist/package.json', { type: 'module', imports });
write('dist/build.json', { commit: readCommit() });

function readCommit() {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['rev-parse', 'HEAD'], options).trim().slice(0, 12);
  } catch {
    return 'unknown';
  }
}
