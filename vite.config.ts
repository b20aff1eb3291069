import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin, Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';
import { catalogueLanguage } from './scripts/catalogue-language.ts';
import { DIGEST_FILE, digestWebSources, webFolder } from './scripts/web-build.ts';
import { keepCompiledSources } from './tests/support/compiled-sources.ts';
import { TEST_LIMIT, WAIT_LIMIT } from './tests/support/effort.ts';
import { leftOutFiles } from './tests/support/left-out-files.ts';
import { keepTemporaryFilesInMemory } from './tests/support/temporary-folder.ts';

if (process.env['VITEST'] !== undefined) {
  keepTemporaryFilesInMemory();
  keepCompiledSources();
}

/** The language of the web admin, a folder of `src/shared/messages`, or `pseudo`. */
const LANGUAGE = process.env['INDEXDESK_WEB_LANGUAGE'] ?? 'en';

const TORTURE = '**/*.torture.test.ts';
const SETUP = 'tests/support/setup.ts';
/** Tests without JSX and styles import modules as the service does: Node.js strips the types, and Vite transforms nothing. */
const WITHOUT_TRANSFORMS = {
  environment: 'node',
  experimental: { viteModuleRunner: false, nodeLoader: false },
};
/** What the projects of the service's tests share. */
const ofService = {
  ...WITHOUT_TRANSFORMS,
  globalSetup: ['tests/support/postgres-server.ts'],
  setupFiles: [SETUP],
};
/** What the projects of the web admin's tests share. */
const ofWebAdmin = { setupFiles: ['tests/web/setup.ts', SETUP] };

/** Where `npm run dev` finds the service; the built web admin asks its own origin instead. */
const service = process.env['INDEXDESK_DEV_SERVICE'] ?? 'http://127.0.0.1:8080';

/** Puts compressed copies beside the built files, so that the service compresses nothing while it serves. */
function compressed(): Plugin {
  let outDir = '';
  return {
    name: 'compressed',
    apply: 'build',
    configResolved({ root, build }) {
      outDir = resolve(root, build.outDir);
    },
    async writeBundle() {
      const files = await readdir(outDir, { recursive: true });
      await Promise.all(
        files
          .filter((file) => /\.(?:js|mjs|wasm|css|svg|webmanifest)$/.test(file))
          .map(async (file) => {
            const path = join(outDir, file);
            const bytes = await readFile(path);
            // The highest quality, 11, takes 8 s more of processor time and saves 8 % of the bytes.
            const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } };
            await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, quality));
            await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
          }),
      );
    },
  };
}

/** Writes down from which sources a complete build was made (scripts/web-build.ts). Comes last. */
function withDigest(): Plugin {
  let outDir = '';
  let digest = '';
  return {
    name: 'with-digest',
    apply: 'build',
    configResolved({ root, build }) {
      outDir = resolve(root, build.outDir);
    },
    // Before the sources are read: what changes during the build must not count as built.
    async buildStart() {
      digest = await digestWebSources();
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: () => writeFile(join(outDir, DIGEST_FILE), digest),
    },
  };
}

/** The usual class names, with file and line, are half a kilobyte of what each page begins with. */
const shortClassNames: Plugin = {
  name: 'short-class-names',
  apply: 'build',
  config: () => ({ css: { modules: { generateScopedName: '[hash:base64:5]' } } }),
};

/** Variables for colours of the component library that stand nowhere in the web admin. */
const UNUSED =
  /^--mantine-color-(?:blue|cyan|grape|green|indigo|lime|orange|pink|teal|violet|yellow)-/;

/** Leaves out variables that nothing asks for: they are a quarter of the styles with which a page begins. */
const withoutUnusedColours = {
  postcssPlugin: 'without-unused-colours',
  Declaration(declaration: { readonly prop: string; remove(): unknown }) {
    if (UNUSED.test(declaration.prop)) declaration.remove();
  },
};

