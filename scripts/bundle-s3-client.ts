// Run by `prepack` after the compiler: replaces the module that imports Amazon's client by one that contains it.
import { build } from 'vite';

const FOLDER = 'src/server/modules/files';

await build({
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: `${FOLDER}/s3-client.ts`,
    outDir: FOLDER.replace('src/', 'dist/'),
    emptyOutDir: false,
    target: 'node24',
    minify: true,
    license: { fileName: 's3-client.license.md' },
    rolldownOptions: { output: { entryFileNames: 's3-client.js', codeSplitting: false } },
  },
});
