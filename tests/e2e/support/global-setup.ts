import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SETTINGS } from '#tests/support/service-process.ts';
import { MORE_CONTENT } from './content.ts';
import { closeService, killService, openService, runInHost } from './hosted-service.ts';
import { buildWebAdmin } from '../../../scripts/web-build.ts';
import { PASSWORD } from '#tests/support/password.ts';

/**
 * Prepares the run: the web admin as it is built from the sources of now, and a data directory with the
 * sample content and the tests' own, of which each spec file gets a copy.
 */
export default async function setup(): Promise<() => Promise<void>> {
  await buildWebAdmin();
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-e2e-'));
  const cleanUp = () => rm(folder, { recursive: true, force: true });
  try {
    const dataDir = join(folder, 'content');
    await openService({
      dataDir,
      databaseUrl: undefined,
      port: 0,
      environment: { ...SETTINGS, INDEXDESK_ADMIN_PASSWORD: PASSWORD },
    });
    await closeService();
    const file = join(folder, 'more.json');
    await writeFile(file, JSON.stringify(MORE_CONTENT));
    await runInHost(['load', file, '--data', dataDir]);
    process.env['INDEXDESK_E2E_CONTENT'] = dataDir;
  } catch (error) {
    await cleanUp();
    throw error;
  } finally {
    await killService();
  }
  return cleanUp;
}