/** The pages by the beginning of their addresses; the frame is around each of them but the sign-in screen. */
const PAGES = {
  'sign-in': ['features/sign-in/sign-in-screen.tsx'],
  frame: [
    'app/app.tsx',
    'app/router.ts',
    'api/answer-schemas.ts',
    // A table's page begins with it, and the overview shows it later; a file of its own would cost more than it holds.
    'features/bulk-jobs/bulk-jobs.queries.ts',
  ],
  '': ['app/pages/start-page.tsx'],
  archives: ['app/pages/archive-page.tsx'],
  queue: ['app/pages/correction-page.tsx'],
  tables: ['app/pages/table-page.tsx'],
};

/** Name all parts of a library: who asks for one does not ask for all. */
const NAMES_OF_LIBRARY = /@mantine.(?:core|hooks).esm.index|react-router.dist.esm.index/;

/** The pages that cannot begin without a module; none needs what comes later. */
function pagesWith(id: string, modules: Rolldown.ChunkingContext): readonly string[] {
  const pages = new Set<string>();
  const seen = new Set([id]);
  for (const one of seen) {
    const page = Object.entries(PAGES).find(([, entries]) =>
      entries.some((entry) => one.endsWith(`/src/web/${entry}`)),
    );
    if (page) pages.add(page[0] || 'start');
    if (NAMES_OF_LIBRARY.test(one)) continue;
    for (const importer of modules.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  }
  const isOfMost = pages.has('frame') || pages.size > 2;
  if (isOfMost && pages.has('sign-in')) return ['shared'];
  // What most pages begin with comes with the frame.
  return isOfMost ? ['frame'] : [...pages].toSorted();
}

/** A piece takes along what its modules ask for, so those of more pages are made first. */
const PIECES: Rolldown.CodeSplittingGroup[] = [
  { name: 'first', tags: ['$initial'], priority: 9 },
  ...[
    (pages: readonly string[]) => pages[0] === 'shared',
    (pages: readonly string[]) => pages[0] === 'frame',
    (pages: readonly string[]) => pages.length === 2,
    (pages: readonly string[]) => pages.length === 1,
  ].map((isMeant, at): Rolldown.CodeSplittingGroup => ({
    debugName: `pages-${at}`,
    priority: 2 * (4 - at),
    name: (id, modules) => {
      const pages = pagesWith(id, modules);
      return isMeant(pages) ? pages.join('-') : null;
    },
  })),
  // Small parts of pages that are loaded later, in one file and without the code of another page.
  {
    name: 'kit',
    test: /\/ui\/(?:byte-size|count-filter|facts|inputs\/segmented|line-chart|plain-table|virtual-table\.module|work-area)\./,
    priority: 3,
  },
  // The component library in one file: pages name each file that they may load later, and these were 17.
  {
    name: 'library',
    test: /node_modules\/(?:@mantine\/(?:core|notifications)|@floating-ui)\//,
    priority: 1,
  },
];

/**
 * Names in the page which files its addresses need beside those that all need: public/start.js fetches them while
 * the first scripts are still being read. Written as `tables=a.js,b.css;archives=…`.
 */
function filesOfPages(): Plugin {
  return {
    name: 'files-of-pages',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, chunk: entry }) {
        const add = (fileName: string, files: Set<string>) => {
          const file = bundle[fileName];
          if (file?.type !== 'chunk' || files.has(fileName)) return files;
          files.add(fileName);
          for (const css of file.viteMetadata?.importedCss ?? []) files.add(css);
          for (const other of file.imports) add(other, files);
          return files;
        };
        const known = add(entry?.fileName ?? '', new Set());
        const content = Object.entries(PAGES).map(([name, modules]) => {
          const files = new Set<string>();
          for (const file of Object.values(bundle)) {
            const holds = file.type === 'chunk' ? file.moduleIds : [];
            if (holds.some((id) => modules.some((module) => id.endsWith(`/src/web/${module}`)))) {
              add(file.fileName, files);
            }
          }
          if (files.size === 0) throw new Error(`The build holds no page for "${name}".`);
          return `${name}=${[...files].filter((file) => !known.has(file)).join(',')}`;
        });
        const attrs = { name: 'indexdesk-files', content: content.join(';') };
        return [{ tag: 'meta', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

const require = createRequire(import.meta.url);

/** What pdf.js asks for by name while it shows a PDF: decoders, character maps, fonts; all served by us. */
function partsOfPdfJs(): Plugin {
  const from = dirname(require.resolve('pdfjs-dist/package.json'));
  const { version }: { version: string } = require('pdfjs-dist/package.json');
  let outDir = '';
  return {
    name: 'parts-of-pdf-js',
    configResolved({ root, build }) {
      outDir = resolve(root, build.outDir);
    },
    configureServer({ middlewares }) {
      middlewares.use(`/assets/pdfjs-${version}/`, (request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://dev').pathname;
        readFile(join(from, path)).then((bytes) => response.end(bytes), next);
      });
    },
    // Before `compressed`, which looks at everything that was written.
    writeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        const to = join(outDir, 'assets', `pdfjs-${version}`);
        await Promise.all(
          ['cmaps', 'standard_fonts', 'wasm'].map((part) =>
            cp(join(from, part), join(to, part), { recursive: true }),
          ),
        );
      },
    },
  };
}

export default defineConfig({
  plugins: [
    catalogueLanguage(LANGUAGE),
    react(),
    filesOfPages(),
    partsOfPdfJs(),
    compressed(),
    withDigest(),
    shortClassNames,
  ],
  css: { postcss: { plugins: [withoutUnusedColours] } },
  worker: { format: 'es' },
  build: {
    outDir: webFolder(LANGUAGE),
    emptyOutDir: true,
    // Inlined data: addresses would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What all pages begin with comes in one piece, and so does what the same pages begin with: parted, each part
    // has headers and is compressed by itself.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: PIECES,
        },
      },
    },
    license: true,
  },
  server: {
    proxy: { '/api': { target: service } },
  },
  test: {
    // Tests wait for processes and databases as well: one more at a time than there are cores. With a second one more the
    // run takes longer, as each worker loads all modules.
    maxWorkers: availableParallelism() + 1,
    // Files share the modules of their worker, as loading them takes longer than most tests. A worker continues with the next
    // file only if that belongs to the same project. Vitest sorts files by project, so each begins while the last files of
    // the one before still run.
    isolate: false,
    exclude: leftOutFiles(),
    // Later runs, such as those of one file, transform only the modules of the web admin that have changed.
    fsModuleCache: true,
    testTimeout: TEST_LIMIT,
    hookTimeout: TEST_LIMIT,
    expect: { poll: { timeout: WAIT_LIMIT } },
    tags: [
      { name: 'postgres', description: 'Needs PostgreSQL.' },
      { name: 'slow', description: 'Takes seconds; npm run test:quick leaves it out.' },
      { name: 'long', description: 'Only npm run torture runs it; another test checks a sample.' },
    ],
    projects: [
      {
        extends: true,
        test: {
          ...ofService,
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          exclude: [TORTURE],
        },
      },
      {
        extends: true,
        test: {
          ...ofWebAdmin,
          name: 'web',
          include: ['tests/web/**/*.test.tsx'],
          environment: 'jsdom',
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
      {
        extends: true,
        test: {
          ...ofWebAdmin,
          ...WITHOUT_TRANSFORMS,
          name: 'web-modules',
          include: ['tests/web/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...WITHOUT_TRANSFORMS,
          name: 'shared',
          setupFiles: [SETUP],
          include: ['tests/shared/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...ofService,
          name: 'torture',
          include: [`tests/server/${TORTURE}`],
          // One at a time: they count what a whole machine does, and need its ports, disks and networks.
          fileParallelism: false,
          isolate: true,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
