// Run by `npm start` before the service: builds the web admin where its sources have changed since the last build.
import { buildWebAdmin } from './web-build.ts';

try {
  await buildWebAdmin(() =>
    process.stderr.write('Building the web admin. This takes some seconds after each change.\n'),
  );
} catch (error) {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  process.stderr.write(`The web admin cannot be built.\n${said}\n`);
  process.exitCode = 1;
}
